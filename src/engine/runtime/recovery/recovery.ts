/** Goes on with tasks an earlier life left, and sets aside those that can't be loaded. */

import { NOT_RESUMABLE, withoutEntry } from "../../../../machines/hook-task/context.ts";
import { EngineError } from "../../../core/codes/problems.ts";
import { readMessage } from "../../../core/json/read-message.ts";
import { advanceSteps } from "../../../core/task/steps.ts";
import { isFinal } from "../../../core/task-states.ts";
import type { Deed } from "../../audit/deed.ts";
import type { TaskRow, TimerRow } from "../../ports/store-rows.ts";
import type { TurnRows } from "../../ports/turn-rows.ts";
import { countQuarantined } from "../count-quarantined.ts";
import type { MachineEvent, RegisteredMachine } from "../effect.ts";
import type { RuntimeOptions } from "../runtime.ts";
import { tellParent, tellThawed } from "../turn/child-news.ts";
import { persistSnapshot, restoreSnapshot } from "../turn/persist-snapshot.ts";
import { signTurn } from "../turn/sign-turn.ts";
import { createEmptyTurn } from "../turn/turn.ts";
import { requireMachine } from "../turn/turn-context.ts";
import { createLogEntry } from "../turn/turn-log.ts";
import type { TurnLoop } from "../turn/turn-loop.ts";
import { freezeRecipients, isLeftToPerson, leaveToPerson } from "./older-copy.ts";

/** Unclean ends without progress after which nothing is repeated by itself. */
const MAX_CRASHES = 5;

type RecoveryOptions = Pick<RuntimeOptions, "store" | "registry" | "handlers" | "clock">;

/** Loads every unfinished task, takes over its timers and its open effects. */
export function recoverTasks(options: RecoveryOptions, loop: TurnLoop): { resumed: number; quarantined: number } {
  const { store } = options;
  if (store.opened.rolledBack) freezeRecipients(store, loop);
  const unfinished = store.unfinished();
  const runnable = unfinished.flatMap((row) => (row.quarantine === null ? (load(options, loop, row) ?? []) : []));
  // What a task did last may still be under way when it has ended itself.
  const going = new Set(unfinished.map(({ id }) => id));
  const lastEffects = store.openEffects().filter(({ taskId }) => !going.has(taskId));
  const grown = store.takeGrownJournals();
  if (store.opened.after === "unclean") countCrashes(options, runnable, grown);
  const ids = new Set(runnable.map(({ id }) => id));
  resumeTimers(
    options,
    loop,
    store.timers().filter(({ taskId }) => ids.has(taskId)),
    store.opened.lastAlive,
  );
  for (const id of [...ids, ...new Set(lastEffects.map(({ taskId }) => taskId))]) {
    resumeEffects(options, loop, id);
  }
  if (store.opened.rolledBack) store.noteRecovered();
  return {
    resumed: new Set(runnable.map(({ root }) => root)).size,
    quarantined: countQuarantined(
      store,
      unfinished.filter(({ id }) => !ids.has(id)),
    ),
  };
}

/** Takes a task out of quarantine and, where it loads now, drives it on. */
export function releaseTask(
  options: RecoveryOptions,
  loop: TurnLoop,
  row: TaskRow,
  event: MachineEvent,
  deed?: Deed,
): void {
  const deps = loop.depsOf(row.root);
  const released: TaskRow = { ...row, quarantine: null, crashCount: 0, updated: deps.now };
  const rows: TurnRows = {
    ...createEmptyTurn(deps),
    tasks: [{ expectedRev: row.rev, row: released }],
    log: [createLogEntry(deps, released, "task.released", event)],
    mail: tellThawed(options.store, released),
  };
  loop.commit(signTurn(rows, row, deed));
  if (load(options, loop, released) === null) return;
  resumeTimers(options, loop, options.store.timers(row.id), null);
  resumeEffects(options, loop, row.id);
}

/** Ends a task whose machine can't be asked; its children are told to cancel, its parent that it is gone. */
export function dismissQuarantinedTask(
  options: RecoveryOptions,
  loop: TurnLoop,
  row: TaskRow,
  event: MachineEvent,
  deed?: Deed,
): void {
  const { store } = options;
  const deps = loop.depsOf(row.root);
  const { waitingFor: _waitingFor, doing: _doing, ...facts } = row.facts;
  const steps = advanceSteps(
    facts.steps,
    { steps: facts.steps, at: null },
    "DISMISSED",
    new Date(deps.now).toISOString(),
  );
  const ended: TaskRow = {
    ...row,
    facts: { ...facts, state: "DISMISSED", commands: [], steps, marks: withoutEntry(facts.marks, NOT_RESUMABLE) },
    silent: null,
    updated: deps.now,
  };
  const children = store.children(row.id).filter((child) => !isFinal(child.facts.state));
  const rows: TurnRows = {
    ...createEmptyTurn(deps),
    tasks: [{ expectedRev: row.rev, row: ended }],
    log: [createLogEntry(deps, ended, "task.dismissed", event)],
    cancelled: store.openEffects(row.id).map(({ id }) => id),
    cleared: store.timers(row.id),
    mail: [
      ...children.map((child) => ({ to: child.id, event: { type: "parent.cancel", from: "parent" } })),
      ...tellParent(store, ended, "DISMISSED", ended.facts.marks),
    ],
  };
  loop.commit(signTurn(rows, row, deed));
}

/** The row as this build can go on with it, or null: a task it can't go on with is quarantined, never deleted. */
function load(options: RecoveryOptions, loop: TurnLoop, row: TaskRow): TaskRow | null {
  try {
    const registered = requireMachine(options, row.machine);
    if (row.snapshot === null) return row;
    const restored = restoreSnapshot(registered, row.version, row.snapshot);
    if (row.version === registered.version) return row;
    return migrateRow(options, registered, row, persistSnapshot(registered, restored).text);
  } catch (error) {
    if (error instanceof EngineError) throw error;
    const reason = readMessage(error);
    loop.quarantine(row, "TASK_QUARANTINED", reason, { type: "engine.load" });
    return null;
  }
}

/** Writes a migrated snapshot together with its running timers, whose ids hold the names the migration changed. */
function migrateRow(
  { store, clock }: RecoveryOptions,
  registered: RegisteredMachine,
  row: TaskRow,
  snapshot: string,
): TaskRow {
  const migrated: TaskRow = { ...row, version: registered.version, snapshot };
  const renamed = store.timers(row.id).flatMap((timer) => {
    const id = resolveTimerName(registered, row.version, timer.id);
    return id === timer.id ? [] : [{ old: timer, timer: { ...timer, id, event: { ...timer.event, type: id } } }];
  });
  store.commit({
    ...createEmptyTurn({ epoch: store.opened.epoch, now: clock.now() }),
    tasks: [{ expectedRev: row.rev, row: migrated }],
    cleared: renamed.map(({ old }) => old),
    timers: renamed.map(({ timer }) => timer),
  });
  return migrated;
}

function resolveTimerName({ version, renamedTimers }: RegisteredMachine, from: number, id: string): string {
  let name = id;
  for (let at = from; at < version; at += 1) name = renamedTimers?.[at]?.[name] ?? name;
  return name;
}

/**
 * One more life ended while these tasks had something running; those that wait for a person are under no suspicion. A
 * journal that has grown is progress: that life is the first without any.
 */
function countCrashes({ store, clock }: RecoveryOptions, rows: readonly TaskRow[], grown: ReadonlySet<string>): void {
  const running = new Set(store.openEffects().map(({ taskId }) => taskId));
  const tasks = rows
    .filter(({ id, facts }) => running.has(id) && facts.state === "RUNNING")
    .map((row) => ({
      expectedRev: row.rev,
      row: { ...row, crashCount: (grown.has(row.id) ? 0 : row.crashCount) + 1 },
    }));
  if (tasks.length > 0) store.commit({ ...createEmptyTurn({ epoch: store.opened.epoch, now: clock.now() }), tasks });
}

function resumeTimers(
  { store, clock }: RecoveryOptions,
  loop: TurnLoop,
  rows: readonly TimerRow[],
  lastAlive: number | null,
): void {
  // The time that is lost counts for nobody's deadline: nobody could see the question.
  const moved = loop.timers.resume(rows, lastAlive, store.opened.rolledBack);
  if (moved.length === 0) return;
  store.commit({ ...createEmptyTurn({ epoch: store.opened.epoch, now: clock.now() }), timers: moved });
}

function resumeEffects({ store, handlers }: RecoveryOptions, loop: TurnLoop, taskId: string): void {
  for (const effect of store.openEffects(taskId)) {
    const row = store.task(taskId);
    if (row === null || row.quarantine !== null) return;
    const handler = handlers[effect.name];
    const changesHost = handler?.class === "create" || handler?.class === "mutate";
    if (isLeftToPerson(effect, handler)) {
      leaveToPerson(effect, row, loop);
    } else if (row.crashCount < MAX_CRASHES) {
      loop.dispatcher.resume(effect);
    } else if (changesHost) {
      loop.dispatcher.resume(effect, () => loop.reportCrashLoop(taskId));
    } else {
      loop.reportCrashLoop(taskId);
    }
  }
}
