import { describeCrashes } from "./describe-crashes.ts";

// Its steps are those of an upgrade, which is killed at every point.
describeCrashes("upgrade-all", ["afterCommit", "beforeReconcile"]);
