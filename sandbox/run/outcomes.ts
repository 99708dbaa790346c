/** What enters the isolate: the start of a run, and outcomes as a journal has them. */
import type { RunRequest } from "../contract.ts";
import type { RecordedDelivery, RecordedOutcome } from "../journal/history.ts";
import type { Outcome } from "./deliveries.ts";

/** The first outcome of a run; its script's result may have `result` bytes. */
export function makeStart({ script, kind, entrypoint, context, seed }: RunRequest, result: number): Outcome {
  return { id: 0, content: { start: { kind, code: script.code, entrypoint, context, seed, limits: { result } } } };
}

/** The outcome a recorded one is delivered as. */
export function makeOutcome({ id, content, body }: RecordedOutcome): Outcome {
  return { id, content, ...(body !== undefined && { body }) };
}

/** The outcome a recorded delivery entered with, at its time; `start` is that of the run. */
export function remakeOutcome(delivery: RecordedDelivery, start: Outcome): Outcome {
  return { ...(delivery.id === 0 ? start : makeOutcome(delivery)), now: delivery.now };
}
