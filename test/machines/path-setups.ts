/** The cases of the path tests as they begin on a whole engine, through its public methods. */
import type { PathSetup } from "../support/paths/engine-path-player.ts";
import { exportedApp, exportOf } from "../support/scripts/export-of.ts";
import { PIN_FLOW, rawHook } from "../support/scripts/scripts.ts";

const DIRECTORIES = {
  requirements: { locations: ["ApplicationsPerformance"], specifications: [], permissions: [], ports: [] },
  ensure_directories_exists: [
    {
      path: "$LOCATION(ApplicationsPerformance)/demo",
      owner: { user: "apps" },
      snapshot: { id: "data" },
    },
  ],
};

const hook = (id: string, more: Record<string, unknown>) => ({
  id,
  title: id,
  entrypoint: "run",
  scriptContent: "export async function run() {}",
  ...more,
});

const INPUTS = {
  retries: 1,
  timeout: 1,
  inputs: [
    { type: "question", id: "name", question: { question: "Name?", type: "text", key: "name", required: true } },
    { type: "oauth", id: "token", name: "Account", provider: "test", flow: PIN_FLOW },
  ],
};

const connect = (more: Record<string, unknown> = {}) =>
  rawHook({ conditions: [{ role: "visibility", type: "appInstalled", app: "other" }], ...more });

const LINK = { hookId: "connect", runsOnAppId: "demo", targets: ["other"] };

const lifecycle = (event: string, more: Record<string, unknown> = {}): PathSetup => ({
  catalog: { demo: { ...DIRECTORIES, hooks: [hook("setup", { events: [event], ...INPUTS, ...more })] } },
  installed: [],
  start: (engine, given) => engine.install("demo", { inputs: { setup: given } }),
  subject: ["setup"],
});

const NIGHTLY = { all: { mode: "automatic", cron: "0 3 * * *" }, apps: {} } as const;

const UPGRADED = [hook("b", { events: ["onBeforeUpgrade"] }), hook("a", { events: ["onAfterUpgrade"] })];
const INSTALLED = [hook("b", { events: ["onBeforeInstall"] }), hook("a", { events: ["onAfterInstall"] })];

/** By the name of the case. */
export const PATH_SETUPS: Readonly<Record<string, PathSetup>> = {
  install: {
    catalog: { demo: { ...DIRECTORIES, hooks: [...INSTALLED, connect()] }, other: {} },
    installed: ["other"],
    start: (engine) => engine.install("demo", { links: [LINK] }),
    subject: [],
  },
  "install, of a missing target": {
    catalog: { demo: { hooks: [connect()] }, other: { ...DIRECTORIES, hooks: INSTALLED } },
    installed: [],
    start: (engine) => engine.install("demo", { links: [{ ...LINK, install: { other: {} } }] }),
    subject: ["install.other"],
  },
  upgrade: {
    catalog: { demo: { ...DIRECTORIES, hooks: UPGRADED } },
    installed: ["demo"],
    start: (engine) => engine.upgrade("demo"),
    subject: [],
  },
  "upgrade, of a custom app": {
    catalog: {
      demo: {
        ...DIRECTORIES,
        custom: true,
        metadata: { name: "Demo", description: "d", icon: "demo.svg", version: "1.0.0" },
        hooks: UPGRADED.slice(1),
      },
    },
    installed: ["demo"],
    start: (engine) => engine.upgrade("demo"),
    subject: [],
    upgradesBy: "app.update",
  },
  "upgrade, of all apps": {
    // The first has its turn until others may call the host.
    catalog: { another: {}, demo: DIRECTORIES },
    installed: ["another", "demo"],
    start: (engine) => engine.upgradeAll(),
    subject: ["demo"],
  },
  "upgrade-all": {
    catalog: { demo: { hooks: UPGRADED.slice(0, 1) } },
    installed: ["demo"],
    start: (engine) => engine.upgradeAll(),
    subject: [],
  },
  "upgrade-all, up to the first failure": {
    catalog: { demo: { hooks: UPGRADED.slice(0, 1) } },
    installed: ["demo"],
    start: (engine) => engine.upgradeAll({ stopOnFailure: true }),
    subject: [],
  },
  "import, of an app": {
    catalog: { demo: { hooks: INSTALLED.slice(0, 1) } },
    installed: [],
    start: (engine) => engine.importApps({ file: exportOf("demo") }),
    subject: [],
  },
  "import, of a link and policies": {
    catalog: { demo: { hooks: [connect()] }, other: {} },
    installed: ["other"],
    prepare: async (engine) => engine.settled((await engine.install("demo")).id),
    start: (engine) => engine.importApps({ file: exportOf("demo", { links: [LINK], policies: NIGHTLY }) }),
    subject: [],
  },
  update: {
    catalog: { demo: DIRECTORIES },
    installed: ["demo"],
    start: (engine) => engine.update("demo"),
    subject: [],
  },
  start: { catalog: { demo: {} }, installed: ["demo"], start: (engine) => engine.startApp("demo"), subject: [] },
  stop: { catalog: { demo: {} }, installed: ["demo"], start: (engine) => engine.stopApp("demo"), subject: [] },
  restart: { catalog: { demo: {} }, installed: ["demo"], start: (engine) => engine.restartApp("demo"), subject: [] },
  adopt: { catalog: { demo: {} }, installed: ["demo"], start: (engine) => engine.adopt("demo"), subject: [] },
  "adopt, in an import": {
    // The first has its turn until others may call the host.
    catalog: { another: {}, demo: {} },
    installed: ["demo"],
    start: (engine) => engine.importApps({ file: exportOf("demo", { apps: ["another", "demo"].map(exportedApp) }) }),
    subject: ["demo"],
  },
  uninstall: { catalog: { demo: {} }, installed: ["demo"], start: (engine) => engine.uninstall("demo"), subject: [] },
  "uninstall, of the data too": {
    catalog: { demo: DIRECTORIES },
    installed: [],
    prepare: async (engine) => engine.settled((await engine.install("demo")).id),
    start: (engine) => engine.uninstall("demo", { keepData: false }),
    subject: [],
  },
  "rollback, of the version alone": {
    catalog: { demo: {} },
    installed: ["demo"],
    prepare: async (engine) => engine.settled((await engine.upgrade("demo")).id),
    start: (engine) => engine.rollback("demo"),
    subject: [],
  },
  "rollback, of the data alone": {
    catalog: { demo: DIRECTORIES },
    installed: [],
    prepare: async (engine) => {
      await engine.settled((await engine.install("demo")).id);
      await engine.settled((await engine.update("demo")).id);
    },
    start: (engine) => engine.rollback("demo"),
    subject: [],
  },
  "rollback, of both": {
    catalog: { demo: DIRECTORIES },
    installed: ["demo"],
    prepare: async (engine) => {
      await engine.settled((await engine.update("demo")).id);
      await engine.settled((await engine.upgrade("demo")).id);
    },
    start: (engine) => engine.rollback("demo"),
    subject: [],
  },
  "hook-task, a person decides": lifecycle("onAfterInstall"),
  "hook-task, optional": lifecycle("onAfterInstall", { optional: true }),
  "hook-task, required before the app": lifecycle("onBeforeInstall"),
  "hook-task, behind conditions": lifecycle("onAfterInstall", {
    conditions: [{ role: "visibility", type: "appInstalled", app: "demo" }],
  }),
  "hook-task, a link": {
    catalog: { demo: { ...DIRECTORIES, hooks: [connect(INPUTS)] }, other: {} },
    installed: ["other"],
    start: (engine, given) => engine.install("demo", { links: [{ ...LINK, inputs: given }] }),
    subject: ["link.demo.connect"],
  },
  "hook-task, a pressed button": {
    catalog: { demo: { hooks: [connect(INPUTS)] }, other: {} },
    installed: ["demo", "other"],
    start: (engine, given) => engine.runAction("demo", "connect", { inputs: given }),
    subject: [],
  },
  checkpoint: {
    catalog: { demo: { hooks: [connect()] }, other: {} },
    installed: ["demo", "other"],
    start: (engine) => engine.runAction("demo", "connect"),
    subject: ["one"],
  },
};
