/**
 * Plays a path of machine events on a whole engine (`createEngine`, real SQLite, scripted host) the way each event comes
 * there: decisions through its public methods, results by letting the host answer the effect's calls, reports by
 * the script in the sandbox, deadlines by the clock, news of children and orders of a parent by driving those.
 */
import { existsSync } from "node:fs";
import { setImmediate } from "node:timers/promises";
import type { ContextCall, RunJournal, ScriptHost } from "../../../sandbox/contract.ts";
import type { Json, JsonObject } from "../../../src/core/json/json.ts";
import type { TaskView } from "../../../src/engine/api.ts";
import type { HostApp } from "../../../src/engine/ports/host-records.ts";
import type { Providers } from "../../../src/engine/ports/providers.ts";
import { foldEvent } from "../../../src/engine/replay/fold-events.ts";
import { listTurns } from "../../../src/engine/replay/replay.ts";
import type { RegisteredMachine } from "../../../src/engine/runtime/effect.ts";
import { toChildTaskId } from "../../../src/engine/runtime/runtime.ts";
import { NO_FOLDERS } from "../../../src/engine/system/no-folders.ts";
import { createEngineWorld, type EngineWorld, QUICK } from "../engine/engine-world.ts";
import { ORIGINS } from "../engine/event-origins.ts";
import { createScriptedSandbox, type ScriptedEnd } from "../engine/scripted-sandbox.ts";
import { closeGate, REFUSAL } from "../host/host-gate.ts";
import { createTestClock, type TestClock } from "../test-clock.ts";

/** The signal of a run that does not end. */
const NEVER = new AbortController().signal;

/** How a case begins on an engine. */
export interface PathSetup {
  readonly catalog: Readonly<Record<string, unknown>>;
  /** Apps the host has already. */
  readonly installed: readonly string[];
  /** Starts the task through a public method. */
  start(engine: EngineWorld["engine"], given: Readonly<Record<string, Json>>): Promise<TaskView>;
  /** Names from the root down to the task the path is about. */
  readonly subject: readonly string[];
  /** Done before anything is held: apps the engine installs itself. */
  prepare?(engine: EngineWorld["engine"]): Promise<unknown>;
  /** The job an upgrade is; default: `app.upgrade`. */
  readonly upgradesBy?: "app.update";
}

export interface PathEvent {
  readonly type: string;
  readonly [key: string]: unknown;
}

/** What a task came to, turn by turn. */
export interface Turn {
  readonly event: PathEvent;
  readonly snapshot: JsonObject;
  /** What the turn wrote is what the machine makes of the event. */
  readonly isAsStored: boolean;
}

export interface EnginePathPlayer {
  /** Has the event happen; the task has not taken it yet. */
  happen(event: PathEvent): Promise<void>;
  /** The turns the task has taken so far. */
  turns(): readonly Turn[];
  close(): Promise<void>;
}

/** Values a person gives. */
const VALUES: Readonly<Record<string, Json>> = { name: "Ann", token: "granted" };

const JOBS = {
  "host.app.create": "app.create",
  "host.app.upgrade": "app.upgrade",
  "host.app.update": "app.update",
  "host.app.start": "app.start",
  "host.app.stop": "app.stop",
  "host.app.delete": "app.delete",
  "host.app.rollback": "app.rollback",
} as const;

/** Thousands of commits whose durability is tested elsewhere. */
const MEMORY = "/dev/shm";

interface OpenRun {
  readonly taskId: string;
  readonly scriptHost: ScriptHost;
  readonly journal: RunJournal | undefined;
  readonly end: (end: ScriptedEnd) => void;
}

/** An engine on a setup, at the beginning of a path on which a person gives these inputs with the request. */
export async function createEnginePathPlayer(
  setup: PathSetup,
  registered: RegisteredMachine,
  givenInputs: readonly string[],
): Promise<EnginePathPlayer> {
  const clock = createTestClock();
  const provider = { agrees: false };
  let runs: OpenRun[] = [];
  const sandbox = createScriptedSandbox(
    (scriptHost, stopped, { runId, journal }) =>
      new Promise((resolve) => {
        const run = { taskId: runId.slice(0, runId.lastIndexOf(":")), scriptHost, journal, end: resolve };
        runs.push(run);
        stopped.addEventListener("abort", () => {
          runs = runs.filter((other) => other !== run);
        });
      }),
  );
  const providers: Providers = {
    ask: async ({ method }) => {
      const body =
        method === "POST" ? { id: 7, code: "AB12" } : { id: 7, authToken: provider.agrees ? VALUES["token"] : null };
      return { status: 200, text: JSON.stringify(body) };
    },
  };
  const world = await createEngineWorld({
    catalog: setup.catalog,
    shareCatalog: true,
    host: { deployingFor: 0, datasets: ["tank", "tank/apps"] },
    ...(existsSync(MEMORY) && { parent: MEMORY }),
    engine: {
      sandbox,
      clock,
      providers,
      folders: { ...NO_FOLDERS, remove: async () => ({ ok: true, isKept: false }) },
    },
  });
  const { engine, store, host } = world;
  for (const app of setup.installed) putApp(host, app);
  await setup.prepare?.(engine);
  const gate = closeGate(world);
  const given = Object.fromEntries(givenInputs.map((id) => [id, VALUES[id] ?? null]));
  const root = await setup.start(engine, given);
  const subject = setup.subject.reduce(toChildTaskId, root.id);
  const isCheckpoint = registered.id === "checkpoint";
  /** The task people and scripts know: of a checkpoint its hook. */
  const shown = isCheckpoint ? setup.subject.slice(0, -1).reduce(toChildTaskId, root.id) : subject;
  gate.subject = subject;
  const callsNobody = ["upgrade-all", "import"].includes(registered.id);
  if (callsNobody) gate.openToOthers();

  async function until(what: string, condition: () => boolean): Promise<void> {
    for (let tick = 0; !condition(); tick += 1) {
      if (tick === TICKS) throw new Error(`it never came: ${what}; ${JSON.stringify(engine.task(root.id))}`);
      await setImmediate();
    }
  }

  function openEffect(type: string) {
    const effects = ORIGINS.find(({ events }) => events.test(type))?.effects ?? [];
    return store.openEffects(subject).find(({ name }) => effects.includes(name));
  }

  async function runOf(taskId: string): Promise<OpenRun> {
    const find = () => runs.findLast((run) => run.taskId === taskId);
    await until(`a run of ${taskId}`, () => find() !== undefined);
    const run = find();
    if (run === undefined) throw new Error(`no run of ${taskId}`);
    return run;
  }

  function endRun(run: OpenRun, end: ScriptedEnd): void {
    runs = runs.filter((other) => other !== run);
    run.end(end);
  }

  async function endChild(id: string): Promise<void> {
    // What a link waits for is there.
    gate.openToOthers();
    const child = store.task(id);
    if (callsNobody && child?.kind !== "link") return endLifecycle(id);
    if (child?.facts.state === "PENDING") await engine.skip(id);
    else if (child?.facts.state === "RUNNING") endRun(await runOf(id), "completed");
  }

  /** It ends with its hook, or has been told to. */
  async function endLifecycle(id: string): Promise<void> {
    const state = () => store.task(id)?.facts.state;
    const findRun = () => runs.findLast(({ taskId }) => taskId === toChildTaskId(id, "b"));
    await until(`the hook or the end of ${id}`, () => findRun() !== undefined || state() !== "RUNNING");
    const run = findRun();
    if (run !== undefined) endRun(run, "completed");
  }

  function answerHost({ type }: PathEvent): void {
    const effect = openEffect(type);
    if (effect === undefined) throw new Error(`nothing asked for "${type}"`);
    const { script } = host;
    const own = effect.name === "host.app.upgrade" ? setup.upgradesBy : undefined;
    const job = own ?? Object.entries(JOBS).find(([name]) => name === effect.name)?.[1];
    if (type === "host.failed" && job === "app.start") script.setAppState("demo", "STOPPED");
    if (type === "host.failed" && job === "app.delete") putApp(host, "demo");
    if (type === "host.failed" && job === "app.stop") script.setAppState("demo", "RUNNING");
    if (type === "host.failed" && job !== undefined) script.endJob(job, { state: "FAILED", fault: REFUSAL });
    else if (type === "host.failed") gate.refused.add(effect.id);
    if (type === "app.crashed") script.setAppState("demo", "CRASHED");
    if (type === "conditions.met") putApp(host, "demo");
    if (type === "conditions.unmet" || type === "host.apps.never") script.world.instances.delete("demo");
    if (type === "host.apps.pending") {
      for (const app of ["demo", "other"]) putApp(host, app);
      script.setAppState("other", "STOPPED");
    }
    if (type === "host.apps.running") for (const app of ["demo", "other"]) putApp(host, app);
    gate.release(effect.id);
  }

  /** A part that FAILED is retried when the rest of its plan has ended. */
  async function afterPlan(): Promise<void> {
    const isPart = subject !== root.id && store.task(subject)?.facts.state === "FAILED";
    // A link whose turn has come fails by itself if the part should have brought its app.
    for (const { id, kind } of isPart ? store.children(root.id) : []) {
      const isWaiting = engine.task(id)?.commands.includes("skip") === true;
      if (kind === "link" && id !== subject && isWaiting) await engine.skip(id);
    }
    if (isPart) await until("the end of the plan", () => store.task(root.id)?.facts.state !== "RUNNING");
  }

  async function decide(type: string): Promise<void> {
    switch (type) {
      case "user.input":
        return void (await engine.input(shown, { name: VALUES["name"] ?? null }));
      case "user.retry":
        await afterPlan();
        return void (await engine.retry(shown));
      case "user.skip":
        return void (await engine.skip(shown));
      case "user.rollback":
        return void (await engine.rollback("demo", { snapshot: subject }));
      case "user.cancel":
        return void (await engine.cancel(shown));
      case "user.dismiss":
        return void (await engine.dismiss(shown));
      default:
        throw new Error(`nobody can press "${type}"`);
    }
  }

  async function happen(event: PathEvent): Promise<void> {
    const { type, from } = event;
    if (COMES_BY_ITSELF.test(type)) return;
    if (type.startsWith("xstate.after."))
      return fire(clock, store.timers(subject).find(({ id }) => id === type)?.dueAt);
    if (type.startsWith("user.")) return decide(type);
    if (type.startsWith("child.")) return endChild(toChildTaskId(subject, String(from)));
    if (type === "parent.start") return gate.openToOthers();
    if (type === "parent.cancel") {
      await engine.cancel(root.id);
      return gate.openToOthers();
    }
    if (type === "oauth.granted") {
      provider.agrees = true;
      await until("the provider is asked", () => clock.sleeping() > 0);
      return clock.advance(QUICK.oauthPoll);
    }
    if (/^(host|app|conditions)\./.test(type)) return answerHost(event);
    const run = await runOf(shown);
    if (type === "run.completed") return endRun(run, "completed");
    if (type === "run.failed") return endRun(run, "failed");
    if (type === "run.diverged") return endRun(run, "diverged");
    if (type.startsWith("run.")) return sayOfJournal(type, run.journal);
    // A script that does not wait for its answers.
    void run.scriptHost.call(saying(event), NEVER).catch(() => {});
  }

  if (isCheckpoint) await happen({ type: "script.registered", checkpoint: setup.subject.at(-1) ?? "" });
  const taken: Turn[] = [];
  let text: string | null = null;
  return {
    happen,
    turns() {
      for (const { event, digest } of listTurns(store.taskLog(subject)).slice(taken.length)) {
        const { persisted } = foldEvent(registered, text, event);
        text = persisted.text;
        taken.push({ event, snapshot: JSON.parse(text), isAsStored: persisted.digest === digest });
      }
      return taken;
    },
    async close() {
      gate.openForGood();
      await world.close();
    },
  };
}

/** Turns of the event loop something may take to come. */
export const TICKS = 400;

/** What an engine does by itself as soon as it can. */
const COMES_BY_ITSELF = /^(inputs\.|notify\.|policies\.|run\.started$)/;

function fire(clock: TestClock, dueAt: number | undefined): void {
  if (dueAt === undefined) throw new Error("the timer does not run");
  clock.advance(dueAt - clock.now());
}

/** What a run says that an earlier life has begun, or that is too long for another one. */
function sayOfJournal(type: string, journal: RunJournal | undefined): void {
  const request = { call: 1, method: "POST", url: "http://192.168.1.2:8096/api", at: 0 };
  if (type === "run.resumed") journal?.wentOn(20);
  else if (type === "run.uncertain") void journal?.askAboutRequest(request, NEVER).catch(() => {});
  else if (type === "run.notResumable") journal?.giveUp("more than 2000 calls");
  else throw new Error(`no run says "${type}"`);
}

function saying({ type, checkpoint }: PathEvent): ContextCall {
  const id = typeof checkpoint === "string" ? checkpoint : "one";
  switch (type) {
    case "script.registered":
      return { kind: "registerCheckpoints", checkpoints: [{ id, message: id }] };
    case "script.message":
      return { kind: "updateCheckpointMessage", id, message: "Two" };
    case "script.completed":
      return { kind: "emitCheckpoint", id, message: "Two" };
    case "script.skipped":
      return { kind: "skipCheckpoint", id, message: "Two" };
    case "script.failed":
      return { kind: "awaitCheckpointRetry", id, error: "no", context: [] };
    case "script.progress":
      return { kind: "setProgress", percent: 40 };
    default:
      throw new Error(`no script says "${type}"`);
  }
}

/** An app the host runs already, of the oldest version it offers. */
function putApp(host: EngineWorld["host"], id: string): void {
  const { world } = host.script;
  const versions = world.catalog.get(id)?.versions ?? [];
  const app: HostApp = {
    name: id,
    appId: id,
    custom: false,
    state: "RUNNING",
    version: versions[0] ?? "",
    upgradeAvailable: versions.length > 1,
    latestVersion: versions.at(-1) ?? "",
    title: id,
    icon: "",
    scheme: "http",
    publishedPorts: [],
    mounts: [],
  };
  world.instances.set(id, { app, values: {}, deployingFor: 0 });
}
