import { describe, expect } from "vitest";
import { HostError } from "../../../src/engine/host-error.ts";
import { it } from "../../support/engine/engine-test.ts";
import { type EngineWorld, settledTask } from "../../support/engine/engine-world.ts";
import { addDataset, addDirectory, addLink, faultOf } from "../../support/engine/scripted-world.ts";
import { DATA, instance, openInstalled, rollBack, upgrade } from "./rollback-world.ts";

const DATASET = "tank/apps/demo/data";
const ASIDE = expect.stringMatching(/^tank\/apps\/demo\/data-before-\d{8}T\d{6}Z$/);
const lost = () => ({ ...faultOf("HOST_TIMEOUT", "no answer in time", { retryable: true }) });

/** The dataset is as one that was locked since: the host has it, and shows nothing of it. */
function lock({ host }: EngineWorld): void {
  const { paths } = host.script.world;
  for (const path of [...paths.keys()]) if (path === DATA || path.startsWith(`${DATA}/`)) paths.delete(path);
}

const changes = ({ host }: EngineWorld) => host.script.changes().map(({ method }) => method);

describe("before a rollback changes anything", () => {
  it("a host that renames no datasets is known, and what it would leave is told", async () => {
    const world = await openInstalled();
    const { engine, host } = world;
    await upgrade(engine);
    host.script.world.renamesDatasets = false;
    expect(await engine.previewRollback("demo")).toMatchObject({
      restored: [],
      kept: [
        { paths: [DATA], reason: "this release of the host can't rename datasets" },
        { paths: ["/mnt/tank/media/films"], reason: "this release of the host can't rename datasets" },
      ],
    });
    const task = await rollBack(engine);
    expect(task).toMatchObject({ state: "COMPLETED", result: { version: "1.0.0", restored: [], setAside: [] } });
    expect(task.marks).toContain(`notRestored: ${DATA}: this release of the host can't rename datasets`);
  });

  it("a locked dataset is known: the version waits for it", async () => {
    const world = await openInstalled();
    const { engine } = world;
    await upgrade(engine);
    lock(world);
    const before = changes(world).length;
    const locked = `"${DATA}" can't be restored: its dataset "${DATASET}" is locked, or not mounted`;
    expect(await engine.previewRollback("demo")).toMatchObject({ impossible: locked });
    await expect(engine.rollback("demo")).rejects.toMatchObject({ code: "TASK_ROLLBACK_IMPOSSIBLE" });
    expect(changes(world).slice(before)).toEqual([]);
  });

  it("a link in the place of the app's data is no way to it: the dataset is not mounted there", async () => {
    const world = await openInstalled();
    const { engine, host } = world;
    await upgrade(engine);
    addDirectory(host.script.world, "/etc");
    addLink(host.script.world, DATA, "/etc");
    const before = changes(world).length;
    const impossible = expect.stringContaining(`its dataset "${DATASET}" is locked, or not mounted`);
    expect(await engine.previewRollback("demo")).toMatchObject({ impossible });
    expect(changes(world).slice(before)).toEqual([]);
  });

  it.for([
    ["locked", "before its first step"],
    ["locked", "while it failed"],
    ["without its snapshot", "while it failed"],
  ] as const)("one that is %s since, %s, is known", async ([how, when]) => {
    const world = await openInstalled();
    const { engine, host } = world;
    await upgrade(engine);
    if (when === "while it failed")
      host.script.endJob("app.rollback", { state: "FAILED", fault: faultOf("HOST_CALL_FAILED", "[EFAULT] no") });
    const { app } = host;
    const asked = Promise.withResolvers<void>();
    if (when === "before its first step") host.app = async (name) => asked.promise.then(() => app(name));
    const { id } = await engine.rollback("demo");
    if (when === "while it failed") await settledTask(engine, id);
    if (how === "locked") lock(world);
    else host.script.world.snapshots.splice(0);
    host.app = app;
    asked.resolve();
    const before = changes(world).length;
    if (when === "while it failed") await engine.retry(id);
    const reason = how === "locked" ? "is locked, or not mounted" : "the host has its snapshot no more";
    const refused = { code: "HOST_DIRECTORY_BLOCKED", message: expect.stringContaining(reason) };
    expect(await settledTask(engine, id)).toMatchObject({ state: "FAILED", failure: refused, result: { done: [] } });
    expect(changes(world).slice(before)).toEqual([]);
    expect(instance(world)?.app).toMatchObject({ version: "2.0.0" });
  });
});

describe("while datasets change places", () => {
  it("a slow clone is waited for", async () => {
    const { engine, host } = await openInstalled();
    await upgrade(engine);
    const { cloneSnapshot } = host;
    const clones: Parameters<typeof cloneSnapshot>[] = [];
    host.cloneSnapshot = async (...clone) => {
      clones.push(clone);
      if (clones.length < 3) host.script.refuse("pool.snapshot.clone", lost(), "unknown");
      // It is there before the third one is sent, as the host says.
      else await cloneSnapshot(...clone);
      await cloneSnapshot(...clone);
    };
    expect(await rollBack(engine)).toMatchObject({ state: "COMPLETED", result: { restored: [DATA] } });
    expect(clones.length).toBe(3);
  });

  it("a slow rename that ends while the host is asked is seen", async () => {
    const { engine, host } = await openInstalled();
    await upgrade(engine);
    const { renameDataset, snapshots } = host;
    host.renameDataset = async (...rename) => {
      host.renameDataset = renameDataset;
      host.snapshots = async (...asked) => {
        host.snapshots = snapshots;
        const found = await snapshots(...asked);
        await renameDataset(...rename);
        return found;
      };
      throw new HostError(lost(), "unknown");
    };
    expect(await rollBack(engine)).toMatchObject({ state: "COMPLETED", result: { restored: [DATA] } });
  });

  it("a promotion that was carried out and refused as done is believed", async () => {
    const { engine, host } = await openInstalled();
    await upgrade(engine);
    const { promoteDataset } = host;
    let promotions = 0;
    host.promoteDataset = async (name) => {
      promotions += 1;
      if (promotions === 1) host.script.refuse("pool.dataset.promote", lost(), "unknown");
      else await promoteDataset(name);
      await promoteDataset(name);
    };
    expect(await rollBack(engine)).toMatchObject({ state: "COMPLETED", result: { restored: [DATA] } });
    expect(promotions).toBe(2);
  });

  it("no dataset is promoted over one that is not the app's", async () => {
    const { engine, host } = await openInstalled();
    await upgrade(engine);
    const { datasets } = host.script.world;
    addDataset(host.script.world, "tank/template", "NFSV4");
    await host.createSnapshot({ dataset: "tank/template", name: "made", properties: {} });
    const own = datasets.get(DATASET);
    if (own !== undefined) datasets.set(DATASET, { ...own, origin: "tank/template@made" });
    expect(await rollBack(engine)).toMatchObject({ state: "COMPLETED", result: { restored: [DATA] } });
    expect(host.script.calls.filter(({ method }) => method === "pool.dataset.promote")).toHaveLength(1);
    expect(datasets.get("tank/template")?.origin).toBeUndefined();
    // It is the app's own that was put aside for an earlier one.
    const [present] = await engine.snapshots("demo");
    await upgrade(engine);
    expect(await rollBack(engine, { snapshot: present?.id ?? "" })).toMatchObject({ result: { restored: [DATA] } });
    expect(datasets.get(DATASET)?.origin).toBe("tank/template@made");
  });

  it("what was put aside is named wherever it ends, and no other dataset is replaced", async () => {
    const { engine, host } = await openInstalled();
    await upgrade(engine);
    const { renameDataset } = host;
    host.renameDataset = async (name, to) => {
      await renameDataset(name, to);
      // Somebody makes it anew meanwhile.
      if (name === DATASET) addDataset(host.script.world, DATASET, "NFSV4");
    };
    const { id } = await rollBack(engine);
    const task = engine.task(id);
    expect(task).toMatchObject({
      state: "FAILED",
      failure: { code: "HOST_EXISTS", message: expect.stringContaining("which is to take its place") },
      result: { restored: [], setAside: [ASIDE], notDone: [DATA] },
    });
    const [aside] = Object(task?.result).setAside;
    expect(task?.remarks.map(({ text }) => text)).toContain(
      `what it had before is put aside as the dataset "${aside}", until you delete that`,
    );
    host.script.world.datasets.delete(DATASET);
    host.script.world.paths.delete(DATA);
    await engine.retry(id);
    expect(await settledTask(engine, id)).toMatchObject({ state: "COMPLETED", result: { setAside: [aside] } });
  });

  it("its name is known before it is put aside, and forgotten where the host refuses it", async () => {
    const { engine, host } = await openInstalled();
    await upgrade(engine);
    const asked = Promise.withResolvers<void>();
    const { renameDataset } = host;
    host.renameDataset = async () => {
      asked.resolve();
      await new Promise(() => {});
    };
    const given = await engine.rollback("demo");
    await asked.promise;
    await engine.cancel(given.id);
    await engine.cancel(given.id);
    expect(await settledTask(engine, given.id)).toMatchObject({
      state: "CANCELLED",
      marks: [
        expect.stringContaining("notRestored"),
        expect.stringMatching(/^setAside: tank\/apps\/demo\/data-before-/),
      ],
      result: { app: "rolledBack", setAside: [ASIDE], notDone: [DATA] },
    });
    host.renameDataset = renameDataset;
    await upgrade(engine);
    host.script.refuse("pool.dataset.rename", faultOf("HOST_DATASET_BUSY", "busy", { retryable: true }), "yes");
    expect(await rollBack(engine)).toMatchObject({ state: "FAILED", result: { setAside: [] } });
  });

  it("what other tasks have made is read once", async () => {
    const { engine, host, store } = await openInstalled();
    await upgrade(engine);
    const { rootTrees } = store;
    let reads = 0;
    store.rootTrees = (...filter) => {
      if (host.script.calls.some(({ method }) => method === "app.stop")) reads += 1;
      return rootTrees(...filter);
    };
    expect(await rollBack(engine)).toMatchObject({ state: "COMPLETED" });
    expect(reads).toBe(1);
  });
});
