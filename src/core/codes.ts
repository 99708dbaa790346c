import { ANSWER_CODES } from "./codes/answer.ts";
import { CATALOG_CODES } from "./codes/catalog.ts";
import { CLI_CODES } from "./codes/cli.ts";
import { HOST_CODES } from "./codes/host.ts";
import { HTTP_CODES } from "./codes/http.ts";
import { MACRO_CODES } from "./codes/macro.ts";
import { PAIRING_CODES } from "./codes/pairing.ts";
import { PLAN_CODES } from "./codes/plan.ts";
import { answering, type CodeRow } from "./codes/row.ts";
import { SANDBOX_CODES } from "./codes/sandbox.ts";
import { SCRIPT_CODES } from "./codes/script.ts";
import { STORE_CODES } from "./codes/store.ts";
import { TASK_CODES } from "./codes/task.ts";

export type { CodeRow } from "./codes/row.ts";

/** The one registry of codes, `AREA_WHAT`, never reused; a row per code, by area. */
export const CODES = {
  ...answering({ status: 422, exit: "failed" }, SCRIPT_CODES),
  ...answering({ status: 422, exit: "usage" }, CATALOG_CODES),
  ...answering({ status: 422, exit: "failed" }, MACRO_CODES),
  ...answering({ status: 422, exit: "failed" }, ANSWER_CODES),
  ...answering({ status: 422, exit: "failed" }, PLAN_CODES),
  ...answering({ status: 503, exit: "failed" }, SANDBOX_CODES),
  ...answering({ status: 502, exit: "usage" }, HOST_CODES),
  ...answering({ status: 503, exit: "usage" }, STORE_CODES),
  ...answering({ status: 409, exit: "failed" }, TASK_CODES),
  ...answering({ status: 422, exit: "failed" }, PAIRING_CODES),
  ...answering({ status: 422, exit: "usage" }, HTTP_CODES),
  ...answering({ status: 422, exit: "usage" }, CLI_CODES),
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
