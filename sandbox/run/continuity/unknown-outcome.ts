import type { OpenCall } from "../../journal/history.ts";
import type { WireError } from "../../protocol/ops.ts";

/** The error a script sees of a request a person has given up. */
export function createUnknownOutcome({ left }: OpenCall): WireError {
  return {
    name: "Error",
    code: "outcome_unknown",
    message: `the engine stopped while ${left?.method ?? "a request"} ${left?.url ?? ""} was under way: nobody knows what came of it`,
  };
}
