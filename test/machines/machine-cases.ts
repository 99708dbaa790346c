/** For each machine: what it may be started with and every event it can get, as the path tests go through them. */
import type { AnyMachineSnapshot, AnyStateMachine } from "xstate";
import { adoptMachine } from "../../machines/adopt/machine.ts";
import type { AdoptInput } from "../../machines/adopt/types.ts";
import { checkpointMachine } from "../../machines/checkpoint/machine.ts";
import { hookTaskMachine } from "../../machines/hook-task/machine.ts";
import type { HookTaskInput } from "../../machines/hook-task/types.ts";
import { importMachine } from "../../machines/import/machine.ts";
import type { ImportInput } from "../../machines/import/types.ts";
import { installMachine } from "../../machines/install/machine.ts";
import type { InstallInput } from "../../machines/install/types.ts";
import { listUnendedChildren } from "../../machines/lifecycle/children.ts";
import type { LifecycleContext } from "../../machines/lifecycle/context.ts";
import type { PlannedChild } from "../../machines/lifecycle/planned-child.ts";
import { restartMachine } from "../../machines/restart/machine.ts";
import { rollbackMachine } from "../../machines/rollback/machine.ts";
import type { RollbackInput } from "../../machines/rollback/types.ts";
import { startMachine } from "../../machines/start/machine.ts";
import type { StartInput } from "../../machines/start/types.ts";
import { stopMachine } from "../../machines/stop/machine.ts";
import { uninstallMachine } from "../../machines/uninstall/machine.ts";
import type { UninstallInput } from "../../machines/uninstall/types.ts";
import { updateMachine } from "../../machines/update/machine.ts";
import type { UpdateInput } from "../../machines/update/types.ts";
import { upgradeMachine } from "../../machines/upgrade/machine.ts";
import type { UpgradeInput } from "../../machines/upgrade/types.ts";
import { upgradeAllMachine } from "../../machines/upgrade-all/machine.ts";
import type { UpgradeAllInput } from "../../machines/upgrade-all/types.ts";
import { createReplayDivergedFailure, NOT_RUNNING } from "../../src/core/task/task-failures.ts";

/** An event as the path tests send it. */
export interface CaseEvent {
  readonly type: string;
  readonly [key: string]: unknown;
}

export interface MachineCase {
  readonly name: string;
  readonly machine: AnyStateMachine;
  readonly input: unknown;
  readonly events: readonly CaseEvent[];
  /** States are the same when this is: the value and what guards look at. */
  readonly same: (snapshot: AnyMachineSnapshot) => string;
}

const failure = { code: "TASK_HOOK_FAILED", message: "no", context: [], retryable: true };
const engineEvents = [{ type: "engine.failed", failure, done: "unknown" }];

const hookInput: HookTaskInput = {
  appId: "demo",
  hookId: "setup",
  event: "onAfterInstall",
  title: "Set up",
  runningTitle: "Setting up",
  waitsForTurn: true,
  kind: "hook",
  conditional: false,
  onFailure: "ask",
  onInputTimeout: "stay",
  requiredBefore: false,
  retries: 1,
  timeoutMs: 1000,
  inputDeadlineMs: 1000,
};

const report = (type: string, more: object = {}) => ({ type, checkpoint: "one", message: null, ...more });
const authorization = { status: "open", url: "https://x", code: "AB", expiresAt: "2026-01-01T00:00:00.000Z" };

const hookEvents: readonly CaseEvent[] = [
  ...["parent.start", "parent.cancel", "user.retry", "user.skip", "user.cancel", "user.dismiss"].map((type) => ({
    type,
  })),
  { type: "user.input", given: ["name"] },
  { type: "inputs.complete" },
  {
    type: "inputs.missing",
    missing: [
      { id: "name", type: "question", declared: {} },
      { id: "token", type: "oauth", declared: {} },
    ],
  },
  { type: "inputs.missing", missing: [{ id: "name", type: "question", declared: {} }] },
  { type: "oauth.opened", input: "token", authorization },
  { type: "oauth.granted", input: "token" },
  { type: "oauth.failed", input: "token", authorization: { status: "failed", failure } },
  { type: "oauth.ended" },
  { type: "conditions.met" },
  { type: "conditions.unmet", failure },
  { type: "host.apps.pending", reasons: ['"other" is not installed'] },
  { type: "host.apps.running" },
  { type: "host.apps.never", failure },
  { type: "notify.done" },
  { type: "xstate.after.startDeadline.hook-task.ACTIVE.WAITING_APPS" },
  { type: "run.started" },
  { type: "run.delayed" },
  { type: "run.resumed", ranMs: 20 },
  { type: "run.uncertain", request: { call: 1, method: "POST", url: "http://192.168.1.2:8096/api", at: 0 }, ranMs: 30 },
  { type: "run.diverged", failure: createReplayDivergedFailure("call 3 is another") },
  { type: "run.notResumable", reason: "more than 2000 calls" },
  { type: "run.completed" },
  { type: "run.failed", failure },
  { type: "run.answered" },
  report("script.registered"),
  report("script.message"),
  report("script.completed", { percent: null }),
  report("script.skipped"),
  report("script.failed", { failure, ranMs: 10 }),
  { type: "script.progress", percent: 40 },
  ...engineEvents,
  { type: "xstate.after.inputDeadline.hook-task.ACTIVE.AWAITING_INPUT.OPEN" },
  { type: "xstate.after.timeLeft.hook-task.ACTIVE.EXECUTING.SCRIPT" },
];

const hookSame = ({ value, context }: AnyMachineSnapshot) =>
  JSON.stringify([
    value,
    context.attempt,
    context.admitted,
    context.missing.map(({ id }: { readonly id: string }) => id),
    context.registered,
    context.failedCheckpoint,
    context.request !== null,
  ]);

const hookCase = (name: string, input: Partial<HookTaskInput>): MachineCase => ({
  name: `hook-task, ${name}`,
  machine: hookTaskMachine,
  input: { ...hookInput, ...input },
  // A button has no parent.
  events: input.event === "userAction" ? hookEvents.filter(({ type }) => !type.startsWith("parent.")) : hookEvents,
  same: hookSame,
});

const child = (id: string, phase: PlannedChild["phase"]): PlannedChild => ({
  id,
  phase,
  machine: "hook-task",
  kind: phase === "link" ? "link" : "hook",
  appId: "demo",
  hookId: id,
  input: { ...hookInput, hookId: id },
});

const childEvents = (ids: readonly string[], hasParent: boolean): readonly CaseEvent[] => [
  ...ids.flatMap((from) => [
    { type: "child.changed", from, state: "COMPLETED", marks: [] },
    { type: "child.changed", from, state: "AWAITING_RETRY", marks: [] },
    { type: "child.changed", from, state: "RUNNING", marks: [] },
    { type: "child.changed", from, state: "QUARANTINED", marks: [`quarantined: ${from}`] },
    { type: "child.changed", from, state: "REFUSED", marks: [`refused: ${from}`] },
  ]),
  ...["user.cancel", "user.retry", "user.dismiss"].map((type) => ({ type })),
  ...(hasParent ? ["parent.start", "parent.cancel"].map((type) => ({ type })) : []),
  ...engineEvents,
];

const callEvents: readonly CaseEvent[] = [
  { type: "host.done", snapshots: ["tank@a"], directories: ["/mnt/tank/apps/demo"], marks: [] },
  { type: "host.failed", failure, done: false },
  { type: "host.app.progress", percent: 50 },
];
const startEvents: readonly CaseEvent[] = [
  { type: "host.app.seen", state: "DEPLOYING" },
  { type: "app.running" },
  { type: "app.crashed" },
];

const parentSame = (snapshot: AnyMachineSnapshot) => {
  const context: LifecycleContext = snapshot.context;
  const { children, ending, app, calling, failure } = context;
  const left = listUnendedChildren(context).map(({ id }) => [id, id in children]);
  return JSON.stringify([snapshot.value, left, ending, app, calling, failure !== null]);
};

/** A failure of the wait leads elsewhere than another. */
const startSame = (snapshot: AnyMachineSnapshot) =>
  JSON.stringify([
    parentSame(snapshot),
    snapshot.context.isDown === true,
    snapshot.context.failure?.code === NOT_RUNNING,
  ]);

const installInput: InstallInput = {
  appId: "demo",
  title: "Demo",
  waitsForTurn: false,
  children: [child("b", "onBeforeInstall"), child("a", "onAfterInstall"), child("link.demo.connect", "link")],
  marks: [],
  runningDeadlineMs: 1000,
};

const installEvents = (ids: readonly string[], hasParent: boolean): readonly CaseEvent[] => [
  ...callEvents,
  ...startEvents,
  ...childEvents(ids, hasParent),
  { type: "xstate.after.runningDeadline.install.RUNNING.STARTING" },
];

const upgradeInput: UpgradeInput = {
  appId: "demo",
  title: "Demo",
  children: [child("b", "onBeforeUpgrade"), child("a", "onAfterUpgrade")],
  marks: [],
  runningDeadlineMs: 1000,
};

/** What only the end of the wait for the new version leads to. */
const UPGRADE_CHOICES: readonly CaseEvent[] = [
  { type: "xstate.after.runningDeadline.upgrade.RUNNING.STARTING" },
  { type: "xstate.after.runningDeadline.upgrade.RUNNING.RESTARTED" },
  { type: "user.skip" },
  { type: "user.rollback" },
];

const upgradeAllInput: UpgradeAllInput = {
  appId: "",
  title: "Upgrade all apps",
  children: [child("demo", "upgrade")],
  marks: [],
};

/** A parent without calls of its own takes no failure of the engine. Several apps: test/engine/upgrade/upgrade-all.test.ts. */
const upgradeAllEvents: readonly CaseEvent[] = [
  ...childEvents(["demo"], false).filter(({ type }) => type === "child.changed" || type === "user.cancel"),
  { type: "child.changed", from: "demo", state: "FAILED", marks: [] },
];

/** An app that is missing for a link: test/engine/move/import.test.ts. */
const importCase = (name: string, input: Partial<ImportInput>, from: string): MachineCase => ({
  name: `import, ${name}`,
  machine: importMachine,
  input: { appId: "", title: "Import apps", marks: [], children: [], ...input },
  events: [
    ...childEvents([from], false).filter(({ type }) => type !== "user.retry" && type !== "user.dismiss"),
    { type: "policies.kept" },
  ],
  same: parentSame,
});

const uninstallInput: UninstallInput = { appId: "demo", title: "Demo", marks: [] };

const switchInput: StartInput = { appId: "demo", title: "Demo", marks: [], runningDeadlineMs: 1000 };

const switchEvents = (...more: readonly CaseEvent[]): readonly CaseEvent[] => [
  { type: "host.done" },
  { type: "host.done", calls: ["app.start"] },
  { type: "host.failed", failure, done: false },
  { type: "host.app.seen", state: "DEPLOYING" },
  ...more,
  ...childEvents([], false),
];
const deadlineOf = (state: string): CaseEvent => ({ type: `xstate.after.runningDeadline.${state}` });

const rollbackInput: RollbackInput = { appId: "demo", title: "Demo", marks: [], runningDeadlineMs: 1000 };

const reverts = { version: "1.0.0", calls: ["app.rollback", "app.update"] };
const restores = ["/mnt/tank/apps/demo"];

const rollbackCase = (name: string, input: Partial<RollbackInput>, ...waits: readonly string[]): MachineCase => ({
  name: `rollback, ${name}`,
  machine: rollbackMachine,
  input: { ...rollbackInput, ...input },
  events: [
    { type: "host.done", calls: ["app.start"] },
    { type: "host.done", restored: ["/mnt/tank/apps/demo"], setAside: ["tank/apps/demo-before"] },
    { type: "host.failed", failure, done: false },
    { type: "host.app.progress", percent: 50 },
    { type: "host.app.seen", state: "DEPLOYING" },
    ...["app.stopped", "app.running", "app.crashed"].map((type) => ({ type })),
    ...waits.map((state) => deadlineOf(`rollback.RUNNING.${state}`)),
    ...childEvents([], false),
  ],
  same: startSame,
});

const adoptInput: AdoptInput = { appId: "demo", title: "Demo", marks: [] };

const adoptEvents = (hasParent: boolean): readonly CaseEvent[] => [
  { type: "host.done" },
  { type: "host.failed", failure, done: false },
  ...childEvents([], hasParent),
];

const updateInput: UpdateInput = { appId: "demo", title: "Demo", marks: [] };

/** Every machine, in each shape its guards distinguish. */
export const MACHINE_CASES: readonly MachineCase[] = [
  {
    name: "install",
    machine: installMachine,
    input: installInput,
    events: installEvents(["b", "a", "link.demo.connect"], false),
    same: parentSame,
  },
  {
    name: "install, of a missing target",
    machine: installMachine,
    input: {
      ...installInput,
      waitsForTurn: true,
      children: [child("b", "onBeforeInstall"), child("a", "onAfterInstall")],
    },
    events: installEvents(["b", "a"], true),
    same: parentSame,
  },
  {
    name: "upgrade",
    machine: upgradeMachine,
    input: upgradeInput,
    events: [...callEvents, ...startEvents, ...childEvents(["b", "a"], false), ...UPGRADE_CHOICES],
    same: startSame,
  },
  {
    name: "upgrade, of a custom app",
    machine: upgradeMachine,
    input: { ...upgradeInput, children: [child("a", "onAfterUpgrade")], byValues: true },
    // It has nothing to be rolled back to: its values are as they were.
    events: [...callEvents, ...startEvents, ...childEvents(["a"], false), ...UPGRADE_CHOICES.slice(0, -1)],
    same: startSame,
  },
  {
    name: "upgrade, of all apps",
    machine: upgradeMachine,
    input: { ...upgradeInput, children: [], waitsForTurn: true },
    events: [...callEvents, ...startEvents, ...childEvents([], true), ...UPGRADE_CHOICES],
    same: startSame,
  },
  {
    name: "upgrade-all",
    machine: upgradeAllMachine,
    input: upgradeAllInput,
    events: upgradeAllEvents,
    same: parentSame,
  },
  {
    name: "upgrade-all, up to the first failure",
    machine: upgradeAllMachine,
    input: { ...upgradeAllInput, stopsOnFailure: true },
    events: upgradeAllEvents,
    same: parentSame,
  },
  importCase("of an app", { children: [child("demo", "import")] }, "demo"),
  importCase(
    "of a link and policies",
    { children: [child("link.demo.connect", "link")], policies: { all: { mode: "manual" }, apps: {} } },
    "link.demo.connect",
  ),
  {
    name: "update",
    machine: updateMachine,
    input: updateInput,
    events: [...callEvents, ...childEvents([], false)],
    same: parentSame,
  },
  {
    name: "start",
    machine: startMachine,
    input: switchInput,
    events: switchEvents({ type: "app.running" }, { type: "app.crashed" }, deadlineOf("start.RUNNING.COMING_UP")),
    same: parentSame,
  },
  {
    name: "stop",
    machine: stopMachine,
    input: switchInput,
    events: switchEvents({ type: "app.stopped" }, deadlineOf("stop.RUNNING.GOING_DOWN")),
    same: parentSame,
  },
  {
    name: "restart",
    machine: restartMachine,
    input: switchInput,
    events: switchEvents(
      ...["app.stopped", "app.running", "app.crashed"].map((type) => ({ type })),
      ...["GOING_DOWN", "COMING_UP"].map((state) => deadlineOf(`restart.RUNNING.${state}`)),
    ),
    same: parentSame,
  },
  {
    name: "uninstall",
    machine: uninstallMachine,
    input: uninstallInput,
    events: [...callEvents, ...childEvents([], false)],
    same: parentSame,
  },
  {
    name: "uninstall, of the data too",
    machine: uninstallMachine,
    input: { ...uninstallInput, removes: ["/mnt/tank/apps/demo"] },
    events: [...callEvents, ...childEvents([], false)],
    same: parentSame,
  },
  { name: "adopt", machine: adoptMachine, input: adoptInput, events: adoptEvents(false), same: parentSame },
  {
    name: "adopt, in an import",
    machine: adoptMachine,
    input: { ...adoptInput, waitsForTurn: true },
    events: adoptEvents(true),
    same: parentSame,
  },
  rollbackCase("of the version alone", { reverts }, "COMING_UP"),
  rollbackCase("of the data alone", { restores }, "STOPPED.GOING_DOWN", "COMING_UP"),
  rollbackCase("of both", { reverts, restores }, "STOPPED.GOING_DOWN", "COMING_UP"),
  hookCase("a person decides", {}),
  hookCase("optional", { onFailure: "skip", onInputTimeout: "skip" }),
  hookCase("required before the app", { requiredBefore: true }),
  hookCase("behind conditions", { conditional: true }),
  hookCase("a link", {
    kind: "link",
    onFailure: "fail",
    link: { apps: ["demo", "other"], targets: ["other"], startDeadlineMs: 1000 },
  }),
  hookCase("a pressed button", { waitsForTurn: false, event: "userAction" }),
  {
    name: "checkpoint",
    machine: checkpointMachine,
    input: { checkpoint: "one", message: "One" },
    events: [
      ...["registered", "message", "completed", "skipped", "failed"].map((name) => ({
        type: `script.${name}`,
        message: "Two",
      })),
      { type: "user.retry" },
      { type: "user.skip" },
    ],
    same: ({ value }) => JSON.stringify(value),
  },
];
