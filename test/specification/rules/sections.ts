import type { Section } from "../rule.ts";
import { ERROR_SECTIONS } from "./error-rules.ts";
import { HOOK_SECTIONS } from "./hook-rules.ts";
import { INSTALL_SECTIONS } from "./install-rules.ts";
import { LIMIT_SECTIONS } from "./limit-rules.ts";
import { MACRO_SECTIONS } from "./macro-rules.ts";
import { OFFER_SECTIONS } from "./offer-rules.ts";
import { PAIRING_SECTIONS } from "./pairing-rules.ts";
import { RUN_SECTIONS } from "./run-rules.ts";
import { SCRIPT_SECTIONS } from "./script-rules.ts";
import { TASK_SECTIONS } from "./task-rules.ts";

/** Every section of the specification that states rules. */
export const SECTIONS: readonly Section[] = [
  ...SCRIPT_SECTIONS,
  ...MACRO_SECTIONS,
  ...INSTALL_SECTIONS,
  ...HOOK_SECTIONS,
  ...OFFER_SECTIONS,
  ...RUN_SECTIONS,
  ...TASK_SECTIONS,
  ...PAIRING_SECTIONS,
  ...ERROR_SECTIONS,
  ...LIMIT_SECTIONS,
];
