/** A database as an engine that is only looked at: its tasks, their traces and logs; everything else is refused. */
import { randomUUID } from "node:crypto";
import { machines } from "../../../machines/index.ts";
import type { StoreReads } from "../../adapters/store-sqlite/reads.ts";
import { EngineError, type EngineErrorOf } from "../../core/codes/problems.ts";
import type { Engine, EngineEvent, TaskView } from "../../engine/api.ts";
import { readAudit } from "../../engine/audit/read-audit.ts";
import { listNotifications } from "../../engine/methods/notifications.ts";
import { listTasks, readHistory, readLog, readTrace } from "../../engine/methods/read-tasks.ts";
import { viewMachine } from "../../engine/replay/list-machine.ts";
import { AuditRange, HistoryRange, LogRange, readRequest, TaskFilter } from "../../engine/requests.ts";
import type { RegisteredMachine } from "../../engine/runtime/effect.ts";
import { viewTree } from "../../engine/runtime/views.ts";
import { listAppSecrets } from "../../engine/vault/app-secrets.ts";
import { createMasks } from "../../engine/vault/secrets.ts";
import { followLog } from "../options/read-tasks.ts";

const registry: Readonly<Record<string, RegisteredMachine>> = machines;

/** Shows a database that is open for reading. What needs an engine throws `HTTP_READ_ONLY`. */
export function createInspectedEngine(store: StoreReads): Engine {
  // Without a catalog: what nobody knows the question of counts as a password.
  const secretsOf = (appId: string) => listAppSecrets(store, appId, null);
  // Made anew for each look: another process may have changed what is secret.
  const deps = () => ({ store, registry, masks: createMasks(store, secretsOf) });
  const epoch = randomUUID();
  return {
    tasks: (filter = {}) => listTasks(store, readRequest(TaskFilter, filter)).map(withoutCommands),
    task: (id) => {
      const row = store.task(id);
      return row === null || row.kind === "checkpoint" ? null : withoutCommands(viewTree(row, store.tree(row.id)));
    },
    history: (taskId, range = {}) => readHistory(deps(), taskId, readRequest(HistoryRange, range)),
    trace: async (taskId, range = {}) => readTrace(deps(), taskId, readRequest(HistoryRange, range)),
    machines: () => Object.values(registry).map(viewMachine),
    log: (taskId, range = {}) => readLog(deps(), taskId, readRequest(LogRange, range)),
    notifications: (filter = {}) => listNotifications(store, filter),
    audit: (range = {}) => readAudit(store, readRequest(AuditRange, range)),
    watch: (fromSeq, signal) => withoutTheirCommands(followLog(store, fromSeq, signal)),
    watchHints: (signal) => awaitAbort(signal),
    lastSeq: () => store.lastSeq(),
    // Nobody here knows what its owner prunes: whoever comes again lists anew.
    eventLog: () => ({ epoch, seq: store.lastSeq(), oldest: store.lastSeq() + 1 }),
    readiness: () => ({ ready: false, reasons: ["a database is only looked at here, without an engine"] }),
    drain: async () => ({ beginAnew: [] }),
    close: async () => {},
    ...refuseAll(),
  };
}

async function* awaitAbort(signal: AbortSignal | undefined): AsyncGenerator<never, void, undefined> {
  if (signal === undefined || signal.aborted) return;
  await new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
}

/** Nobody takes a decision here, so that none is offered. */
function withoutCommands(task: TaskView): TaskView {
  return { ...task, commands: [], children: task.children.map(withoutCommands) };
}

async function* withoutTheirCommands(events: AsyncIterable<EngineEvent>): AsyncGenerator<EngineEvent, void, undefined> {
  for await (const event of events) yield { ...event, task: { ...event.task, commands: [] } };
}

function createReadOnlyError(): EngineErrorOf<"HTTP_READ_ONLY"> {
  return new EngineError(
    "HTTP_READ_ONLY",
    "only the tasks of a database are shown here; nothing is changed and no app is known",
  );
}

function refuse(): never {
  throw createReadOnlyError();
}

async function refuseLater(): Promise<never> {
  return refuse();
}

/** What needs a host, a catalog or somebody who writes. */
function refuseAll() {
  return {
    install: refuseLater,
    upgrade: refuseLater,
    upgradeAll: refuseLater,
    upgradePolicies: refuseLater,
    setUpgradePolicies: refuseLater,
    previewUpgradeAll: refuseLater,
    update: refuseLater,
    startApp: refuseLater,
    stopApp: refuseLater,
    restartApp: refuseLater,
    uninstall: refuseLater,
    previewUninstall: refuseLater,
    snapshots: refuseLater,
    rollback: refuseLater,
    previewRollback: refuseLater,
    adopt: refuseLater,
    previewAdopt: refuseLater,
    runAction: refuseLater,
    form: refuseLater,
    revealAnswer: refuseLater,
    drift: refuse,
    lookForDrift: refuseLater,
    previewUpgrade: refuseLater,
    preview: refuseLater,
    readNotification: refuse,
    readNotifications: refuse,
    input: refuseLater,
    retry: refuseLater,
    skip: refuseLater,
    cancel: refuseLater,
    dismiss: refuseLater,
    syncCatalog: refuseLater,
    backup: refuseLater,
    exportApps: refuseLater,
    importApps: refuseLater,
    previewImport: refuseLater,
    recover: refuseLater,
    settled: refuseLater,
    apps: refuseLater,
    app: refuseLater,
    actions: refuseLater,
    widgets: refuseLater,
    allWidgets: refuseLater,
    dashboard: refuseLater,
    arrangeDashboard: refuseLater,
    queryWidget: refuseLater,
    pairings: refuseLater,
    files: refuseLater,
    health: refuseLater,
    fileActions: refuseLater,
    icon: refuseLater,
  };
}
