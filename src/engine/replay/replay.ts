import type { Json } from "../../core/json/json.ts";
import { readMessage } from "../../core/json/read-message.ts";
import type { Store } from "../ports/store.ts";
import type { LoggedRow, TaskRow } from "../ports/store-rows.ts";
import type { RegisteredMachine } from "../runtime/effect.ts";
import { type FoldedStep, findFirstDifference, foldEvents, listEffects } from "./fold-events.ts";

export interface Replay {
  readonly taskId: string;
  readonly machine: string;
  /** Turns folded. */
  readonly steps: number;
  /** The first step that leads elsewhere than it did; null when all agree. */
  readonly difference: ReplayDifference | null;
}

export interface ReplayDifference {
  /** Number of the step's log entry; null when the machine could not be folded that far. */
  readonly seq: number | null;
  readonly rev: number | null;
  readonly event: string;
  readonly what: "state" | "effects" | "snapshot" | "fault";
  /** Where the snapshots differ first, e.g. `$.context.attempt`. */
  readonly at?: string;
  readonly stored: Json;
  readonly replayed: Json;
}

type ReplayReads = Pick<Store, "task" | "taskLog" | "effectsOf">;

/** Folds a task's logged events through the present machine and compares every step with what was stored. */
export function replayTask(
  reads: ReplayReads,
  registry: Readonly<Record<string, RegisteredMachine>>,
  row: TaskRow,
): Replay {
  const turns = listTurns(reads.taskLog(row.id));
  const replayed = { taskId: row.id, machine: row.machine, steps: turns.length };
  const registered = registry[row.machine];
  if (registered === undefined) {
    return { ...replayed, difference: createDifference(turns[0], `this build has no machine "${row.machine}"`) };
  }
  if (row.rev > 0 && turns[0]?.rev !== 1) {
    return {
      ...replayed,
      difference: createDifference(turns[0], "the task ended long ago and its events are no longer kept"),
    };
  }
  const steps = foldEvents(
    registered,
    turns.map(({ event }) => event),
  );
  for (const turn of turns) {
    try {
      const step = steps.next();
      const difference = step.done === true ? null : compare(reads, registered, row, turn, step.value);
      if (difference !== null) return { ...replayed, difference };
    } catch (error) {
      return {
        ...replayed,
        difference: createDifference(turn, readMessage(error)),
      };
    }
  }
  return { ...replayed, difference: null };
}

/** The log entries that were turns. */
export function listTurns(log: readonly LoggedRow[]): readonly LoggedRow[] {
  return log.filter(isTurn);
}

/** Tells whether an entry was a turn: what was dropped, told, quarantined or released changed no snapshot. */
export function isTurn({ digest, type }: Pick<LoggedRow, "digest" | "type">): boolean {
  return digest !== "" && type !== "task.dropped";
}

function compare(
  reads: ReplayReads,
  registered: RegisteredMachine,
  row: TaskRow,
  turn: LoggedRow,
  step: FoldedStep,
): ReplayDifference | null {
  const place = { seq: turn.seq, rev: turn.rev, event: turn.event.type };
  const { state } = registered.view(step.persisted);
  // A checkpoint's entries show its hook, so its state is only in the snapshot.
  if (row.kind !== "checkpoint" && state !== turn.task.state) {
    return { ...place, what: "state", stored: turn.task.state, replayed: state };
  }
  const stored = reads
    .effectsOf(row.id)
    .filter(({ id }) => id.startsWith(`${row.id}:${turn.rev}.`))
    .map(({ name, params }) => ({ name, params }));
  const replayed = listEffects(step.actions);
  if (findFirstDifference(stored, replayed) !== null) return { ...place, what: "effects", stored, replayed };
  if (step.persisted.digest === turn.digest) return null;
  if (turn.rev !== row.rev || row.snapshot === null) {
    return { ...place, what: "snapshot", stored: turn.digest, replayed: step.persisted.digest };
  }
  const [left, right]: readonly [Json, Json] = [JSON.parse(row.snapshot), JSON.parse(step.persisted.text)];
  const at = findFirstDifference(left, right);
  return { ...place, what: "snapshot", ...(at !== null && { at }), stored: left, replayed: right };
}

function createDifference(turn: LoggedRow | undefined, message: string): ReplayDifference {
  const place = { seq: turn?.seq ?? null, rev: turn?.rev ?? null, event: turn?.event.type ?? "" };
  return { ...place, what: "fault", stored: null, replayed: message };
}
