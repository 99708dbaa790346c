import { describeCrashes } from "./describe-crashes.ts";

// A dataset is there without its ACL after some of these.
describeCrashes("install-smb", ["afterEffectSent"], "all");
