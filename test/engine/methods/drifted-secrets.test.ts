/** A password that was changed on the host: neither that one nor the one the engine keeps is shown before a task. */
import { expect } from "vitest";
import { MASKED } from "../../../src/core/report/mask.ts";
import { it, openWorld } from "../../support/engine/engine-test.ts";
import { settledTask } from "../../support/engine/engine-world.ts";

const [STORED, HOSTS] = ["stored-swordfish", "host-swordfish"];
const DEMO = {
  custom: true,
  metadata: { name: "Demo", description: "A demo.", icon: "demo.svg", version: "1.0.0" },
  requirements: { locations: ["ApplicationsPerformance"], specifications: [], permissions: [], ports: [] },
  installation_questions: [
    { question: "Password?", type: "password", key: "password", required: true },
    { question: "Name?", type: "text", key: "name", default: "Ann" },
    { question: "Note?", type: "text", key: "note", default: "none" },
  ],
  ensure_directories_exists: [{ path: "$LOCATION(ApplicationsPerformance)/demo/$QUESTION(name)" }],
  app_values: { password: "$QUESTION(password)", name: "$QUESTION(name)", note: "$QUESTION(note)" },
};

async function openDrifted(catalog: Record<string, unknown> = { demo: DEMO }) {
  const world = await openWorld({ catalog, host: { deployingFor: 0 } });
  const { engine, host } = world;
  const { id } = await engine.install("demo", { answers: { password: STORED } });
  expect(await settledTask(engine, id)).toMatchObject({ state: "COMPLETED" });
  const instance = host.script.world.instances.get("demo");
  if (instance !== undefined) {
    instance.values = { password: HOSTS, name: `was ${STORED}`, note: `${STORED} and ${HOSTS}`, extra: STORED };
  }
  return world;
}

it("neither is in what the options dialog shows, nor in what an update, uninstall or rollback would do", async () => {
  const { engine } = await openDrifted();
  const shown = {
    form: await engine.form("demo", "options"),
    changed: await engine.form("demo", "options", { answers: { name: "Bob", password: "another-one-1" } }),
    reinstall: await engine.form("demo", "reinstall"),
    preview: await engine.preview("demo", {}, "options"),
    changing: await engine.preview(
      "demo",
      { answers: { name: "Bob", note: "new", password: "another-one-1" } },
      "options",
    ),
    uninstall: await engine.previewUninstall("demo", { keepData: false }),
    drift: await engine.lookForDrift(),
    snapshots: await engine.snapshots("demo"),
  };
  for (const [at, value] of Object.entries(shown)) {
    for (const secret of [STORED, HOSTS, "another-one-1"]) expect(JSON.stringify(value), at).not.toContain(secret);
  }
  expect(shown.changing.answerDifferences).toEqual([
    { key: "password", question: "Password?", kind: "changed" },
    { key: "name", question: "Name?", kind: "changed", before: `was ${MASKED}`, after: "Bob" },
    { key: "note", question: "Note?", kind: "changed", before: `${MASKED} and ${MASKED}`, after: "new" },
  ]);
});

it("a text that holds the stored one is withheld, stays, and is revealed like one that holds the present one", async () => {
  const { engine } = await openDrifted();
  const { steps } = await engine.form("demo", "options");
  const questions = steps.flatMap(({ sections }) => sections.flatMap((section) => section.questions));
  expect(questions.map(({ key, isSet, default: offered }) => [key, isSet, offered])).toEqual([
    ["password", true, undefined],
    ["name", true, undefined],
    ["note", true, undefined],
  ]);
  expect(await engine.revealAnswer("demo", "name")).toEqual({ key: "name", value: `was ${STORED}` });
});

it("neither is in what an upgrade would do, nor one that only the script of before asked for", async () => {
  const world = await openDrifted();
  const { engine } = world;
  const { password: _, ...values } = DEMO.app_values;
  const newer = {
    ...DEMO,
    metadata: { ...DEMO.metadata, version: "2.0.0" },
    script: { version: "1.1.0" },
    installation_questions: DEMO.installation_questions.slice(1),
    app_values: values,
  };
  world.write({ demo: newer });
  await engine.syncCatalog();
  const shown = {
    form: await engine.form("demo", "upgrade"),
    preview: await engine.preview("demo", {}, "upgrade"),
    options: await engine.form("demo", "options"),
  };
  for (const [at, value] of Object.entries(shown)) expect(JSON.stringify(value), at).not.toContain(STORED);
  expect(shown.preview.upgrade).toMatchObject({ to: "2.0.0" });
});
