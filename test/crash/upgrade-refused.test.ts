import { describeCrashes } from "./describe-crashes.ts";

describeCrashes("upgrade-refused", ["afterEffectSent", "afterEffectDone", "beforeReconcile"], "all");
