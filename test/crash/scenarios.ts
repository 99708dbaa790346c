/**
 * What is run, killed and taken up again: install, upgrade and update with hooks, inputs, retries and snapshots; start,
 * stop and restart; adoptions, and an import with an app to install and one to adopt.
 */
import type { Json } from "../../src/core/json/json.ts";
import type { Engine, TaskKind, TaskView } from "../../src/engine/api.ts";
import type { HostState } from "../../src/standin/host-state.ts";
import { exportedApp, exportOf } from "../support/scripts/export-of.ts";

/** One task a person starts. */
interface Lifecycle {
  readonly kind: TaskKind;
  readonly appId: string;
  start(engine: Engine): Promise<TaskView>;
}

export interface Scenario {
  readonly title:
    | "install"
    | "install-smb"
    | "upgrade"
    | "upgrade-refused"
    | "upgrade-all"
    | "update"
    | "restart"
    | "start"
    | "uninstall"
    | "rollback"
    | "adopt"
    | "import";
  /** Started together. */
  readonly lifecycles: readonly Lifecycle[];
  /** What a person answers, by hook id. */
  readonly inputs: Readonly<Record<string, Readonly<Record<string, Json>>>>;
  /** The scenario whose end it begins with; default: an empty host. */
  readonly after?: Scenario;
  /** The database of `after` is gone: the engine knows nothing of what is on the host. */
  readonly forgets?: true;
  /** Changes the host before it starts. */
  prepare?(host: HostState): void;
  /** State its tasks end in; default: COMPLETED. */
  readonly ends?: "FAILED";
  /** Faults of the stand-in, armed before the start. */
  readonly faults?: readonly string[];
}

/** Both dialects; one input given, one asked for; a retry of a hook, and one of a checkpoint. */
const install: Scenario = {
  title: "install",
  lifecycles: [
    {
      kind: "install",
      appId: "crash-notes",
      start: (engine) => engine.install("crash-notes", { inputs: { greet: { greeting: "Ahoy" } } }),
    },
    { kind: "install", appId: "crash-media", start: (engine) => engine.install("crash-media") },
  ],
  inputs: { library: { folder: "films" } },
};

/** Below a dataset with the preset for SMB, where a dataset is made first and given its ACL afterwards. */
const installSmb: Scenario = {
  title: "install-smb",
  lifecycles: install.lifecycles.filter(({ appId }) => appId === "crash-notes"),
  inputs: {},
  prepare(host) {
    const grant = (tag: string, id: number, basic: string) => {
      return { tag, id, type: "ALLOW", perms: { BASIC: basic }, flags: { BASIC: "INHERIT" } };
    };
    const acl = [
      grant("owner@", -1, "FULL_CONTROL"),
      grant("group@", -1, "MODIFY"),
      grant("GROUP", 545, "MODIFY"),
      grant("GROUP", 544, "FULL_CONTROL"),
    ];
    const { datasets, ownership } = host;
    ownership["/mnt/tank/ApplicationsPerformance"] = { uid: 0, gid: 0, mode: 0o770, acl };
    Object.assign(datasets["tank/ApplicationsPerformance"] ?? {}, {
      aclmode: "RESTRICTED",
      casesensitivity: "INSENSITIVE",
    });
  },
};

/** Of a stopped app one of whose directories changed its owner: start, two snapshots, hooks, repair. */
const upgrade: Scenario = {
  title: "upgrade",
  lifecycles: [
    { kind: "upgrade", appId: "crash-media", start: (engine) => engine.upgrade("crash-media") },
    { kind: "upgrade", appId: "crash-notes", start: (engine) => engine.upgrade("crash-notes") },
  ],
  inputs: { reindex: { depth: 3 } },
  after: install,
  prepare(host) {
    for (const app of ["crash-media", "crash-notes"]) host.releases[app] = ["1.4.0"];
    host.apps["crash-notes"]?.containers.splice(0);
    for (const [path, owned] of Object.entries(host.ownership)) if (path.endsWith("-config")) owned.uid = 0;
  },
};

/** Of a running app to a version whose schema requires what the app lacks: the host stops it before it says so. */
const upgradeRefused: Scenario = {
  title: "upgrade-refused",
  lifecycles: [{ kind: "upgrade", appId: "crash-notes", start: (engine) => engine.upgrade("crash-notes") }],
  inputs: {},
  after: install,
  ends: "FAILED",
  prepare(host) {
    host.releases["crash-notes"] = ["1.4.0"];
    host.demands["crash-notes"] = [{ version: "1.4.0", place: "notes.salt" }];
  },
};

/** New answers, which need a new directory; the host's update gives the directories to root, so all are repaired. */
const update: Scenario = {
  title: "update",
  lifecycles: [
    {
      kind: "update",
      appId: "crash-media",
      start: (engine) => engine.update("crash-media", { answers: { server_name: "cinema" } }),
    },
  ],
  inputs: {},
  after: install,
  faults: ["update-changes-owner@app.update"],
};

/** Of one app, beside the stop of another. */
const restart: Scenario = {
  title: "restart",
  lifecycles: [
    { kind: "restart", appId: "crash-media", start: (engine) => engine.restartApp("crash-media") },
    { kind: "stop", appId: "crash-notes", start: (engine) => engine.stopApp("crash-notes") },
  ],
  inputs: {},
  after: install,
};

/** Of two apps that are stopped. */
const start: Scenario = {
  title: "start",
  lifecycles: ["crash-media", "crash-notes"].map((appId) => ({
    kind: "start" as const,
    appId,
    start: (engine: Engine) => engine.startApp(appId),
  })),
  inputs: {},
  after: install,
  prepare(host) {
    for (const app of ["crash-media", "crash-notes"]) host.apps[app]?.containers.splice(0);
  },
};

/** With the data of one app, and of another without. */
const uninstall: Scenario = {
  title: "uninstall",
  lifecycles: [
    {
      kind: "uninstall",
      appId: "crash-media",
      start: (engine) => engine.uninstall("crash-media", { keepData: false }),
    },
    { kind: "uninstall", appId: "crash-notes", start: (engine) => engine.uninstall("crash-notes") },
  ],
  inputs: {},
  after: install,
};

/** Of one app to where it was before its upgrade: version, values and datasets; of another whose upgrade brought none. */
const rollback: Scenario = {
  title: "rollback",
  lifecycles: [
    { kind: "rollback", appId: "crash-media", start: (engine) => engine.rollback("crash-media") },
    { kind: "rollback", appId: "crash-notes", start: (engine) => engine.rollback("crash-notes") },
  ],
  inputs: {},
  after: upgrade,
};

/** The same two in one task, one after the other. */
const upgradeAll: Scenario = {
  ...upgrade,
  title: "upgrade-all",
  lifecycles: [{ kind: "upgrade-all", appId: "", start: (engine) => engine.upgradeAll() }],
};

/** Both, side by side. */
const adopt: Scenario = {
  title: "adopt",
  lifecycles: [
    { kind: "adopt", appId: "crash-media", start: (engine) => engine.adopt("crash-media") },
    { kind: "adopt", appId: "crash-notes", start: (engine) => engine.adopt("crash-notes") },
  ],
  inputs: {},
  after: install,
  forgets: true,
};

/** What another box has written of both. */
const EXPORT = exportOf("crash-notes", {
  apps: ["crash-notes", "crash-media"].map(exportedApp),
  links: [{ runsOnAppId: "crash-media", hookId: "connect", targets: ["crash-notes"] }],
  // At a time that no run is at.
  policies: { all: { mode: "automatic", cron: "0 3 29 2 *" }, apps: { "crash-notes": { mode: "manual" } } },
});

/** One app is gone and is installed, the other is there and is adopted; then the link of the two, and policies. */
const importBoth: Scenario = {
  title: "import",
  lifecycles: [{ kind: "import", appId: "", start: (engine) => engine.importApps({ file: EXPORT }) }],
  inputs: { greet: { greeting: "Ahoy" } },
  after: install,
  forgets: true,
  prepare(host) {
    delete host.apps["crash-notes"];
  },
};

export const SCENARIOS: readonly Scenario[] = [
  install,
  installSmb,
  upgrade,
  upgradeRefused,
  upgradeAll,
  update,
  restart,
  start,
  uninstall,
  rollback,
  adopt,
  importBoth,
];
