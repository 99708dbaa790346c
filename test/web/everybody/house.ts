/** An engine with something of everything a person may come to see: apps, links, widgets, questions, a task that failed. */
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect } from "vitest";
import { connectRaw, login } from "../../support/engine/standin-client.ts";
import { rawScript } from "../../support/scripts/scripts.ts";
import { startProvider } from "../support/provider.ts";
import { type ServedPage, servePage } from "../support/served-page.ts";

const FIXTURES = fileURLToPath(new URL("../fixtures/", import.meta.url));

/** A stored password, what a hook was given in confidence, the token, a password somebody else has set: never shown. */
export const SECRETS = {
  answer: "marker-4711-of-the-maps",
  input: "marker-4712-of-the-library",
  token: "marker-4713-of-the-house",
  theirs: "marker-4714-of-somebody-else",
} as const;

export interface House extends ServedPage {
  readonly token: string;
  /** Ids of tasks: one that failed and asks what to do, one that asks a question, one a sign-in, one whose sign-in failed. */
  readonly tasks: Readonly<Record<"failed" | "asks" | "signsIn" | "refused", string>>;
}

/** Opens it; nothing of it changes by itself. */
export async function openHouse(): Promise<House> {
  const catalog = mkdtempSync(join(tmpdir(), "slipway-house-"));
  const provider = await startProvider();
  const write = (app: string, script: unknown) => writeFileSync(join(catalog, `${app}.json`), JSON.stringify(script));
  const read = (app: string) => JSON.parse(readFileSync(join(catalog, `${app}.json`), "utf8"));
  cpSync(join(FIXTURES, "dialog"), catalog, { recursive: true });
  cpSync(join(FIXTURES, "tiles"), catalog, { recursive: true });
  const cloud = readFileSync(join(catalog, "cloud.json"), "utf8");
  writeFileSync(join(catalog, "locked.json"), cloud.replaceAll("Cloud", "Locked"));
  writeFileSync(join(catalog, "cloud.json"), cloud.replaceAll("http://127.0.0.1:1/", `${provider.url}/`));
  write("gallery", { ...read("photos"), metadata: { ...read("photos").metadata, name: "Gallery" } });
  write("minecraft", rawScript(WORLD));
  write("shaky", rawScript({ custom: true, metadata: { ...read("media").metadata, name: "Shaky" }, hooks: [FAILING] }));
  const { token } = SECRETS;
  const served = await servePage({ catalog, production: false, server: { token } });
  const { engine } = served;
  for (const [app, answers] of [
    ["media", {}],
    ["photos", { owner: "ada", maps_key: SECRETS.answer }],
    ["cloud", {}],
    ["locked", {}],
    ["tiles", {}],
  ] as const) {
    const { id } = await engine.install(app, { answers });
    expect(await engine.settled(id)).toMatchObject({ state: "COMPLETED" });
  }
  const host = await connectRaw(served.standin.url);
  await host.call("auth.login_ex", login(served.standin));
  expect(await host.job("app.create", INSTALLED_BY_OTHERS)).toMatchObject({ state: "SUCCESS" });
  host.socket.terminate();
  const changed = await engine.update("photos", { answers: { edge: 900 } });
  expect(await engine.settled(changed.id)).toMatchObject({ state: "COMPLETED" });
  const tasks = {
    failed: (await engine.install("shaky", { inputs: { shake: { key: SECRETS.input } } })).id,
    asks: (await engine.install("greeter")).id,
    signsIn: (await engine.runAction("cloud", "bring")).id,
    refused: (await engine.runAction("locked", "bring")).id,
  };
  for (const id of Object.values(tasks)) await engine.settled(id);
  const next = read("cloud");
  write("cloud", {
    ...next,
    metadata: { ...next.metadata, version: "1.1.0" },
    script: { version: "1.1.0", changeLog: "Keeps albums together" },
    app_values: { cloud: { on: false } },
  });
  await engine.syncCatalog();
  // Far away: none begins on the way.
  await engine.setUpgradePolicies({ apps: { media: { mode: "automatic", cron: "30 4 29 2 *" } } });
  return {
    ...served,
    token,
    tasks,
    async close() {
      await served.close();
      await provider.close();
      rmSync(catalog, { recursive: true, force: true });
    },
  };
}

/** Of an app of the host's own catalog. */
const WORLD = {
  installation_questions: [
    { question: "Name of the world", type: "text", key: "world", required: true },
    { question: "Password of the console", type: "password", key: "console", required: true },
    { question: "Most players", type: "number", key: "players", required: true },
  ],
  app_values: {
    minecraft: {
      world: "$QUESTION(world)",
      console: "$QUESTION(console)",
      players: "$QUESTION(players)",
      seed: "$RANDOM_STRING(16)",
    },
  },
};

const INSTALLED_BY_OTHERS = {
  app_name: "minecraft",
  catalog_app: "minecraft",
  train: "community",
  values: { minecraft: { world: "Theirs", console: SECRETS.theirs } },
};

/** Tells all it knows, fails behind two checkpoints, and waits for a person to decide. */
const FAILING = {
  id: "shake",
  title: "Set up Shaky",
  events: ["onAfterInstall"],
  optional: false,
  entrypoint: "run",
  inputs: [{ type: "question", id: "key", question: { question: "Key", type: "password", key: "key" } }],
  scriptContent: `export async function run(ctx) {
    ctx.log("begins with", ctx.inputs.key);
    await ctx.registerCheckpoints([{ id: "one", message: "Ask the library" }, { id: "two", message: "Fill it" }]);
    ctx.fail("The library is busy", [{ label: "Status", value: "503 of " + ctx.inputs.key }]);
  }`,
};
