/** The actions of one transition as the rows a turn will write. */
import { initialTransition } from "xstate";
import type { JsonObject } from "../../../core/json/json.ts";
import type { EffectRow, MailRow, NotificationRow, TaskRow, TimerRow } from "../../ports/store-rows.ts";
import type { MachineEvent, RegisteredMachine } from "../effect.ts";
import { createTaskRow } from "../new-task.ts";
import { toChildTaskId } from "../runtime.ts";
import { createChildChanged } from "./child-news.ts";
import { persistSnapshot } from "./persist-snapshot.ts";
import type { ChildRequest, TurnAction } from "./turn-actions.ts";
import { MachineFault, requireMachine, type TurnContext } from "./turn-context.ts";
import { readDelayName, readFacts } from "./turn-facts.ts";

/** The rows a transition's actions came to. */
export interface TurnPlan {
  readonly effects: EffectRow[];
  /** Ids of open effects that are no longer wanted. */
  readonly cancelled: Set<string>;
  readonly timers: Map<string, TimerRow>;
  readonly cleared: Set<string>;
  readonly mail: Omit<MailRow, "id">[];
  readonly children: TaskRow[];
  readonly notifications: NotificationRow[];
  /** Actions that came to nothing, and why. */
  readonly dropped: { readonly event: MachineEvent; readonly reason: string }[];
}

/** The event a task's first turn takes. */
export function initEvent(input: JsonObject): MachineEvent {
  return { type: "xstate.init", input };
}

/** Turns actions into rows, in order. */
export function buildTurn(
  deps: TurnContext,
  registered: RegisteredMachine,
  task: TaskRow,
  actions: readonly TurnAction[],
): TurnPlan {
  const draft: TurnPlan = {
    effects: [],
    cancelled: new Set(),
    timers: new Map(),
    cleared: new Set(),
    mail: [],
    children: [],
    notifications: [],
    dropped: [],
  };
  for (const action of actions) {
    switch (action.kind) {
      case "timer":
        draft.cleared.delete(action.id);
        draft.timers.set(action.id, createTimerRow(deps, registered, task.id, action));
        break;
      case "clear":
        draft.timers.delete(action.id);
        draft.cleared.add(action.id);
        break;
      case "cancel":
        for (const open of deps.read.openEffects(task.id)) {
          if (action.name === null || open.name === action.name) draft.cancelled.add(open.id);
        }
        break;
      case "effect":
        draftEffect(deps, task, draft, action);
        break;
      case "tell":
        draftTell(deps, task, draft, action);
        break;
      case "notify":
        for (const notice of action.notifications) {
          const id = `${task.id}.${draft.notifications.length}`;
          draft.notifications.push({ ...notice, id, at: deps.now, taskId: task.id, readAt: null });
        }
        break;
      case "start":
        draftStart(deps, task, draft, action.child);
        break;
    }
  }
  return draft;
}

/** A finished task wants nothing it had running; only a request that changes the host is left to end. */
export function wrapUp(deps: TurnContext, task: TaskRow, draft: TurnPlan): void {
  for (const open of deps.read.openEffects(task.id)) {
    const { class: effectClass } = deps.handlers[open.name] ?? {};
    if (effectClass === "local" || effectClass === "read") draft.cancelled.add(open.id);
  }
  for (const timer of deps.read.timers(task.id)) draft.cleared.add(timer.id);
  draft.timers.clear();
}

function draftEffect(
  deps: TurnContext,
  task: TaskRow,
  draft: TurnPlan,
  { name, params }: { readonly name: string; readonly params: JsonObject },
): void {
  if (deps.handlers[name] === undefined) throw new MachineFault(`no effect handler "${name}"`);
  draft.effects.push({
    id: `${task.id}:${task.rev + 1}.${draft.effects.length}`,
    taskId: task.id,
    name,
    params,
    state: "intent",
    note: null,
    intendedAt: deps.now,
  });
}

function draftTell(
  deps: TurnContext,
  task: TaskRow,
  draft: TurnPlan,
  { to, event }: { readonly to: string; readonly event: MachineEvent },
): void {
  const id = to === "parent" ? task.parent : toChildTaskId(task.id, to);
  if (id !== null && isKnown(deps, draft, id)) {
    draft.mail.push({ to: id, event: { ...event, from: to === "parent" ? task.name : "parent" } });
  } else {
    draft.dropped.push({ event, reason: `no task "${to}" to tell` });
  }
}

function draftStart(deps: TurnContext, task: TaskRow, draft: TurnPlan, request: ChildRequest): void {
  const child = createChildRow(deps, task, request);
  const holder = claimHolder(deps, draft, child.claim);
  if (isKnown(deps, draft, child.id)) {
    const event = { type: "task.start", id: child.name };
    draft.dropped.push({ event, reason: `child "${child.name}" exists already` });
  } else if (holder !== null) {
    draft.mail.push({ to: task.id, event: createChildChanged(child.name, "REFUSED", [`refused: ${child.name}`]) });
  } else {
    draft.children.push(child);
    draft.mail.push({ to: child.id, event: initEvent(JSON.parse(JSON.stringify(request.input))) });
  }
}

function isKnown(deps: TurnContext, draft: TurnPlan, id: string): boolean {
  return draft.children.some((child) => child.id === id) || deps.read.task(id) !== null;
}

function claimHolder(deps: TurnContext, draft: TurnPlan, claim: string | null): string | null {
  if (claim === null) return null;
  return draft.children.find((child) => child.claim === claim)?.id ?? deps.read.holder(claim);
}

function createTimerRow(
  deps: TurnContext,
  registered: RegisteredMachine,
  taskId: string,
  timer: { readonly id: string; readonly event: MachineEvent; readonly delay: number },
): TimerRow {
  const active = registered.activeDelays?.includes(readDelayName(timer.id)) ?? false;
  return { taskId, id: timer.id, event: timer.event, dueAt: deps.now + timer.delay, delay: timer.delay, active };
}

function createChildRow(deps: TurnContext, parent: TaskRow, request: ChildRequest): TaskRow {
  const registered = requireMachine(deps, request.machine);
  const { id: name } = request;
  const place = { id: toChildTaskId(parent.id, name), root: parent.root, parent: parent.id, name };
  const row = createTaskRow(place, request, { version: registered.version, label: name, now: deps.now });
  // Only to show the child's label before its first turn; that turn computes the same snapshot again.
  const [first] = initialTransition(registered.machine, request.input);
  const shown = { ...persistSnapshot(registered, first), commands: [] };
  const { label, title } = readFacts(deps, registered, row, shown, { set: [], cleared: new Set() });
  return { ...row, facts: { ...row.facts, label, title } };
}
