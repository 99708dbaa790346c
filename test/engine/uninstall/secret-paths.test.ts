/** An author who names directories by a password: what is shown of an app on the host does not tell it. */
import { describe, expect } from "vitest";
import { NO_FOLDERS } from "../../../src/engine/system/no-folders.ts";
import { it, openWorld } from "../../support/engine/engine-test.ts";
import { settledTask } from "../../support/engine/engine-world.ts";

const [OLD, NEW] = ["old-swordfish", "new-swordfish"];
const LOCATION = "$LOCATION(ApplicationsPerformance)";
const TELLING = {
  requirements: { locations: ["ApplicationsPerformance"], specifications: [], permissions: [], ports: [] },
  installation_questions: [
    { question: "Password?", type: "password", key: "password", required: true },
    { question: "Name?", type: "text", key: "name", default: "Ann" },
  ],
  ensure_directories_exists: [
    { path: `${LOCATION}/$QUESTION(password)/data`, snapshot: { id: "data" }, owner: { user: "apps" } },
    // Made while nobody could know that a password would be called so.
    { path: `${LOCATION}/${NEW}-2` },
  ],
  app_values: { demo: { password: "$QUESTION(password)", name: "$QUESTION(name)" } },
};

/** Installed with one password, and with another since. */
async function openTelling() {
  const removed: string[] = [];
  const world = await openWorld({
    catalog: { demo: TELLING },
    host: { datasets: ["tank", "tank/apps", "tank/media"], deployingFor: 0 },
    engine: {
      folders: {
        ...NO_FOLDERS,
        remove: async ({ path }) => {
          removed.push(path);
          return { ok: true, isKept: false };
        },
      },
    },
  });
  const { engine } = world;
  await settledTask(engine, (await engine.install("demo", { answers: { password: OLD } })).id);
  expect(await settledTask(engine, (await engine.update("demo", { answers: { name: "Bob" } })).id)).toMatchObject({
    state: "COMPLETED",
  });
  expect(await settledTask(engine, (await engine.update("demo", { answers: { password: NEW } })).id)).toMatchObject({
    state: "COMPLETED",
  });
  return { ...world, removed };
}

const expectSilent = (shown: unknown) => {
  const text = JSON.stringify(shown);
  for (const secret of [OLD, NEW]) expect(text).not.toContain(secret);
  expect(text).toContain("********");
};

describe("a directory that is named by a password", () => {
  it("is shown masked before an uninstall, which takes back what it has shown", async () => {
    const { engine } = await openTelling();
    const preview = await engine.previewUninstall("demo", { keepData: false });
    expectSilent(preview);
    const removes = preview.directories.filter(({ fate }) => fate === "removed").map(({ path }) => path);
    const refused = await engine.uninstall("demo", { keepData: false, removes: [] }).catch((error: unknown) => error);
    expect(refused).toMatchObject({ code: "TASK_UNINSTALL_STALE" });
    expectSilent([String(refused), Object(refused).details]);
    const task = await settledTask(engine, (await engine.uninstall("demo", { keepData: false, removes })).id);
    expect(task).toMatchObject({ state: "COMPLETED" });
    expectSilent(task);
  });

  it("is shown masked before a rollback, which goes by the name it was shown under", async () => {
    const { engine } = await openTelling();
    const all = await engine.snapshots("demo");
    expectSilent(all);
    const snapshot = all.flatMap(({ datasets }) => datasets.map(({ name }) => name)).at(-1) ?? "";
    expectSilent(await engine.previewRollback("demo", { snapshot }));
    const task = await settledTask(engine, (await engine.rollback("demo", { snapshot })).id);
    expect(task).toMatchObject({ state: "COMPLETED" });
    expectSilent(task);
  });

  it("is shown masked where it is otherwise than it was left", async () => {
    const { engine, host } = await openTelling();
    for (const path of host.script.world.paths.keys()) if (path.includes(NEW)) host.script.world.paths.delete(path);
    const { findings } = await engine.lookForDrift();
    expect(findings.map(({ code }) => code)).toContain("DRIFT_DIRECTORY_GONE");
    expectSilent(findings);
  });
});
