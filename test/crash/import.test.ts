import { describeCrashes } from "./describe-crashes.ts";

describeCrashes("import");
