/**
 * The engine's process in the crash tests of hooks: goes on with what earlier ones left, presses what was not pressed, does
 * what a person would, and ends when every hook has. Arguments: database, folder of the host's files, the app's port, hooks,
 * folder of compiled scripts, catalog.
 */
import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { CompileRequest, CompileResult, Run } from "../../../sandbox/contract.ts";
import { createSandbox } from "../../../sandbox/sandbox.ts";
import { createScriptIo } from "../../../src/adapters/script-io/script-io.ts";
import { openStore } from "../../../src/adapters/store-sqlite/open-store.ts";
import type { Dictionary } from "../../../src/core/script/dictionary.ts";
import { parseDictionary } from "../../../src/core/script/parse/parse-dictionary.ts";
import { findAskedCheckpoint, findAskedRequest } from "../../../src/core/task/waiting.ts";
import { createEngine } from "../../../src/engine/engine.ts";
import type { Catalog } from "../../../src/engine/ports/catalog.ts";
import { passings } from "../../../src/engine/runtime/crash-points.ts";
import { createScriptedHost } from "../../support/host/scripted-host.ts";

const FOLDER = "/mnt/tank/apps/busy";
/** So short that hooks are parked while the tests' person decides. */
const PARK_MS = 20;

const [file = "", localRoot = "", port = "", only = "", compiled = "", catalog = ""] = process.argv.slice(2);

// Without the driver there is no app any more, and nobody to kill this process.
process.on("disconnect", () => process.exit(1));
process.channel?.unref();
process.send?.({ kind: "opening" });
const host = createScriptedHost({
  localRoot,
  facts: { lanIp: "127.0.0.1", locations: { ApplicationsPerformance: "/mnt/tank/apps" } },
  now: Date.now,
});
host.script.world.instances.set("busy", {
  values: {},
  deployingFor: 0,
  app: {
    name: "busy",
    appId: "busy",
    custom: false,
    state: "RUNNING",
    version: "1.0.0",
    upgradeAvailable: false,
    scheme: "http",
    port: Number(port),
    publishedPorts: [Number(port)],
    mounts: [{ hostPath: FOLDER, containerPath: "/config" }],
  },
});
let hasTold = false;
const sandbox = createSandbox({
  allowWeakSandbox: true,
  scriptIo: createScriptIo({ loopback: true }),
  concurrency: { hook: 20, widget: 1 },
  parkMs: PARK_MS,
});
const engine = createEngine({
  host,
  store: openStore({ file }),
  catalog: readCatalog(),
  sandbox: { ...sandbox, compile: compileOnce, run: runAndTell },
  timing: { appPoll: 20, appPollMost: 50, hostRetry: 50, oauthPoll: 20 },
});
await engine.recover();
process.send?.({ kind: "ready" });
const chosen = readHooks().hooks.filter(({ id }) => only.split(",").includes(id));
const pressed = new Map(engine.tasks({ appId: "busy" }).map(({ hookId, id }) => [hookId, id]));
await Promise.all(chosen.map(async ({ id }) => seeThrough(pressed.get(id) ?? (await engine.runAction("busy", id)).id)));
await engine.close();
await sandbox.close();
process.send?.({ kind: "done", passings });

function readHooks(): Dictionary {
  const text = readFileSync(join(catalog, "busy.json"), "utf8");
  const { dictionary, problems } = parseDictionary({ appId: "busy", text });
  if (dictionary === null) throw new Error(JSON.stringify(problems));
  return dictionary;
}

/** The one script, unchecked: checking a catalog takes as long as all the hooks, in each of thousands of processes. */
function readCatalog(): Catalog {
  const dictionary = readHooks();
  const facts = { appId: "busy", file: "busy.json", deprecated: false, outdated: false, sha256: "", problems: [] };
  const entry = { ...facts, dictionary, declared: dictionary };
  return {
    root: catalog,
    entries: () => [entry],
    entry: (appId) => (appId === "busy" ? entry : null),
    scripts: (appId) => (appId === "busy" ? [entry] : []),
    sync: async () => ({ added: [], changed: [], removed: [], problems: [] }),
  };
}

/** From the first process of many: bundling takes longer than the hooks. */
async function compileOnce(request: CompileRequest): Promise<CompileResult> {
  const kept = join(compiled, `${request.entrypoint}.json`);
  if (existsSync(kept)) return { ok: true, script: JSON.parse(readFileSync(kept, "utf8")) };
  const result = await sandbox.compile(request);
  if (result.ok) writeFileSync(`${kept}.new`, JSON.stringify(result.script));
  if (result.ok) renameSync(`${kept}.new`, kept);
  return result;
}

/** Tells once that a script has begun, or stands where it was. */
function runAndTell(...request: Parameters<typeof sandbox.run>): Run {
  const run = sandbox.run(...request);
  void run.begun.then((hasBegun) => {
    if (hasBegun && !hasTold) process.send?.({ kind: "begun" });
    hasTold ||= hasBegun;
  });
  return run;
}

/** Decides until the hook has ended, or nobody can bring it further. */
async function seeThrough(id: string): Promise<void> {
  for (;;) {
    const { state, waitingFor, failure, revision } = await engine.settled(id);
    if (state !== "AWAITING_RETRY") return;
    const request = findAskedRequest(waitingFor);
    if (request !== undefined) {
      const name = request.url.split("/").at(-1) ?? "";
      const choice = name.startsWith("given-") ? "skip" : "retry";
      process.send?.({ kind: "decided", method: request.method, name, choice });
      await engine[choice](id, { revision });
    } else if (findAskedCheckpoint(waitingFor) !== undefined) {
      await engine[failure?.message === "press skip" ? "skip" : "retry"](id, { revision });
    } else return;
  }
}
