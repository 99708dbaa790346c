/**
 * The engine's process in the demo: goes on with what an earlier one left, installs what is missing, tells its parent of
 * every change, and presses Retry once where a person would.
 */
import { EXIT } from "../../src/cli/ui/exit.ts";
import { createTaskDisplay } from "../../src/cli/ui/live-tree.ts";
import { toEngineError } from "../../src/cli/ui/system-error.ts";
import { findWaitingTask } from "../../src/cli/ui/task-text.ts";
import { printError, type Terminal } from "../../src/cli/ui/terminal.ts";
import { openEngine } from "../../src/compose.ts";
import type { Engine, InstallRequest, TaskView } from "../../src/engine/api.ts";

const [db = "", catalog = ""] = process.argv.slice(2);

const REQUESTS: Readonly<Record<string, InstallRequest>> = {
  "demo-notes": { answers: { admin_user: "ada" }, inputs: { "first-notebook": { notebook: "Logbook" } } },
  "demo-media": {},
};

const terminal: Terminal = {
  stdout: process.stdout,
  stderr: process.stderr,
  stdin: process.stdin,
  signal: new AbortController().signal,
  exitCode: EXIT.done,
};

try {
  await run();
} catch (error) {
  printError(terminal, toEngineError(error), "text");
  process.exitCode = terminal.exitCode;
}

async function run(): Promise<void> {
  const { engine, close } = await openEngine({
    ...{ host: { kind: "standin" }, db, catalog, production: true },
    // shows the same on a machine that isolates less
    allowWeakSandbox: true,
    onWeakSandbox: (missing) => process.send?.({ kind: "weak", missing }),
  });
  try {
    for (const [appId, request] of Object.entries(REQUESTS)) {
      const [known] = engine.tasks({ appId });
      if (known?.state === "COMPLETED") continue;
      const { id } = known ?? (await engine.install(appId, request));
      await seeThrough(engine, id);
    }
    const previews = await Promise.all(Object.keys(REQUESTS).map((appId) => engine.preview(appId, {}, "options")));
    process.send?.({
      kind: "done",
      tasks: engine.tasks(),
      values: previews.map(({ appId, appValues }) => ({ appId, appValues })),
    });
  } finally {
    await close();
  }
}

/** Shows a task until it rests; a hook that waits for a person is retried. */
async function seeThrough(running: Engine, id: string): Promise<void> {
  const display = await createTaskDisplay(terminal);
  const shown = new AbortController();
  const showing = (async () => {
    for await (const { task } of running.watch(running.lastSeq(), shown.signal)) {
      const root = running.task(id);
      if (root !== null) display.show(root);
      process.send?.({ kind: "change", task });
    }
  })();
  let task: TaskView = await running.settled(id);
  for (let waiting = findWaitingTask(task); waiting !== null; waiting = findWaitingTask(task)) {
    display.done();
    console.log(
      `\n-- "${waiting.label}" waits for a person: ${waiting.failure?.message ?? waiting.state}; pressing Retry\n`,
    );
    await running.retry(waiting.id);
    task = await running.settled(id);
  }
  shown.abort();
  await showing;
  display.show(task);
  display.done();
}
