/**
 * The engine's process in the tests of deadlines: starts what waits for them, or goes on with it, tells `pending` when
 * every task waits, `overtaken` instead when a deadline came before that, and `over` when none of the deadlines is left.
 * It is killed, whatever it does. Arguments: database, catalog, ms.
 */
import { openReader } from "../../../src/adapters/store-sqlite/open-store.ts";
import { openEngine } from "../../../src/compose.ts";
import type { Engine } from "../../../src/engine/api.ts";
import { DEADLINES, type DeadlineName, deadlinesOf, NAMES, OWNERS } from "./deadline-catalog.ts";

const [db = "", catalog = "", ms = ""] = process.argv.slice(2);

// Without the driver there is no host any more, and nobody to kill this process.
process.on("disconnect", () => process.exit(1));
const { engine } = await openEngine({
  host: { kind: "standin" },
  db,
  catalog,
  // Its provider is on loopback.
  production: false,
  timing: deadlinesOf(Number(ms)),
});
process.send?.({ kind: "recovered", at: Date.now() });
const reader = openReader(db);
if (engine.tasks().length === 0) {
  await startAll(engine);
  const allWait = () => NAMES.every(waits);
  await until(() => allWait() || NAMES.some(hasFired));
  process.send?.({ kind: allWait() ? "pending" : "overtaken", at: Date.now() });
}
await until(() => reader.timers().length === 0 && !isOpen("hook.authorize") && !isOpen("hook.run"));
process.send?.({ kind: "over", at: Date.now() });

async function startAll(running: Engine): Promise<void> {
  await running.install("due-app");
  // The fault is for the first app that is started.
  await until(() => running.tasks({ appId: "due-app" })[0]?.waitingFor?.kind === "app" || NAMES.some(hasFired));
  await running.install("due-input");
  await running.install("due-pin");
  await running.install("due-script");
  await running.install("due-link", {
    links: [{ hookId: "connect", runsOnAppId: "due-link", targets: ["due-app"] }],
  });
}

function taskOf(name: DeadlineName): string | undefined {
  const { appId, hook } = OWNERS[name];
  const [root] = engine.tasks({ appId });
  return hook ? root?.children[0]?.id : root?.id;
}

/** A timer or a poller of the task of one deadline is under way. */
function waits(name: DeadlineName): boolean {
  const id = taskOf(name);
  if (id === undefined || reader.timers(id).length === 0) return false;
  const type: Readonly<Record<string, string>> = { "due-pin": "oauth.opened", "due-script": "run.started" };
  const begun = type[OWNERS[name].appId];
  return begun === undefined || reader.taskLog(id).some(({ event }) => event.type === begun);
}

function hasFired(name: DeadlineName): boolean {
  const id = taskOf(name);
  return id !== undefined && reader.taskLog(id).some(({ event }) => event.type === DEADLINES[name]);
}

function isOpen(effect: string): boolean {
  return reader.openEffects().some(({ name }) => name === effect);
}

/** Waits for the change of the engine that makes the condition true. */
async function until(condition: () => boolean): Promise<void> {
  const changes = engine.watch(engine.lastSeq());
  if (condition()) return;
  for await (const _ of changes) if (condition()) return;
}
