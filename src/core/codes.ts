import { ANSWER_CODES } from "./codes/answer.ts";
import { CATALOG_CODES } from "./codes/catalog.ts";
import { CLI_CODES } from "./codes/cli.ts";
import { HOST_CODES } from "./codes/host.ts";
import { HTTP_CODES } from "./codes/http.ts";
import { MACRO_CODES } from "./codes/macro.ts";
import { PAIRING_CODES } from "./codes/pairing.ts";
import { PLAN_CODES } from "./codes/plan.ts";
import type { CodeRow } from "./codes/row.ts";
import { SANDBOX_CODES } from "./codes/sandbox.ts";
import { SCRIPT_CODES } from "./codes/script.ts";
import { STORE_CODES } from "./codes/store.ts";
import { TASK_CODES } from "./codes/task.ts";

export type { CodeRow } from "./codes/row.ts";

/** The one registry of codes, `AREA_WHAT`, never reused; a row per code, by area. */
export const CODES = {
  ...SCRIPT_CODES,
  ...CATALOG_CODES,
  ...MACRO_CODES,
  ...ANSWER_CODES,
  ...PLAN_CODES,
  ...SANDBOX_CODES,
  ...HOST_CODES,
  ...STORE_CODES,
  ...TASK_CODES,
  ...PAIRING_CODES,
  ...HTTP_CODES,
  ...CLI_CODES,
} as const satisfies Record<string, CodeRow>;

/** A code of the registry. Across realms, SQLite and HTTP only the code counts. */
export type Code = keyof typeof CODES;

/** Whether a text from elsewhere (a service, a stored row) is a code of the registry. */
export function isCode(text: string): text is Code {
  return Object.hasOwn(CODES, text);
}

/** The registry's row of a code. */
export function explain(code: Code): CodeRow {
  return CODES[code];
}
