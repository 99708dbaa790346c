/** The table of host calls and the effects that make them say the same: a lost answer is found out by the row's rule. */
import { join } from "node:path";
import { describe, expect } from "vitest";
import {
  HOST_CALLS,
  type HostCall,
  type HostMethod,
  type ReconcileQuestion,
} from "../../../src/adapters/host-rpc/host-calls.ts";
import { openStore } from "../../../src/adapters/store-sqlite/open-store.ts";
import { createEffects } from "../../../src/engine/effects/effects.ts";
import { DEFAULT_TIMING } from "../../../src/engine/runtime/timing.ts";
import { createSystemClock } from "../../../src/engine/system/clock.ts";
import { NO_FOLDERS } from "../../../src/engine/system/no-folders.ts";
import { NO_PROVIDERS } from "../../../src/engine/system/no-providers.ts";
import { NO_SANDBOX } from "../../../src/engine/system/no-sandbox.ts";
import { SILENT_LOGGER } from "../../../src/engine/system/silent-logger.ts";
import { KnownSchemas } from "../../../src/engine/values/known-schemas.ts";
import { createMasks } from "../../../src/engine/vault/secrets.ts";
import { it, openWorld } from "../../support/engine/engine-test.ts";
import { settledTask } from "../../support/engine/engine-world.ts";
import { createTestFolder } from "../../support/engine/runtime-world.ts";
import { createScriptedHost } from "../../support/host/scripted-host.ts";

type Rows = typeof HOST_CALLS;
type Changing = {
  [M in HostMethod]: Rows[M] extends { reconcile: readonly ReconcileQuestion[] } ? M : never;
}[HostMethod];

/** The lifecycle that makes each call that changes the host; a new row of the table needs one. */
const MADE_BY: Readonly<Record<Changing, "install" | "upgrade" | "update" | "stop" | "uninstall" | "rollback">> = {
  "app.create": "install",
  "app.delete": "uninstall",
  "app.rollback": "rollback",
  "app.start": "upgrade",
  "app.stop": "stop",
  "app.update": "update",
  "app.upgrade": "upgrade",
  "filesystem.mkdir": "install",
  "filesystem.setacl": "install",
  "pool.dataset.create": "install",
  "pool.dataset.promote": "rollback",
  "pool.dataset.rename": "rollback",
  "pool.snapshot.clone": "rollback",
  "pool.snapshot.create": "upgrade",
  "sharing.smb.create": "install",
};

/** The host's method behind each question. */
const ASKED: Readonly<Record<ReconcileQuestion["ask"], HostMethod>> = {
  findJob: "core.get_jobs",
  app: "app.query",
  appConfig: "app.config",
  dataset: "pool.dataset.query",
  stat: "filesystem.stat",
  acl: "filesystem.getacl",
  snapshots: "pool.snapshot.query",
  shares: "sharing.smb.query",
};

const SCRIPT = {
  requirements: { locations: ["ApplicationsPerformance"], specifications: [], permissions: [], ports: [] },
  installation_questions: [{ key: "name", question: "Name", type: "text", default: "one" }],
  app_values: { demo: { name: "$QUESTION(name)" } },
  ensure_directories_exists: [
    { path: "$LOCATION(ApplicationsPerformance)/demo", owner: { user: "www-data" }, snapshot: { id: "data" } },
    { path: "$LOCATION(ApplicationsPerformance)/demo/plain", network_share: true },
  ],
};
const OFFERED = { train: "stable", title: "Demo", icon: "" };

/** Runs the lifecycle with the next answer of the method lost, and returns the calls from that one on. */
async function runWithLoss(method: Changing, acted: boolean): Promise<readonly HostMethod[]> {
  const world = await openWorld({
    catalog: { demo: SCRIPT },
    host: { datasets: ["tank", "tank/apps"], catalog: { demo: { ...OFFERED, versions: ["1.0.0"] } } },
  });
  const { engine, host } = world;
  const lifecycle = MADE_BY[method];
  if (lifecycle !== "install") {
    await settledTask(engine, (await engine.install("demo")).id);
    host.script.world.catalog.set("demo", { ...OFFERED, versions: ["1.0.0", "2.0.0"] });
    host.script.setAppState("demo", method === "app.start" ? "STOPPED" : "RUNNING");
  }
  if (lifecycle === "rollback") await settledTask(engine, (await engine.upgrade("demo")).id);
  const before = host.script.calls.length;
  host.script.loseAnswer(method, acted);
  const { id } = await {
    install: () => engine.install("demo"),
    upgrade: () => engine.upgrade("demo"),
    update: () => engine.update("demo", { answers: { name: "two" } }),
    stop: () => engine.stopApp("demo"),
    uninstall: () => engine.uninstall("demo"),
    rollback: () => engine.rollback("demo"),
  }[lifecycle]();
  expect(await settledTask(engine, id)).toMatchObject({ state: "COMPLETED" });
  const calls = host.script.calls.slice(before).map((call) => call.method);
  return calls.slice(calls.indexOf(method));
}

const ROWS = Object.entries(HOST_CALLS)
  .flatMap(([method, row]: [string, HostCall]) =>
    row.reconcile === undefined ? [] : [{ method, rule: row.reconcile }],
  )
  .flatMap(({ method, rule }) => (isChanging(method) ? [{ method, rule }] : []));

function isChanging(method: string): method is Changing {
  return method in MADE_BY;
}

describe("a lost answer", () => {
  it("is looked into for every call that changes the host", () => {
    expect(ROWS.map(({ method }) => method).toSorted()).toEqual(Object.keys(MADE_BY).toSorted());
  });

  it.each(ROWS)("of $method the host never got: asked as its row says, then sent again", async ({ method, rule }) => {
    const [, ...after] = await runWithLoss(method, false);
    const asked = after.slice(0, after.indexOf(method));
    expect(asked.slice(0, rule.length)).toEqual(rule.map(({ ask }) => ASKED[ask]));
    // and where the paths lie and whose they are, immediately before it is sent again
    expect(asked.slice(rule.length).filter((call) => HOST_CALLS[call].class !== "read")).toEqual([]);
  });

  it.each(ROWS)(
    "of $method the host carried out: asked first, never sent again for the same",
    async ({ method, rule }) => {
      const undisturbed = await countOf(method);
      const [, ...after] = await runWithLoss(method, true);
      expect(after[0]).toBe(ASKED[rule[0]?.ask ?? "app"]);
      expect(after.filter((call) => call === method)).toHaveLength(undisturbed - 1);
    },
  );
});

/** How often an undisturbed lifecycle makes the call. */
async function countOf(method: Changing): Promise<number> {
  const calls = await runWithLoss(method, false);
  return calls.filter((call) => call === method).length - 1;
}

describe("effects", () => {
  const folder = createTestFolder();
  const store = openStore({ file: join(folder.path, "slipway.db") });
  const host = createScriptedHost();
  const effects = createEffects({
    host,
    schemas: new KnownSchemas(host, createSystemClock(), SILENT_LOGGER),
    store,
    catalog: {
      root: folder.path,
      entries: () => [],
      entry: () => null,
      scripts: () => [],
      sync: () => Promise.reject(),
    },
    folders: NO_FOLDERS,
    sandbox: NO_SANDBOX,
    clock: createSystemClock(),
    logger: SILENT_LOGGER,
    providers: NO_PROVIDERS,
    appPorts: async () => [],
    vouchedPorts: [],
    timing: DEFAULT_TIMING,
    masks: createMasks(store),
    journals: { write: async () => {} },
    onNotification: () => {},
    onPolicies: () => {},
  });
  store.close();
  folder.remove();

  it.each(ROWS.filter(({ method }) => method.startsWith("app.")))(
    "that are $method have its class and a rule of their own",
    ({ method }) => {
      const effect = effects[`host.${method}`];
      expect(effect?.class).toBe(HOST_CALLS[method].class);
      expect(effect?.reconcile).toBeTypeOf("function");
    },
  );

  it.each(Object.entries(effects))("%s: reconcile exists exactly where it may not be repeated", (_, effect) => {
    expect(effect.reconcile !== undefined).toBe(effect.class === "create" || effect.class === "mutate");
  });
});
