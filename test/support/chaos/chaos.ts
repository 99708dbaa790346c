/**
 * A whole engine under chaos: people, hosts, scripts and clocks do what they like, in any order and number; the engine
 * is restarted and killed in between. `calm` and `endAll` are what must be possible afterwards, whatever happened.
 */
import { existsSync } from "node:fs";
import { setImmediate } from "node:timers/promises";
import type { ContextCall, ScriptHost } from "../../../sandbox/contract.ts";
import { EngineError } from "../../../src/core/codes/problems.ts";
import { isAwaiting, isFinal } from "../../../src/core/task-states.ts";
import type { Engine, TaskView } from "../../../src/engine/api.ts";
import type { Host } from "../../../src/engine/ports/host.ts";
import type { HostJob } from "../../../src/engine/ports/host-records.ts";
import type { Providers } from "../../../src/engine/ports/providers.ts";
import { createEngineWorld, type EngineWorld } from "../engine/engine-world.ts";
import { createScriptedSandbox, type Script } from "../engine/scripted-sandbox.ts";
import { faultOf } from "../engine/scripted-world.ts";
import { PIN_FLOW } from "../scripts/scripts.ts";
import { createTestClock } from "../test-clock.ts";

/** The signal of a run that does not end. */
const NEVER = new AbortController().signal;

/** Given as answer, as input, and by the OAuth provider: must be seen nowhere. */
export const SECRETS = { answer: "answered-swordfish", input: "typed-in-swordfish", token: "granted-swordfish" };

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

type Job = (typeof JOBS)[number];
type Call = (typeof CALLS)[number];

/** Lifecycles that leave an app's values alone. */
export const SWITCHES = ["startApp", "stopApp", "restartApp", "uninstall", "rollback"] as const;
type Switching = (typeof SWITCHES)[number];

/** One thing that happens. Numbers pick among what is there at the time. */
export type ChaosStep =
  | { readonly kind: "request"; readonly what: "install" | "upgrade" | "update"; readonly app: string }
  | { readonly kind: "switch"; readonly what: Switching; readonly app: string }
  | { readonly kind: "link" | "press" }
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

export type ScriptSays = "registers" | "emits" | "skips" | "progress" | "asks" | "completes" | "fails";

const QUESTION = (key: string, type: string) => ({ question: `${key}?`, type, key, required: true });
const hook = (id: string, events: readonly unknown[], more = {}) => ({
  id,
  title: id,
  events,
  entrypoint: "run",
  timeout: 30,
  scriptContent: "export async function run() {}",
  ...more,
});

const CATALOG = {
  demo: {
    requirements: {
      locations: ["ApplicationsPerformance"],
      specifications: [],
      permissions: [],
      ports: [],
    },
    installation_questions: [
      { question: "Password?", type: "password", key: "password", required: true },
      { question: "Name?", type: "text", key: "name", default: "Ann" },
    ],
    ensure_directories_exists: [
      {
        path: "$LOCATION(ApplicationsPerformance)/demo",
        owner: { user: "apps" },
        snapshot: { id: "data" },
        network_share: true,
      },
    ],
    app_values: { demo: { password: "$QUESTION(password)", name: "$QUESTION(name)" } },
    hooks: [
      hook("before", ["onBeforeInstall", "onBeforeUpgrade"], { retries: 1 }),
      hook("asks", ["onAfterInstall"], {
        inputs: [
          { type: "question", id: "secret", question: QUESTION("secret", "password") },
          { type: "oauth", id: "account", name: "Account", provider: "test", flow: PIN_FLOW },
        ],
      }),
      hook("optional", ["onAfterInstall", "onAfterUpgrade"], { optional: true }),
      hook("connect", ["userAction"], {
        rerun: "converge",
        retries: 1,
        conditions: [{ role: "visibility", type: "appInstalled", app: "other" }],
      }),
    ],
  },
  other: { hooks: [hook("after", ["onAfterInstall"])] },
};

const MEMORY = "/dev/shm";

interface OpenRun {
  readonly scriptHost: ScriptHost;
  /** What the script could tell. */
  readonly secrets: readonly string[];
  readonly end: (end: "completed" | "failed") => void;
}

export interface Chaos {
  world: EngineWorld;
  take(step: ChaosStep): Promise<void>;
  /** Host, provider and scripts do their part again, time passes: until no task goes on without a person. */
  calm(): Promise<void>;
  /** A person gives everything up: until every task has ended, whether the host answers or not. */
  endAll(): Promise<void>;
  close(): Promise<void>;
}

/** What is under way when the chaos begins; all but the first find both apps installed. */
export const OPENINGS = ["install", "upgrade", "update", "restart", "link", "press"] as const;

/** An engine with something under way, a clock that stands still, and a script of its own for every run. */
export async function createChaos(opening: (typeof OPENINGS)[number]): Promise<Chaos> {
  const clock = createTestClock();
  const provider = { agrees: false };
  const held = new Map<Job, () => void>();
  let runs: OpenRun[] = [];

  const script: Script = (scriptHost, stopped, { secrets }) =>
    new Promise((resolve) => {
      const run = { scriptHost, secrets, end: resolve };
      runs.push(run);
      stopped.addEventListener("abort", () => forget(run));
    });

  function forget(run: OpenRun): void {
    runs = runs.filter((other) => other !== run);
  }

  const providers: Providers = {
    ask: async ({ method }) => {
      const body =
        method === "POST"
          ? { id: 7, code: "AB12", expiresIn: 600 }
          : { id: 7, authToken: provider.agrees ? SECRETS.token : null };
      return { status: 200, text: JSON.stringify(body) };
    },
  };

  let world = await createEngineWorld({
    catalog: CATALOG,
    shareCatalog: true,
    host: { datasets: ["tank", "tank/apps"] },
    // A kill is a copy of the files here, so nothing depends on what reached a disk.
    ...(existsSync(MEMORY) && { parent: MEMORY }),
    engine: { sandbox: createScriptedSandbox(script), clock, providers, timing: { inputDeadline: 3_600_000 } },
  });
  repeatProgress(world.host);

  function tasks(): readonly TaskView[] {
    return world.engine.tasks().flatMap(flat);
  }

  const at = <T>(list: readonly T[], index: number): T | undefined => list[index % Math.max(1, list.length)];

  function say(run: OpenRun, says: ScriptSays): void {
    if (says === "completes" || says === "fails") {
      forget(run);
      run.end(says === "completes" ? "completed" : "failed");
    } else {
      // A script does not wait for its answers here: what it is told is of no use to it.
      run.scriptHost.call(calls(run)[says], NEVER).catch(onlyRefusals);
    }
  }

  /** Makes an upgrade possible. */
  function offerNext(app: string): void {
    const { catalog } = world.host.script.world;
    const offered = catalog.get(app);
    if (offered === undefined) return;
    const versions = [...offered.versions, `${offered.versions.length}.0.0`];
    catalog.set(app, { ...offered, versions });
    if (world.host.script.world.instances.has(app)) world.host.script.setApp(app, { upgradeAvailable: true });
  }

  /** Requests are not waited for: a person presses the next thing while the host still thinks. */
  function request(doing: Promise<unknown>): void {
    doing.catch(onlyRefusals);
  }

  async function take(step: ChaosStep): Promise<void> {
    const { engine } = world;
    const { script: host } = world.host;
    switch (step.kind) {
      case "request":
        if (step.what === "upgrade") offerNext(step.app);
        return request(engine[step.what](step.app, { answers: { password: SECRETS.answer } }));
      case "switch":
        return request(engine[step.what](step.app));
      case "link": {
        const { instances } = host.world;
        instances.delete("demo");
        const target = instances.has("other") ? {} : { install: { other: {} } };
        const links = [{ hookId: "connect", runsOnAppId: "demo", targets: ["other"], ...target }];
        return request(engine.install("demo", { answers: { password: SECRETS.answer }, links }));
      }
      case "press":
        return request(engine.runAction("demo", "connect"));
      case "decide":
        return engine[step.what](at(tasks(), step.task)?.id ?? "nobody").then(() => {}, onlyRefusals);
      case "input": {
        const values = step.sound ? { secret: SECRETS.input } : { secret: 7, nonsense: "x" };
        return engine.input(at(tasks(), step.task)?.id ?? "nobody", values).then(() => {}, onlyRefusals);
      }
      case "script": {
        const run = at(runs, step.run);
        if (run !== undefined) say(run, step.says);
        return;
      }
      case "refuse":
        return step.silent
          ? host.refuse(step.call, faultOf("HOST_UNREACHABLE", "no route", { retryable: true }), "no")
          : host.refuse(step.call, faultOf("HOST_CALL_FAILED", "[EFAULT] no"));
      case "lose":
        return host.loseAnswer(step.call, step.acted);
      case "end":
        return host.endJob(step.call, {
          state: "FAILED",
          fault: faultOf("HOST_CALL_FAILED", "[EFAULT] no"),
          acted: step.acted,
        });
      case "hold":
        if (!held.has(step.call)) held.set(step.call, host.hold(step.call));
        return;
      case "release":
        return release();
      case "hostRestarts":
        return host.restart(step.finish);
      case "service":
        return host.setAppsService(step.up ? "RUNNING" : "INITIALIZING");
      case "appState":
        if (host.world.instances.has(step.app)) host.setAppState(step.app, step.state);
        return;
      case "provider":
        provider.agrees = step.agrees;
        return;
      case "advance":
      case "step":
        return clock[step.kind](step.ms);
      case "restart":
      case "crash":
        world = await world[step.kind]();
        return;
      case "wait":
        return ticks(step.ticks);
    }
  }

  function release(): void {
    for (const end of held.values()) end();
    held.clear();
  }

  async function calm(): Promise<void> {
    const { store, host } = world;
    release();
    host.script.setAppsService("RUNNING");
    provider.agrees = true;
    for (let round = 0; round < 2_000; round += 1) {
      await ticks(4);
      for (const run of runs) say(run, "completes");
      if (round > 2 && store.unfinished().every(({ root }) => !store.busy(root))) return;
      clock.advance(2_000);
    }
    throw new Error(`never calm: ${JSON.stringify(tasks().filter(({ state }) => !isFinal(state)))}`);
  }

  async function endAll(): Promise<void> {
    const { engine } = world;
    for (let round = 0; round < 10; round += 1) {
      for (const { id } of tasks().filter(({ state }) => !isFinal(state))) await engine.cancel(id).catch(onlyRefusals);
      await ticks(8);
      clock.advance(1_000);
    }
  }

  if (opening !== "install") {
    await world.engine.install("other");
    const inputs = { asks: { secret: SECRETS.input } };
    await world.engine.install("demo", { answers: { password: SECRETS.answer }, inputs });
    await calm();
    provider.agrees = false;
  }
  const isRequest = opening === "install" || opening === "upgrade" || opening === "update";
  if (isRequest) await take({ kind: "request", what: opening, app: "demo" });
  else if (opening === "restart") await take({ kind: "switch", what: "restartApp", app: "demo" });
  else await take({ kind: opening });
  await ticks(12);

  return {
    get world() {
      return world;
    },
    take,
    calm,
    endAll,
    close: () => world.close(),
  };
}

function calls({ secrets }: OpenRun): Readonly<Record<Exclude<ScriptSays, "completes" | "fails">, ContextCall>> {
  return {
    registers: { kind: "registerCheckpoints", checkpoints: ["one", "two"].map((id) => ({ id, message: id })) },
    emits: { kind: "emitCheckpoint", id: "one", message: `did it with ${secrets.join()}` },
    skips: { kind: "skipCheckpoint", id: "two" },
    progress: { kind: "setProgress", percent: 30 },
    asks: { kind: "awaitCheckpointRetry", id: "two", error: "not yet", context: [] },
  };
}

/** The host tells every progress of a job twice, and its last once more when the job is over. */
function repeatProgress(host: Host): void {
  const { waitJob } = host;
  host.waitJob = async (ref, { signal, progress }) => {
    const twice = (job: HostJob) => {
      progress(job);
      progress(job);
    };
    const job = await waitJob(ref, { signal, progress: twice });
    if (job !== null) void setImmediate().then(() => progress(job));
    return job;
  };
}

async function ticks(count: number): Promise<void> {
  for (let tick = 0; tick < count; tick += 1) await setImmediate();
}

/** What a decision or request may be answered with; anything else is a bug. */
function onlyRefusals(error: unknown): void {
  if (!(error instanceof EngineError)) throw error;
}

/** A task and everything under it. */
export function flat(task: TaskView): readonly TaskView[] {
  return [task, ...task.children.flatMap(flat)];
}

/** Whether a tree waits for a person somewhere. */
export function waitsForPerson(engine: Engine, rootId: string): boolean {
  const view = engine.task(rootId);
  return view !== null && flat(view).some(({ state }) => isAwaiting(state) || state === "FAILED");
}
