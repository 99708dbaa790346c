/** The catalog of the house: the fixtures, and scripts that none of them is. */
import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { rawScript } from "../../support/scripts/scripts.ts";

const FIXTURES = fileURLToPath(new URL("../fixtures/", import.meta.url));

/** Writes it to a folder; one app's sign-ins are the provider's, another one's come to nothing. */
export function writeCatalog(folder: string, providerUrl: string): void {
  cpSync(join(FIXTURES, "dialog"), folder, { recursive: true });
  cpSync(join(FIXTURES, "tiles"), folder, { recursive: true });
  const { write, read } = openFolder(folder);
  const cloud = JSON.stringify(read("cloud"));
  write("locked", JSON.parse(cloud.replaceAll("Cloud", "Locked")));
  write("cloud", JSON.parse(cloud.replaceAll("http://127.0.0.1:1/", `${providerUrl}/`)));
  write("gallery", { ...read("photos"), metadata: { ...read("photos").metadata, name: "Gallery" } });
  write("minecraft", rawScript(WORLD));
  write("chess", rawScript(CHESS));
  write("shaky", rawScript({ custom: true, metadata: { ...read("media").metadata, name: "Shaky" }, hooks: [FAILING] }));
}

/** Writes the next version of apps. */
export function writeUpgrades(folder: string, apps: readonly string[]): void {
  const { write, read } = openFolder(folder);
  for (const app of apps) {
    const now = read(app);
    write(app, {
      ...now,
      metadata: { ...now.metadata, version: "1.1.0" },
      script: { version: "1.1.0", changeLog: "Keeps albums together" },
      app_values: { [app]: { on: false } },
    });
  }
}

function openFolder(folder: string) {
  const toFile = (app: string) => join(folder, `${app}.json`);
  return {
    write: (app: string, script: unknown) => writeFileSync(toFile(app), JSON.stringify(script)),
    read: (app: string) => JSON.parse(readFileSync(toFile(app), "utf8")),
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

/** Keeps its data in a dataset of its own; its hook, once asked for, comes to no end and would have to begin anew. */
const CHESS = {
  requirements: { locations: ["ApplicationsPerformance"] },
  installation_questions: [{ question: "Strength", type: "number", key: "strength", default: 3 }],
  ensure_directories_exists: [{ path: "$LOCATION(ApplicationsPerformance)/chess", snapshot: { id: "games" } }],
  app_values: { chess: { strength: "$QUESTION(strength)" } },
  hooks: [
    {
      id: "think",
      title: "Think about the next move",
      rerun: "converge",
      entrypoint: "run",
      // More calls than are recorded of a run, then a long one.
      scriptContent: `export async function run() {
        const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
        for (let round = 0; round < 42; round += 1) await Promise.all(Array.from({ length: 50 }, () => wait(0)));
        await wait(3_000_000);
      }`,
    },
  ],
};
