/** What is run, killed and taken up again: install, upgrade and update with hooks, inputs, retries and snapshots; restart. */
import type { Json } from "../../src/core/json/json.ts";
import type { Engine, TaskKind, TaskView } from "../../src/engine/api.ts";
import type { HostState } from "../../src/standin/host-state.ts";

/** One task a person starts. */
interface Lifecycle {
  readonly kind: TaskKind;
  readonly appId: string;
  start(engine: Engine): Promise<TaskView>;
}

export interface Scenario {
  readonly title: "install" | "upgrade" | "update" | "restart" | "uninstall" | "rollback";
  /** Started together. */
  readonly lifecycles: readonly Lifecycle[];
  /** What a person answers, by hook id. */
  readonly inputs: Readonly<Record<string, Readonly<Record<string, Json>>>>;
  /** The scenario whose end it begins with; default: an empty host. */
  readonly after?: Scenario;
  /** Changes the host before it starts. */
  prepare?(host: HostState): void;
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

export const SCENARIOS: readonly Scenario[] = [install, upgrade, update, restart, uninstall, rollback];
