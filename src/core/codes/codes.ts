import { ANSWER_CODES } from "./answer.ts";
import { CATALOG_CODES } from "./catalog.ts";
import { CHECK_CODES } from "./check.ts";
import { CLI_CODES } from "./cli.ts";
import type { Code } from "./code.ts";
import { DRIFT_CODES } from "./drift.ts";
import { FILE_CODES } from "./file.ts";
import { HOST_CODES } from "./host.ts";
import { HTTP_CODES } from "./http.ts";
import { MACRO_CODES } from "./macro.ts";
import { PAIRING_CODES } from "./pairing.ts";
import { PLAN_CODES } from "./plan.ts";
import { type CodeRow, defineRows } from "./row.ts";
import { SANDBOX_CODES } from "./sandbox.ts";
import { SCRIPT_CODES } from "./script.ts";
import { STORE_CODES } from "./store.ts";
import { TASK_CODES } from "./task.ts";
import { VALUE_CODES } from "./value.ts";

export type { CodeRow } from "./row.ts";

/** The one registry of codes, `AREA_WHAT`, never reused; a row per code, by area. */
export const CODES = {
  ...defineRows({ status: 422, exit: "failed", audience: "author" }, SCRIPT_CODES),
  ...defineRows({ status: 422, exit: "usage", audience: "author" }, CATALOG_CODES),
  ...defineRows({ status: 422, exit: "failed", audience: "author" }, MACRO_CODES),
  ...defineRows({ status: 422, exit: "failed", audience: "owner" }, ANSWER_CODES),
  ...defineRows({ status: 422, exit: "failed", audience: "author" }, VALUE_CODES),
  ...defineRows({ status: 422, exit: "failed", audience: "author" }, PLAN_CODES),
  ...defineRows({ status: 503, exit: "failed", audience: "author" }, SANDBOX_CODES),
  ...defineRows({ status: 502, exit: "usage", audience: "host" }, HOST_CODES),
  ...defineRows({ status: 503, exit: "usage", audience: "host" }, STORE_CODES),
  ...defineRows({ status: 409, exit: "failed", audience: "owner" }, TASK_CODES),
  ...defineRows({ status: 422, exit: "failed", audience: "owner" }, PAIRING_CODES),
  ...defineRows({ status: 409, exit: "failed", audience: "owner" }, DRIFT_CODES),
  ...defineRows({ status: 422, exit: "usage", audience: "owner" }, FILE_CODES),
  ...defineRows({ status: 422, exit: "usage", audience: "owner" }, HTTP_CODES),
  ...defineRows({ status: 422, exit: "usage", audience: "owner" }, CLI_CODES),
  ...defineRows({ status: 422, exit: "failed", audience: "author" }, CHECK_CODES),
} as const satisfies Record<Code, CodeRow>;

/** The registry's row of a code. */
export function explain(code: Code): CodeRow {
  return CODES[code];
}
