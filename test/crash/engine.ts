/**
 * The engine's process in the crash tests: goes on with what earlier ones left, starts what is missing, does what a
 * person would, and ends when every task has ended. Arguments: database, catalog, scenario.
 */
import { findWaitingTask } from "../../src/cli/ui/task-text.ts";
import { openEngine } from "../../src/compose.ts";
import type { Engine, TaskView } from "../../src/engine/api.ts";
import { passings } from "../../src/engine/runtime/crash-points.ts";
import { SCENARIOS } from "./scenarios.ts";

/** Pauses short enough for many runs; deadlines as in production. */
const QUICK = { appPoll: 20, appPollMost: 50, hostRetry: 50, oauthPoll: 20, driftEvery: 0 };

const [db = "", catalog = "", title = ""] = process.argv.slice(2);
const scenario = SCENARIOS.find((one) => one.title === title);
if (scenario === undefined) throw new Error(`no scenario "${title}"`);

// Without the driver there is no host any more, and nobody to kill this process.
process.on("disconnect", () => process.exit(1));
process.channel?.unref();
process.send?.({ kind: "opening" });
const { engine, close } = await openEngine({
  host: { kind: "standin" },
  db,
  catalog,
  production: true,
  allowWeakSandbox: true,
  timing: QUICK,
});
process.send?.({ kind: "ready" });
await Promise.all(
  scenario.lifecycles.map(async ({ kind, appId, start }) => {
    const known = engine.tasks().find((task) => task.kind === kind && task.appId === appId);
    await seeThrough(engine, (known ?? (await start(engine))).id);
  }),
);
await close();
process.send?.({ kind: "done", passings });

/** Answers and presses Retry until the task has ended; throws where nobody can bring it further. */
async function seeThrough(running: Engine, id: string): Promise<TaskView> {
  for (;;) {
    const task = await running.settled(id);
    const waiting = findWaitingTask(task);
    if (waiting === null && (task.state === "COMPLETED" || task.state === "FAILED")) return task;
    if (waiting === null) throw new Error(`nothing goes on: ${JSON.stringify(task)}`);
    const values = scenario?.inputs[waiting.hookId ?? ""] ?? {};
    if (waiting.state === "AWAITING_INPUT") await running.input(waiting.id, values);
    else await running.retry(waiting.id);
  }
}
