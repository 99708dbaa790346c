/** Databases of every release ever made, opened, replayed and gone on with by this build. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect } from "vitest";
import { machines } from "../../../machines/index.ts";
import { openReader } from "../../../src/adapters/store-sqlite/open-store.ts";
import { replayTask } from "../../../src/engine/replay/replay.ts";
import type { RegisteredMachine } from "../../../src/engine/runtime/effect.ts";
import { it, openWorld } from "../../support/engine/engine-test.ts";
import { hookTask, settledTask } from "../../support/engine/engine-world.ts";
import { sumFiles } from "../../support/sum-files.ts";
import { DATABASES, keptWorld } from "./kept-database.ts";

const registry: Readonly<Record<string, RegisteredMachine>> = machines;

describe.each(readdirSync(DATABASES))("the database of %s", (release) => {
  const folder = join(DATABASES, release);
  const open = () => openWorld(keptWorld(folder));
  const installOf = ({ engine }: Awaited<ReturnType<typeof open>>, appId: string) => {
    const [task] = engine.tasks({ appId });
    if (task === undefined) throw new Error(`no task of "${appId}"`);
    return task;
  };

  it("is what was written", () => {
    expect(sumFiles(folder)).toBe(readFileSync(join(folder, "SHA256SUMS"), "utf8"));
  });

  it("is played back by the machines, task after task", async () => {
    const { file } = await open();
    const reads = openReader(file);
    const rows = ["settled", "asks", "stopped", "waits", "upgraded", "returned"].flatMap((appId) =>
      reads.rootTrees({ appId }).flatMap(([root]) => (root === undefined ? [] : reads.tree(root.id))),
    );
    const differences = rows.flatMap((row) => replayTask(reads, registry, row).difference ?? []);
    reads.close();
    const recorded = ["install", "hook-task", "checkpoint", "upgrade", "rollback"];
    expect(new Set(rows.map(({ machine }) => machine))).toEqual(new Set(recorded));
    expect(differences).toEqual([]);
  });

  it("keeps what an app was installed with", async () => {
    const world = await open();
    const values = () => world.host.script.world.instances.get("settled")?.values;
    const before = values();
    expect(before).toMatchObject({ team: "red", password: expect.stringMatching(/^.{16}$/) });
    const { id } = await world.engine.update("settled", { answers: { team: "blue" } });
    expect((await settledTask(world.engine, id)).state).toBe("COMPLETED");
    expect(values()).toEqual({ ...before, team: "blue" });
  });

  it("takes the answer a hook waits for", async () => {
    const world = await open();
    const { id } = installOf(world, "asks");
    await world.engine.input(hookTask(await settledTask(world.engine, id), "setup").id, { name: "Ann" });
    const view = await settledTask(world.engine, id);
    expect(view.state).toBe("COMPLETED");
    expect(linesOf(world, view)).toEqual(["called Ann"]);
  });

  it("takes Skip of a hook that failed", async () => {
    const world = await open();
    const { id } = installOf(world, "stopped");
    await world.engine.skip(hookTask(await settledTask(world.engine, id), "setup").id);
    expect((await settledTask(world.engine, id)).state).toBe("COMPLETED");
  });

  it("goes on in the middle of a script, which has what it had", async () => {
    const world = await open();
    const { id } = installOf(world, "waits");
    await world.engine.retry(hookTask(await settledTask(world.engine, id), "setup").id);
    const view = await settledTask(world.engine, id);
    expect(view.state).toBe("COMPLETED");
    const [drew = "", ...rest] = linesOf(world, view);
    expect(rest).toEqual(["[slipway] went on after a restart", `retry with ${drew.slice("drew ".length)}`]);
  });

  it("goes on with the upgrade the host was at", async () => {
    const world = await open();
    const view = await retryDropped(world, "upgraded", "upgrade");
    expect(view).toMatchObject({ state: "COMPLETED", result: { from: "1.0.0", to: "2.0.0" } });
    expect(world.host.script.world.instances.get("upgraded")?.app.version).toBe("2.0.0");
    expect(linesOf(world, view, "migrate")).toEqual(["migrated"]);
    expect(world.host.script.changes().filter(({ method }) => method === "app.upgrade")).toHaveLength(1);
  });

  it("goes on with the rollback the host was at", async () => {
    const world = await open();
    const view = await retryDropped(world, "returned", "rollback");
    expect(view).toMatchObject({ state: "COMPLETED", result: { app: "rolledBack", version: "1.0.0" } });
    const returned = world.host.script.world.instances.get("returned");
    expect([returned?.app.version, returned?.values]).toEqual(["1.0.0", { team: "green" }]);
    expect(world.host.script.changes().filter(({ method }) => method === "app.rollback")).toHaveLength(1);
  });

  /** The host was started anew since, has not done the job, and knows it no more: the task says so and takes Retry. */
  async function retryDropped({ engine }: Awaited<ReturnType<typeof open>>, appId: string, kind: string) {
    const { id } = engine.tasks({ appId }).find((task) => task.kind === kind) ?? { id: `no ${kind} of ${appId}` };
    expect(await settledTask(engine, id)).toMatchObject({ state: "FAILED", failure: { code: "HOST_JOB_DROPPED" } });
    await engine.retry(id);
    return settledTask(engine, id);
  }

  function linesOf(
    { engine }: Awaited<ReturnType<typeof open>>,
    view: Parameters<typeof hookTask>[0],
    hookId = "setup",
  ) {
    return engine.log(hookTask(view, hookId).id).map(({ line }) => line);
  }
});
