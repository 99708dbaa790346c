/** What can happen to an engine under chaos. */

/** Jobs a chaos step holds or has fail. */
export const JOBS = [
  "app.create",
  "app.update",
  "app.upgrade",
  "app.start",
  "app.stop",
  "app.delete",
  "app.rollback",
  "filesystem.setacl",
] as const;

/** Calls a chaos step refuses, or loses the answers of. */
export const CALLS = [
  ...JOBS,
  "app.query",
  "core.get_jobs",
  "filesystem.stat",
  "filesystem.mkdir",
  "pool.dataset.create",
  "pool.snapshot.create",
  "pool.snapshot.query",
  "sharing.smb.create",
] as const;

/** A job a step disturbs. */
export type Job = (typeof JOBS)[number];
type Call = (typeof CALLS)[number];

/** Lifecycles of an app that take no answers. */
export const SWITCHES = ["startApp", "stopApp", "restartApp", "uninstall", "rollback"] as const;
type Switching = (typeof SWITCHES)[number];

/** One thing that happens. Numbers pick among what is there at the time. */
export type ChaosStep =
  | { readonly kind: "request"; readonly what: "install" | "upgrade" | "update"; readonly app: string }
  | { readonly kind: "switch"; readonly what: Switching; readonly app: string }
  | { readonly kind: "adopt" | "outside" | "erase"; readonly app: string }
  | { readonly kind: "link" | "press" | "upgradeAll" | "import" }
  | { readonly kind: "decide"; readonly what: "retry" | "skip" | "cancel" | "dismiss"; readonly task: number }
  | { readonly kind: "input"; readonly task: number; readonly sound: boolean }
  | { readonly kind: "script"; readonly run: number; readonly says: ScriptSays }
  | { readonly kind: "refuse"; readonly call: Call; readonly silent: boolean }
  | { readonly kind: "lose"; readonly call: Call; readonly acted: boolean }
  | { readonly kind: "end"; readonly call: Job; readonly acted: boolean }
  | { readonly kind: "hold"; readonly call: Job }
  | { readonly kind: "release" }
  | { readonly kind: "hostRestarts"; readonly finish: boolean }
  | { readonly kind: "service"; readonly up: boolean }
  | { readonly kind: "appState"; readonly app: string; readonly state: string }
  | { readonly kind: "provider"; readonly agrees: boolean }
  | { readonly kind: "advance" | "step"; readonly ms: number }
  | { readonly kind: "restart" | "crash" }
  | { readonly kind: "wait"; readonly ticks: number };

/** What a running script does. */
export type ScriptSays = "registers" | "emits" | "skips" | "progress" | "asks" | "completes" | "fails";

/** What is under way when the chaos begins, by the kind of its task; all but the first find both apps installed. */
export const OPENINGS = {
  install: [{ kind: "request", what: "install", app: "demo" }],
  upgrade: [{ kind: "request", what: "upgrade", app: "demo" }],
  update: [{ kind: "request", what: "update", app: "demo" }],
  restart: [{ kind: "switch", what: "restartApp", app: "demo" }],
  uninstall: [{ kind: "switch", what: "uninstall", app: "demo" }],
  // To where it was before its upgrade, which nobody disturbs.
  rollback: [
    { kind: "request", what: "upgrade", app: "demo" },
    { kind: "switch", what: "rollback", app: "demo" },
  ],
  "upgrade-all": [{ kind: "upgradeAll" }],
  adopt: [
    { kind: "switch", what: "uninstall", app: "demo" },
    { kind: "outside", app: "demo" },
    { kind: "adopt", app: "demo" },
  ],
  // One of the apps is gone and is installed, the other is as it was written.
  import: [{ kind: "switch", what: "uninstall", app: "demo" }, { kind: "import" }],
  link: [{ kind: "link" }],
  hook: [{ kind: "press" }],
} as const satisfies Readonly<Record<string, readonly ChaosStep[]>>;

/** What a chaos begins with. */
export type Opening = keyof typeof OPENINGS;
