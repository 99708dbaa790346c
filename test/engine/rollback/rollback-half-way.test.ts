import { describe, expect } from "vitest";
import { HostError } from "../../../src/engine/host-error.ts";
import { it } from "../../support/engine/engine-test.ts";
import { type EngineWorld, settledTask } from "../../support/engine/engine-world.ts";
import { faultOf } from "../../support/engine/scripted-world.ts";
import { DATA, openInstalled, rollBack, update, upgrade } from "./rollback-world.ts";

const DATASET = "tank/apps/demo/data";
const ASIDE = expect.stringMatching(/^tank\/apps\/demo\/data-before-\d{8}T\d{6}Z$/);

/** The host refuses to rename these datasets, until the answer is called. */
function refuseRenames({ host }: EngineWorld, isMeant: (name: string) => boolean): () => void {
  const { renameDataset } = host;
  host.renameDataset = async (name, to) => {
    if (isMeant(name)) throw new HostError(faultOf("HOST_CALL_FAILED", "[EFAULT] no"), "yes");
    await renameDataset(name, to);
  };
  return () => {
    host.renameDataset = renameDataset;
  };
}

describe("a rollback that ends while a dataset is put aside and nothing is in its place", () => {
  it("puts it back where the clone can't come there, and goes on with a retry", async () => {
    const world = await openInstalled();
    const { engine, host } = world;
    await upgrade(engine);
    const allow = refuseRenames(world, (name) => name.includes("-restored-"));
    const { id } = await rollBack(engine);
    expect(engine.task(id)).toMatchObject({
      state: "FAILED",
      failure: { message: "[EFAULT] no" },
      result: { restored: [], setAside: [], notDone: [DATA] },
    });
    expect(host.script.world.paths.has(`${DATA}/old`)).toBe(true);
    expect(await settledTask(engine, (await engine.startApp("demo")).id)).toMatchObject({ state: "COMPLETED" });
    allow();
    await engine.retry(id);
    const done = { restored: [DATA], setAside: [ASIDE] };
    expect(await settledTask(engine, id)).toMatchObject({ state: "COMPLETED", result: done });
  });

  it("puts it back once the host has answered where a person gave it up", async () => {
    const { engine, host } = await openInstalled();
    await upgrade(engine);
    const [away, given, back] = [0, 1, 2].map(() => Promise.withResolvers<void>());
    const { renameDataset } = host;
    host.renameDataset = async (name, to) => {
      await renameDataset(name, to);
      if (name !== DATASET) return back?.resolve();
      away?.resolve();
      await given?.promise;
    };
    const { id } = await engine.rollback("demo");
    await away?.promise;
    await engine.cancel(id);
    await engine.cancel(id);
    expect(await settledTask(engine, id)).toMatchObject({ state: "CANCELLED" });
    given?.resolve();
    await back?.promise;
    expect(host.script.world.paths.has(`${DATA}/old`)).toBe(true);
    expect(await settledTask(engine, (await engine.startApp("demo")).id)).toMatchObject({ state: "COMPLETED" });
  });

  it("puts it back where the host has renamed it and says that it could not", async () => {
    const { engine, host } = await openInstalled();
    await upgrade(engine);
    const { renameDataset } = host;
    host.renameDataset = async (name, to) => {
      host.renameDataset = renameDataset;
      await renameDataset(name, to);
      throw new HostError(faultOf("HOST_CALL_FAILED", "[EFAULT] renamed, and can't be mounted"), "yes");
    };
    const { id } = await rollBack(engine);
    const failure = { message: "[EFAULT] renamed, and can't be mounted" };
    expect(engine.task(id)).toMatchObject({ state: "FAILED", failure, result: { setAside: [] } });
    expect(host.script.world.paths.has(`${DATA}/old`)).toBe(true);
    await engine.retry(id);
    expect(await settledTask(engine, id)).toMatchObject({ state: "COMPLETED", result: { restored: [DATA] } });
  });

  it("keeps the app from being started on nothing where it can't be put back either", async () => {
    const world = await openInstalled();
    const { engine, host } = world;
    await upgrade(engine);
    const allow = refuseRenames(world, (name) => name !== DATASET);
    const task = await rollBack(engine);
    expect(task).toMatchObject({ state: "FAILED", result: { setAside: [ASIDE] } });
    const [aside] = Object(task.result).setAside;
    await engine.dismiss(task.id);
    const before = host.script.changes().length;
    const message = expect.stringContaining(`has put the dataset "${DATASET}" aside as "${aside}"`);
    const refused = { state: "FAILED", failure: { code: "HOST_DATASET_ASIDE", message } };
    const started = await settledTask(engine, (await engine.startApp("demo")).id);
    expect(started).toMatchObject(refused);
    const updated = await update(engine, { name: "Bob" });
    expect(updated).toMatchObject(refused);
    const since = host.script.changes().slice(before);
    expect(since.filter(({ method }) => method !== "pool.snapshot.create")).toEqual([]);
    await settledTask(engine, (await engine.uninstall("demo")).id);
    const installed = await settledTask(engine, (await engine.install("demo")).id);
    expect(installed).toMatchObject(refused);
    allow();
    // The owner does what the hint says.
    await host.renameDataset(aside, DATASET);
    await engine.retry(installed.id);
    expect(await settledTask(engine, installed.id)).toMatchObject({ state: "COMPLETED" });
    expect(host.script.world.paths.has(`${DATA}/old`)).toBe(true);
  });
});
