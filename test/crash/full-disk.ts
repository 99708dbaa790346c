/**
 * An engine on a disk of a few MB that fills up and is freed again; prints what it saw as JSON. Run inside a mount
 * namespace of its own, `TMPDIR` on the small disk.
 */
import { EngineError } from "../../src/core/codes/problems.ts";
import type { TaskView } from "../../src/engine/api.ts";
import { createEngineWorld, createTestSandbox, type EngineWorld, until } from "../support/engine/engine-world.ts";
import { fillDisk, freeDisk } from "./fill-disk.ts";

const HOOK = `export async function run(ctx) {
  await ctx.emitCheckpoint("before");
  for (let at = 0; at < 20; at += 1) {
    ctx.log("line " + at);
    await ctx.sleep(20);
  }
  await ctx.emitCheckpoint("behind");
}`;

const sandbox = createTestSandbox();
const world = await createEngineWorld({
  catalog: {
    plain: {},
    hooked: {
      hooks: [{ id: "setup", title: "Set up", events: ["onAfterInstall"], entrypoint: "run", scriptContent: HOOK }],
    },
  },
  engine: { sandbox },
});
const uncaught: string[] = [];
process.on("uncaughtException", (error) => uncaught.push(String(error)));
process.stdout.write(JSON.stringify({ ...(await refused(world)), ...(await interrupted(world)), uncaught }));
await world.close();
await sandbox.close();

/** A request that meets a full disk. */
async function refused({ engine }: EngineWorld) {
  fillDisk();
  const code = await engine.install("plain").then(
    () => null,
    (error: unknown) => (error instanceof EngineError ? error.code : String(error)),
  );
  const listed = engine.tasks().length;
  freeDisk();
  const { id } = await engine.install("plain");
  return { code, listed, again: (await engine.settled(id)).state };
}

/** A hook that reports and logs while the disk is full. */
async function interrupted({ engine, store, log }: EngineWorld) {
  const { id } = await engine.install("hooked");
  const hook = (): TaskView | undefined => engine.task(id)?.children[0];
  await until(engine, () => hook()?.checkpoints.some(({ id: name }) => name === "before") === true);
  fillDisk();
  while (!log.some((line) => line.includes("STORE_FULL"))) await new Promise((resolve) => setTimeout(resolve, 20));
  const shown = engine.task(id)?.state;
  freeDisk();
  const done = await engine.settled(id);
  const [child] = done.children;
  while (store.hookLog(child?.id ?? "", 100).length < 20 && uncaught.length === 0) {
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return {
    shown,
    done: done.state,
    checkpoints: child?.checkpoints.map(({ id: name, state }) => `${name} ${state}`),
    lines: store.hookLog(child?.id ?? "", 100).map(({ line }) => line),
    created: world.host.script.changes().filter(({ method }) => method === "app.create").length,
  };
}
