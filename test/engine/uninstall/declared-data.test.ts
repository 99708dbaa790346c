/** Directories of an app that other ones name in their scripts alone, in no value and no mount. */
import { describe, expect } from "vitest";
import { it } from "../../support/engine/engine-test.ts";
import { settledTask } from "../../support/engine/engine-world.ts";
import { addDirectory, makeInstance } from "../../support/engine/scripted-world.ts";
import { ALL, DEMO, LOCATION, openInstalled, remove } from "./uninstall-world.ts";

const PLAIN = "/mnt/tank/apps/plain";
const { requirements } = DEMO;

const declares = (path: string, more: object = {}) => ({
  requirements,
  ensure_directories_exists: [{ path }],
  ...more,
});

/** What an uninstall of demo with its data says of a path before, and after. */
async function removeShown({ engine, removals }: Awaited<ReturnType<typeof openInstalled>>, path: string) {
  const { directories } = await engine.previewUninstall("demo", ALL);
  const removes = directories.filter(({ fate }) => fate === "removed").map((one) => one.path);
  const task = await remove(engine, { ...ALL, removes });
  return {
    before: directories.find((one) => one.path === path),
    after: task.remarks.map(({ text }) => text).filter((text) => text.includes(`${path}: `)),
    removed: removals.map((one) => `${one.root}/${one.path}`),
    result: task.result,
  };
}

describe("a directory another installed app names in its script alone", () => {
  it.each([
    ["itself", `${LOCATION}/plain`],
    ["with one below it that was there", `${LOCATION}/plain/inside`],
  ])("stays with its app's answers: %s", async (_, path) => {
    const world = await openInstalled();
    addDirectory(world.host.script.world, `${PLAIN}/inside`);
    world.write({ late: declares(path) });
    await world.engine.syncCatalog();
    await settledTask(world.engine, (await world.engine.install("late")).id);
    // Of its script nothing is left but what its install was planned with.
    world.write({ late: { ...declares(path), app_values: 1 } });
    await world.engine.syncCatalog();
    expect(await removeShown(world, PLAIN)).toMatchObject({
      before: { fate: "kept", reason: '"LATE" names it in its script' },
      after: [`kept: ${PLAIN}: "LATE" names it in its script`],
      result: { removed: [], answers: "kept" },
    });
  });

  it("stays where one that holds it is named by an app installed by other means, stopped and with no mount", async () => {
    const world = await openInstalled();
    const { host } = world;
    world.write({ late: declares(`${LOCATION}/demo`) });
    await world.engine.syncCatalog();
    host.script.world.instances.set(...makeInstance("late", {}, { state: "STOPPED", title: "LATE" }));
    const { before, removed } = await removeShown(world, "/mnt/tank/apps/demo/data");
    expect(before).toMatchObject({ fate: "kept", reason: '"LATE" names it in its script' });
    expect(removed).toEqual([PLAIN]);
  });

  it("stays where nobody knows what an app's script names below a location, and goes where that is known", async () => {
    const world = await openInstalled();
    const { engine, host } = world;
    const question = { question: "Folder?", type: "text", key: "folder", required: true };
    const asking = { installation_questions: [question], app_values: { late: { folder: "$QUESTION(folder)" } } };
    world.write({ late: declares(`${LOCATION}/$QUESTION(folder)`, asking) });
    await engine.syncCatalog();
    const setLate = (values: object) =>
      host.script.world.instances.set(...makeInstance("late", { ...values }, { state: "STOPPED", title: "LATE" }));
    setLate({});
    const shown = async () =>
      (await engine.previewUninstall("demo", ALL)).directories.find(({ path }) => path === PLAIN);
    expect(await shown()).toMatchObject({
      fate: "kept",
      reason: '"LATE" may use it: what its script names is not known',
    });
    setLate({ late: { folder: "plain" } });
    expect(await shown()).toMatchObject({ fate: "kept", reason: '"LATE" names it in its script' });
    setLate({ late: { folder: "elsewhere" } });
    expect(await shown()).toMatchObject({ fate: "removed" });
  });

  it("stays where an app was installed by other means after the uninstall had begun", async () => {
    const world = await openInstalled();
    const { engine, host, removals } = world;
    world.write({ late: declares(`${LOCATION}/plain`) });
    await engine.syncCatalog();
    const release = host.script.hold("app.delete");
    const { id } = await engine.uninstall("demo", ALL);
    host.script.world.instances.set(...makeInstance("late", {}, { state: "STOPPED", title: "LATE" }));
    release();
    const task = await settledTask(engine, id);
    expect(removals.map(({ path }) => path)).not.toContain("plain");
    expect(task.marks).toContain(`notRemoved: ${PLAIN}: "LATE" names it in its script`);
    expect(task.result).toMatchObject({ left: [PLAIN], answers: "kept" });
  });

  it("stays where the app was uninstalled since and kept its data", async () => {
    const world = await openInstalled();
    world.write({ late: declares(`${LOCATION}/plain`) });
    await world.engine.syncCatalog();
    for (const start of [() => world.engine.install("late"), () => world.engine.uninstall("late")])
      await settledTask(world.engine, (await start()).id);
    expect((await removeShown(world, PLAIN)).before).toMatchObject({ fate: "kept", reason: '"late" has data in it' });
  });
});
