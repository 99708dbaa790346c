/** The actions of one transition as the rows a turn will write. */
import { initialTransition } from "xstate";
import type { JsonObject } from "../../../core/json/json.ts";
import type { EffectRow, MailRow, Store, TaskRow, TimerRow } from "../../ports/store.ts";
import type { Mask } from "../../vault/masking.ts";
import type { EffectHandler, MachineEvent, RegisteredMachine, RuntimeEvent } from "../effect.ts";
import { childTaskId } from "../runtime.ts";
import { persistSnapshot } from "./persist-snapshot.ts";
import type { ChildRequest, TurnAction } from "./turn-actions.ts";
import { delayName, factsOf } from "./turn-facts.ts";

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

/** A fault of a machine or its registration: the task is quarantined. */
export class MachineFault extends Error {
  override readonly name = "MachineFault";
}

/** What the actions came to. */
export interface TurnDraft {
  readonly effects: EffectRow[];
  /** Ids of open effects that are no longer wanted. */
  readonly cancelled: Set<string>;
  readonly timers: Map<string, TimerRow>;
  readonly cleared: Set<string>;
  readonly mail: Omit<MailRow, "id">[];
  readonly children: TaskRow[];
  /** Actions that came to nothing, and why. */
  readonly dropped: { readonly event: MachineEvent; readonly reason: string }[];
}

/** The event a task's first turn takes. */
export function initEvent(input: JsonObject): MachineEvent {
  return { type: "xstate.init", input };
}

/** The machine a row runs on. Throws `MachineFault` where this build has none of that name. */
export function registeredMachine(scene: Pick<TurnScene, "registry">, id: string): RegisteredMachine {
  const registered = scene.registry[id];
  if (registered === undefined) throw new MachineFault(`this build has no machine "${id}"`);
  return registered;
}

/** Turns actions into rows, in order. */
export function draftTurn(
  scene: TurnScene,
  registered: RegisteredMachine,
  task: TaskRow,
  actions: readonly TurnAction[],
): TurnDraft {
  const draft: TurnDraft = {
    effects: [],
    cancelled: new Set(),
    timers: new Map(),
    cleared: new Set(),
    mail: [],
    children: [],
    dropped: [],
  };
  for (const action of actions) {
    switch (action.kind) {
      case "timer":
        draft.cleared.delete(action.id);
        draft.timers.set(action.id, timerRow(scene, registered, task.id, action));
        break;
      case "clear":
        draft.timers.delete(action.id);
        draft.cleared.add(action.id);
        break;
      case "cancel":
        for (const open of scene.read.openEffects(task.id)) {
          if (open.name === action.name) draft.cancelled.add(open.id);
        }
        break;
      case "effect":
        draftEffect(scene, task, draft, action);
        break;
      case "tell":
        draftTell(scene, task, draft, action);
        break;
      case "start":
        draftStart(scene, task, draft, action.child);
        break;
    }
  }
  return draft;
}

/** A finished task wants nothing it had running; only a request that changes the host is left to end. */
export function wrapUp(scene: TurnScene, task: TaskRow, draft: TurnDraft): void {
  for (const open of scene.read.openEffects(task.id)) {
    const { class: effectClass } = scene.handlers[open.name] ?? {};
    if (effectClass === "local" || effectClass === "read") draft.cancelled.add(open.id);
  }
  for (const timer of scene.read.timers(task.id)) draft.cleared.add(timer.id);
  draft.timers.clear();
}

function draftEffect(
  scene: TurnScene,
  task: TaskRow,
  draft: TurnDraft,
  { name, params }: { readonly name: string; readonly params: JsonObject },
): void {
  if (scene.handlers[name] === undefined) throw new MachineFault(`no effect handler "${name}"`);
  draft.effects.push({
    id: `${task.id}:${task.rev + 1}.${draft.effects.length}`,
    taskId: task.id,
    name,
    params,
    state: "intent",
    note: null,
    intendedAt: scene.now,
  });
}

function draftTell(
  scene: TurnScene,
  task: TaskRow,
  draft: TurnDraft,
  { to, event }: { readonly to: string; readonly event: MachineEvent },
): void {
  const id = to === "parent" ? task.parent : childTaskId(task.id, to);
  if (id !== null && isKnown(scene, draft, id)) {
    draft.mail.push({ to: id, event: { ...event, from: to === "parent" ? task.name : "parent" } });
  } else {
    draft.dropped.push({ event, reason: `no task "${to}" to tell` });
  }
}

function draftStart(scene: TurnScene, task: TaskRow, draft: TurnDraft, request: ChildRequest): void {
  const child = childRow(scene, task, request);
  const holder = claimHolder(scene, draft, child.claim);
  if (isKnown(scene, draft, child.id)) {
    const event = { type: "task.start", id: child.name };
    draft.dropped.push({ event, reason: `child "${child.name}" exists already` });
  } else if (holder !== null) {
    draft.mail.push({ to: task.id, event: { type: "task.refused", id: child.name, holder } satisfies RuntimeEvent });
  } else {
    draft.children.push(child);
    draft.mail.push({ to: child.id, event: initEvent(JSON.parse(JSON.stringify(request.input))) });
  }
}

function isKnown(scene: TurnScene, draft: TurnDraft, id: string): boolean {
  return draft.children.some((child) => child.id === id) || scene.read.task(id) !== null;
}

function claimHolder(scene: TurnScene, draft: TurnDraft, claim: string | null): string | null {
  if (claim === null) return null;
  return draft.children.find((child) => child.claim === claim)?.id ?? scene.read.holder(claim);
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
