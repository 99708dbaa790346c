/** Takes up what was under way when the last life of a run ended. */
import type { RunJournal } from "../../contract.ts";
import type { OpenCall } from "../../journal/history.ts";
import type { RecordOf } from "../../journal/record.ts";
import type { Calls } from "../calls.ts";
import type { ScriptCall } from "../deliveries.ts";
import type { Quotas } from "../quotas.ts";
import type { WallTime } from "../time/wall-time.ts";
import type { Leavings } from "./leavings.ts";
import { createUnknownOutcome } from "./unknown-outcome.ts";

export interface TakeUpPorts {
  readonly journal: RunJournal;
  readonly calls: Calls;
  readonly quotas: Quotas;
  readonly leavings: Leavings;
  readonly wallTime: WallTime;
  /** Keeps it with the next progress. */
  addLater(record: RecordOf<"due">): void;
}

/** How the last life ended. */
export interface LifeEnd {
  /** Its script had ended. */
  readonly isDone: boolean;
  /** ms since 1970. */
  readonly at: number;
}

interface Times {
  /** ms of `performance.now()`. */
  readonly now: number;
  /** The time until which timers have run, ms since 1970. */
  readonly stoppedAt: number;
  /** They may guard a request. */
  readonly guards: boolean;
}

/** Takes up those of the open calls that this process has `made` itself, playing back what led to them. */
export function takeUp(
  open: readonly OpenCall[],
  made: ReadonlyMap<number, ScriptCall>,
  { isDone, at }: LifeEnd,
  ports: TakeUpPorts,
): void {
  // a timer may guard a request: beside one it keeps the time it had left when the engine was last known to live
  const guards = open.some(({ class: kind }) => ["read", "change", "once", "wait"].includes(kind));
  const now = Math.ceil(performance.now());
  const stoppedAt = guards ? Math.max(ports.journal.lastAlive ?? 0, at) : ports.wallTime.of(now);
  for (const call of open) {
    const again = made.get(call.id);
    if (again === undefined || call.asked !== undefined) continue;
    // with the script its requests and timers have ended
    if (!isDone || call.class === "report") takeUpCall(call, again, { now, stoppedAt, guards }, ports);
  }
}

function takeUpCall(call: OpenCall, made: ScriptCall, { now, stoppedAt, guards }: Times, ports: TakeUpPorts): void {
  const { journal, calls, quotas, leavings, wallTime } = ports;
  if (call.class === "once" && call.choice === "skip") {
    calls.refuse(call.id, createUnknownOutcome(call));
  } else if (made.op.op === "timer") {
    // below 0 where it is over: here and in a life after this one they end in the order they were due in
    const restMs = Math.min(made.op.ms, (call.due ?? stoppedAt) - stoppedAt);
    // with the next progress: without one a later life counts from the same last sign of life
    if (guards) ports.addLater({ is: "due", id: call.id, due: wallTime.of(now) + restMs });
    calls.start(made, now + restMs - made.op.ms);
  } else {
    // nobody will be asked about it, and that it leaves again is no progress
    if (call.left !== undefined && journal.resends) leavings.leavesAgain(call.id);
    quotas.use("requestBytes", made.body.byteLength);
    calls.start(made, now);
  }
}
