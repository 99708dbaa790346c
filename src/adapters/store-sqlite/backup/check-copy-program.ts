/** Checks the copy its argument names, and writes what it found as one JSON document (`check-apart.ts` starts it). */
import { isEngineError } from "../../../core/codes/problems.ts";
import { readMessage } from "../../../core/json/read-message.ts";
import { storeError } from "../faults.ts";
import type { CheckAnswer } from "./check-apart.ts";
import { checkCopy } from "./check-copy.ts";

const [, , copy = ""] = process.argv;

function check(): CheckAnswer {
  try {
    return { found: checkCopy(copy) };
  } catch (error) {
    const fault = storeError(copy, error);
    return { code: isEngineError(fault) ? fault.code : "STORE_IO", message: readMessage(fault) };
  }
}

process.stdout.write(JSON.stringify(check()));
