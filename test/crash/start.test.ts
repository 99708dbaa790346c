import { describeCrashes } from "./describe-crashes.ts";

// Stop and start are sent alike: of what restart is killed at all over, a sample.
describeCrashes("start", ["afterCommit", "afterEffectSent", "afterEffectDone", "beforeReconcile"]);
