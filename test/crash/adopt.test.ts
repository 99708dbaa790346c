import { describeCrashes } from "./describe-crashes.ts";

// The host is only asked: nothing that changes it is ever sent, and it is over before a moment could be drawn.
describeCrashes("adopt", ["beforeCommit", "afterCommit", "afterEffectDone", "beforeReconcile"]);
