/**
 * One turn of one task as a function from rows to rows: what comes in, what the machine makes of it, what is written.
 *
 * Invariants:
 * 1. Nothing here writes, waits or reads a clock: the caller commits the rows in one transaction, or throws them away.
 * 2. Ids derive from the task's id and revision, so the same turn taken twice writes the same rows.
 * 3. A fault of a machine (an unknown name, a throwing assign) is a `MachineFault`; nothing of its turn is kept.
 */
import { type AnyMachineSnapshot, initialTransition } from "xstate";
import type { JsonObject } from "../core/json.ts";
import type { TaskState } from "./api.ts";
import type { EffectHandler, MachineEvent, RegisteredMachine } from "./effect.ts";
import { type Mask, maskEvent } from "./masking.ts";
import type { EffectRow, MailRow, Source, StartedRows, Store, TaskRow, TimerRow, TurnRows } from "./ports/store.ts";
import { childTaskId } from "./runtime.ts";
import { persistSnapshot, restoreSnapshot } from "./snapshots.ts";
import { nextTransition } from "./transition.ts";
import { type ChildRequest, readActions } from "./turn-actions.ts";
import { delayName, factsOf } from "./turn-facts.ts";
import { logEntry } from "./turn-log.ts";

/** What a turn may know besides the row and the event. */
export interface TurnScene {
  readonly registry: Readonly<Record<string, RegisteredMachine>>;
  readonly handlers: Readonly<Record<string, EffectHandler>>;
  readonly read: Pick<Store, "children" | "holder" | "openEffects" | "task" | "timers">;
  readonly epoch: number;
  /** UTC ms. */
  readonly now: number;
  readonly mask: Mask;
}

export interface Incoming {
  readonly event: MachineEvent;
  readonly source: Source | null;
  /** The task got on: the count of crashed lives starts again. */
  readonly progress: boolean;
}

/** A fault of a machine or its registration: the task is quarantined. */
export class MachineFault extends Error {
  override readonly name = "MachineFault";
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

const FINAL: ReadonlySet<TaskState> = new Set(["COMPLETED", "SKIPPED", "DISMISSED", "CANCELLED"]);

/** Tells whether a state is left by nothing (decisions.md 3). */
export function isFinal(state: TaskState): boolean {
  return FINAL.has(state);
}

/** Tells whether a task in this state keeps its claim: not when it ended, not while it rests FAILED. */
function holdsClaim(state: TaskState): boolean {
  return state !== "FAILED" && !isFinal(state);
}

/** The other task that holds the claim this row would hold; null when there is none. */
export function claimedByOther(read: Pick<Store, "holder">, row: TaskRow): string | null {
  if (row.claim === null || !holdsClaim(row.facts.state)) return null;
  const holder = read.holder(row.claim);
  return holder === row.id ? null : holder;
}

/** The event a task's first turn takes. */
export function initEvent(input: JsonObject): MachineEvent {
  return { type: "xstate.init", input };
}

/** Takes one event. Throws `MachineFault`. */
export function takeTurn(
  scene: TurnScene,
  row: TaskRow,
  incoming: Incoming,
  started?: StartedRows,
): TurnTaken | TurnDropped {
  const event = maskEvent(incoming.event, scene.mask);
  try {
    const registered = registeredMachine(scene, row.machine);
    if (row.snapshot === null) {
      const [first, actions] = initialTransition(registered.machine, event["input"]);
      return taken(scene, registered, row, { ...incoming, event }, first, actions, started);
    }
    const before = restoreSnapshot(registered, row.version, row.snapshot);
    const [after, actions] = nextTransition(registered.machine, before, event);
    // A targetless transition that only asks for an effect leaves the very same snapshot too.
    if (after === before && actions.length === 0) return dropTurn(scene, row, { ...incoming, event }, refusal(before));
    return taken(scene, registered, row, { ...incoming, event }, after, actions, started);
  } catch (error) {
    throw error instanceof MachineFault ? error : new MachineFault(messageOf(error), { cause: error });
  }
}

/** Consumes an event without telling the machine; the log says why. */
function dropTurn(scene: TurnScene, row: TaskRow, incoming: Incoming, reason: string): TurnDropped {
  const entry = logEntry(scene, row, "task.dropped", incoming.event, { reason });
  return { taken: false, reason, rows: { ...emptyTurn(scene), log: [entry], consumed: incoming.source } };
}

/** A turn that writes nothing yet. */
export function emptyTurn(scene: Pick<TurnScene, "epoch" | "now">): TurnRows {
  return {
    epoch: scene.epoch,
    at: scene.now,
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

function taken(
  scene: TurnScene,
  registered: RegisteredMachine,
  before: TaskRow,
  incoming: Incoming,
  snapshot: AnyMachineSnapshot,
  actions: Parameters<typeof readActions>[0],
  started: StartedRows | undefined,
): TurnTaken {
  const persisted = persistSnapshot(registered, snapshot);
  const rev = before.rev + 1;
  const effects: EffectRow[] = [];
  const timers = new Map<string, TimerRow>();
  const cleared = new Set<string>();
  const cancelled = new Set<string>();
  const mail: Omit<MailRow, "id">[] = [];
  const children: TaskRow[] = [];
  const notes: { readonly event: MachineEvent; readonly reason: string }[] = [];

  for (const action of readActions(actions)) {
    switch (action.kind) {
      case "timer":
        cleared.delete(action.id);
        timers.set(action.id, timerRow(scene, registered, before.id, action));
        break;
      case "clear":
        timers.delete(action.id);
        cleared.add(action.id);
        break;
      case "effect":
        if (scene.handlers[action.name] === undefined) throw new MachineFault(`no effect handler "${action.name}"`);
        effects.push({
          id: `${before.id}:${rev}.${effects.length}`,
          taskId: before.id,
          name: action.name,
          params: action.params,
          state: "intent",
          note: null,
          intendedAt: scene.now,
        });
        break;
      case "cancel":
        for (const open of scene.read.openEffects(before.id)) if (open.name === action.name) cancelled.add(open.id);
        break;
      case "tell": {
        const to = action.to === "parent" ? before.parent : childTaskId(before.id, action.to);
        const known = to !== null && (scene.read.task(to) ?? children.find((child) => child.id === to));
        if (known) {
          mail.push({
            to: known.id,
            event: { ...action.event, from: action.to === "parent" ? before.name : "parent" },
          });
        } else {
          notes.push({ event: action.event, reason: `no task "${action.to}" to tell` });
        }
        break;
      }
      case "start": {
        const child = childRow(scene, before, action.child);
        const holder = child.claim === null ? null : scene.read.holder(child.claim);
        if (scene.read.task(child.id) ?? children.find((other) => other.id === child.id)) {
          notes.push({ event: { type: "task.start", id: child.name }, reason: `child "${child.name}" exists already` });
        } else if (holder !== null) {
          mail.push({ to: before.id, event: { type: "task.refused", id: child.name, holder } });
        } else {
          children.push(child);
          mail.push({ to: child.id, event: initEvent(jsonObject(action.child.input)) });
        }
        break;
      }
    }
  }
  if (snapshot.status !== "active") {
    // What a finished task still had running is no longer wanted; a request that changes the host is left to end.
    for (const open of scene.read.openEffects(before.id)) {
      const kept = scene.handlers[open.name]?.class;
      if (kept === "local" || kept === "read") cancelled.add(open.id);
    }
    for (const timer of scene.read.timers(before.id)) cleared.add(timer.id);
    timers.clear();
  }
  if (incoming.source?.kind === "effect") cancelled.delete(incoming.source.id);

  const row: TaskRow = {
    ...before,
    version: registered.version,
    rev,
    snapshot: persisted.text,
    facts: factsOf(scene, registered, before, persisted, { set: [...timers.values()], cleared }),
    updated: scene.now,
    lives: incoming.progress ? 0 : before.lives,
    quarantine: null,
  };
  const { digest } = persisted;
  const firstOfRoot = before.rev === 0 && before.parent === null;
  return {
    taken: true,
    row,
    rows: {
      epoch: scene.epoch,
      at: scene.now,
      tasks: [{ expectedRev: before.rev, row }, ...children.map((child) => ({ expectedRev: 0, row: child }))],
      log: [
        logEntry(scene, row, firstOfRoot ? "task.created" : "task.updated", incoming.event, { digest, children }),
        ...children
          .filter((child) => child.kind !== "checkpoint")
          .map((child) => logEntry(scene, child, "task.created", { type: "task.start", id: child.name })),
        ...notes.map(({ event, reason }) => logEntry(scene, row, "task.dropped", event, { digest, children, reason })),
      ],
      consumed: incoming.source,
      effects,
      cancelled: [...cancelled],
      timers: [...timers.values()],
      cleared: [...cleared].map((id) => ({ taskId: before.id, id })),
      mail,
      ...(started && { started }),
    },
  };
}

function registeredMachine(scene: TurnScene, id: string): RegisteredMachine {
  const registered = scene.registry[id];
  if (registered === undefined) throw new MachineFault(`this build has no machine "${id}"`);
  return registered;
}

function timerRow(
  scene: TurnScene,
  registered: RegisteredMachine,
  taskId: string,
  timer: { readonly id: string; readonly event: MachineEvent; readonly delay: number },
): TimerRow {
  const active = registered.activeDelays?.includes(delayName(timer.id)) ?? false;
  return { taskId, id: timer.id, event: timer.event, dueAt: scene.now + timer.delay, delay: timer.delay, active };
}

function childRow(scene: TurnScene, parent: TaskRow, request: ChildRequest): TaskRow {
  const registered = registeredMachine(scene, request.machine);
  const row: TaskRow = {
    id: childTaskId(parent.id, request.id),
    root: parent.root,
    parent: parent.id,
    name: request.id,
    kind: request.kind,
    appId: request.appId,
    hookId: request.hookId ?? null,
    target: request.target ?? null,
    claim: request.claim ?? null,
    machine: request.machine,
    version: registered.version,
    rev: 0,
    snapshot: null,
    facts: { state: "PENDING", label: request.id, progress: 0, marks: [] },
    created: scene.now,
    updated: scene.now,
    lives: 0,
    quarantine: null,
  };
  // Only to show the child's label before its first turn; that turn computes the same snapshot again.
  const [first] = initialTransition(registered.machine, request.input);
  const facts = factsOf(scene, registered, row, persistSnapshot(registered, first), { set: [], cleared: new Set() });
  return { ...row, facts: { ...row.facts, label: facts.label } };
}

function refusal(snapshot: AnyMachineSnapshot): string {
  return snapshot.status === "active"
    ? `state ${JSON.stringify(snapshot.value)} does not take it`
    : "the task has ended";
}

function jsonObject(value: Readonly<Record<string, unknown>>): JsonObject {
  return JSON.parse(JSON.stringify(value));
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
