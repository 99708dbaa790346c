/** The page of examples before an engine on the embedded host, with something installed to look at. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { openEngine } from "../../src/compose.ts";
import type { Engine, TaskView } from "../../src/engine/api.ts";
import { SILENT_LOGGER } from "../../src/engine/system/silent-logger.ts";
import { startHttpServer } from "../../src/http/server.ts";
import { buildWeb } from "../build/web.ts";
import { type Example, type ExampleTasks, listExamples } from "./examples.ts";
import { EXAMPLES_FILE, writeExamples } from "./write-page.ts";

export interface OpenedExamples {
  readonly url: string;
  readonly examples: readonly Example[];
  close(): Promise<void>;
}

/** Builds and serves it on loopback, for whoever is on this machine; 0 takes a free port. Everything is gone after `close`. */
export async function openExamples(port: number): Promise<OpenedExamples> {
  const folder = mkdtempSync(join(tmpdir(), "slipway-elements-"));
  const pageFiles = join(folder, "web");
  const catalog = fileURLToPath(new URL("../demo/catalog", import.meta.url));
  const { engine, close } = await openEngine({
    host: { kind: "standin", speed: 20, idleExitS: 1 },
    db: join(folder, "slipway.db"),
    catalog,
    production: true,
    allowWeakSandbox: true,
    logger: SILENT_LOGGER,
  });
  const [tasks] = await Promise.all([prepareTasks(engine), buildWeb(pageFiles)]);
  const examples = listExamples(tasks);
  writeExamples(pageFiles, examples);
  const server = await startHttpServer(engine, { address: "127.0.0.1", port, logger: SILENT_LOGGER, pageFiles });
  return {
    url: `${server.url}/${EXAMPLES_FILE}`,
    examples,
    close: async () => {
      await server.close();
      await close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Installs an app to its end, and another whose hook then asks. */
async function prepareTasks(engine: Engine): Promise<ExampleTasks> {
  const media = await engine.install("demo-media");
  const ended = await engine.settled(media.id);
  const notes = await engine.install("demo-notes");
  const waiting = await engine.settled(notes.id);
  return { ended: ended.id, hook: demandHook(ended).id, asking: demandHook(waiting).id };
}

function demandHook(task: TaskView): TaskView {
  const hook = task.children.find(({ kind }) => kind === "hook");
  if (hook === undefined) throw new Error(`"${task.title}" has no hook`);
  return hook;
}
