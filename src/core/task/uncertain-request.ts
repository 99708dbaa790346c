import type { Failure } from "../codes/problems.ts";
import type { RequestAsked } from "./waiting.ts";

/** A request of a script that had left when the engine died: nobody knows whether it arrived. */
export type UncertainRequest = {
  /** The call's number in the script: two requests may be alike in everything else. */
  readonly call: number;
  readonly method: string;
  /** As a person may see it. */
  readonly url: string;
  /** When it left, UTC ms. */
  readonly at: number;
};

/** The request as a person is asked about it. */
export function describeRequest({ method, url, at }: Omit<UncertainRequest, "call">): RequestAsked {
  return { method, url, at: new Date(at).toISOString() };
}

/** The failure of a task that asks about a request of its script. */
export function createRequestUncertainFailure(request: UncertainRequest): Failure {
  const { method, url, at } = describeRequest(request);
  return {
    code: "TASK_REQUEST_UNCERTAIN",
    message: `nobody knows whether "${method} ${url}", sent at ${at}, arrived: the engine stopped before the answer came`,
    context: [],
    retryable: true,
  };
}
