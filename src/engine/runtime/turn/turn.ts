/**
 * One turn of one task as a function from rows to rows: what comes in, what the machine makes of it, what is written.
 *
 * Invariants:
 * 1. Nothing here writes, waits or reads a clock: the caller commits the rows in one transaction, or throws them away.
 * 2. Ids derive from the task's id and revision, so the same turn taken twice writes the same rows.
 * 3. A fault of a machine (an unknown name, a throwing assign) is a `MachineFault`; nothing of its turn is kept.
 */

import { type AnyMachineSnapshot, initialTransition, transition } from "xstate";
import { readMessage } from "../../../core/json/read-message.ts";
import { hasEnded, isFinal } from "../../../core/task-states.ts";
import type { Store } from "../../ports/store.ts";
import type { TaskRow } from "../../ports/store-rows.ts";
import type { JournalWrite, Source, StartedRows, TurnRows } from "../../ports/turn-rows.ts";
import { maskEvent } from "../../vault/masking.ts";
import type { MachineEvent, RegisteredMachine } from "../effect.ts";
import { toNotifiedEvent } from "../notifications.ts";
import { tellChange } from "./child-news.ts";
import { persistSnapshot, restoreSnapshot } from "./persist-snapshot.ts";
import { buildTurn, wrapUp } from "./plan-turn.ts";
import { readActions } from "./turn-actions.ts";
import { MachineFault, requireMachine, type TurnContext } from "./turn-context.ts";
import { listCommands, readFacts } from "./turn-facts.ts";
import { createLogEntry } from "./turn-log.ts";

export interface Incoming {
  readonly event: MachineEvent;
  readonly source: Source | null;
  /** The task got on: the count of crashes starts again. */
  readonly progress: boolean;
  /** Open effects that end with it, by their ids. */
  readonly cancels?: readonly string[];
  /** Written in the turn's transaction. */
  readonly journal?: JournalWrite;
}

export interface TurnTaken {
  readonly taken: true;
  readonly row: TaskRow;
  readonly rows: TurnRows;
}

export interface TurnDropped {
  readonly taken: false;
  readonly reason: string;
  readonly rows: TurnRows;
}

/** The other task that holds the claim this row would hold; null when there is none. */
export function findOtherHolder(read: Pick<Store, "holder">, row: TaskRow): string | null {
  if (row.claim === null || hasEnded(row.facts.state)) return null;
  const holder = read.holder(row.claim);
  return holder === row.id ? null : holder;
}

/** Takes one event. Throws `MachineFault`. */
export function takeTurn(
  deps: TurnContext,
  row: TaskRow,
  incoming: Incoming,
  started?: StartedRows,
): TurnTaken | TurnDropped {
  const event = maskEvent(incoming.event, deps.mask);
  try {
    const registered = requireMachine(deps, row.machine);
    if (row.snapshot === null) {
      // retention let go of it
      if (isFinal(row.facts.state)) return dropTurn(deps, row, { ...incoming, event }, "the task has ended long ago");
      const [first, actions] = initialTransition(registered.machine, event["input"]);
      return takeEvent(deps, registered, row, { ...incoming, event }, first, actions, started);
    }
    const before = restoreSnapshot(registered, row.version, row.snapshot);
    const [after, actions] = transition(registered.machine, before, event);
    // A targetless transition that only asks for an effect leaves the very same snapshot too.
    if (after === before && actions.length === 0)
      return dropTurn(deps, row, { ...incoming, event }, describeRefusal(before));
    return takeEvent(deps, registered, row, { ...incoming, event }, after, actions, started);
  } catch (error) {
    throw error instanceof MachineFault ? error : new MachineFault(readMessage(error), { cause: error });
  }
}

/** Consumes an event without telling the machine; the log says why. */
function dropTurn(deps: TurnContext, row: TaskRow, incoming: Incoming, reason: string): TurnDropped {
  const entry = createLogEntry(deps, row, "task.dropped", incoming.event, { reason });
  const { source: consumed, journal } = incoming;
  return {
    taken: false,
    reason,
    rows: { ...createEmptyTurn(deps), log: [entry], consumed, ...(journal && { journal }) },
  };
}

/** A turn that writes nothing yet. */
export function createEmptyTurn(deps: Pick<TurnContext, "epoch" | "now">): TurnRows {
  return {
    epoch: deps.epoch,
    at: deps.now,
    tasks: [],
    log: [],
    consumed: null,
    effects: [],
    cancelled: [],
    timers: [],
    cleared: [],
    mail: [],
  };
}

function takeEvent(
  deps: TurnContext,
  registered: RegisteredMachine,
  before: TaskRow,
  incoming: Incoming,
  snapshot: AnyMachineSnapshot,
  actions: Parameters<typeof readActions>[0],
  started: StartedRows | undefined,
): TurnTaken {
  const persisted = persistSnapshot(registered, snapshot);
  const draft = buildTurn(deps, registered, before, readActions(actions));
  const { children, dropped, cleared, cancelled, effects, mail, notifications } = draft;
  if (snapshot.status !== "active") wrapUp(deps, before, draft);
  for (const id of incoming.cancels ?? []) draft.cancelled.add(id);
  const ended = incoming.source?.kind === "effect" ? incoming.source.id : null;
  if (ended !== null) draft.cancelled.delete(ended);
  const silent = before.silent === ended || cancelled.has(before.silent ?? "") ? null : before.silent;
  const timers = [...draft.timers.values()];
  const shownNow = { ...persisted, commands: listCommands(snapshot) };
  const row: TaskRow = {
    ...before,
    version: registered.version,
    rev: before.rev + 1,
    snapshot: persisted.text,
    facts: readFacts(deps, registered, before, shownNow, { set: timers, cleared }, silent !== null),
    updated: deps.now,
    crashCount: incoming.progress ? 0 : before.crashCount,
    silent,
    quarantine: null,
  };
  const shown = { digest: persisted.digest, children };
  const type = before.rev === 0 && before.parent === null ? "task.created" : "task.updated";
  return {
    taken: true,
    row,
    rows: {
      epoch: deps.epoch,
      at: deps.now,
      tasks: [{ expectedRev: before.rev, row }, ...children.map((child) => ({ expectedRev: 0, row: child }))],
      log: [
        createLogEntry(deps, row, type, incoming.event, shown),
        // A checkpoint needs no entry of its own to be seen: it is in its hook's.
        ...children
          .filter(({ kind }) => kind !== "checkpoint")
          .map((child) => createLogEntry(deps, child, "task.created", { type: "task.start", id: child.name })),
        ...notifications.map((told) => createLogEntry(deps, row, "task.notified", toNotifiedEvent(told), { children })),
        ...dropped.map(({ event, reason }) => createLogEntry(deps, row, "task.dropped", event, { ...shown, reason })),
      ],
      consumed: incoming.source,
      effects,
      cancelled: [...cancelled],
      timers,
      cleared: [...cleared].map((id) => ({ taskId: before.id, id })),
      mail: [...mail, ...tellChange(deps.read, before.facts.state, row)],
      ...(notifications.length > 0 && { notifications }),
      ...(incoming.journal && { journal: incoming.journal }),
      ...(started && { started }),
    },
  };
}

function describeRefusal(snapshot: AnyMachineSnapshot): string {
  return snapshot.status === "active"
    ? `state ${JSON.stringify(snapshot.value)} does not take it`
    : "the task has ended";
}
