/** An app's hooks on one bad day: every end is judged, and a person presses Retry or Skip. */
import { listForeignApps } from "../../core/hooks/surfaces.ts";
import type { Hook } from "../../core/script/dictionary.ts";
import { isAwaiting } from "../../core/task-states.ts";
import type { Engine, TaskView } from "../../engine/api.ts";
import type { AppTable } from "../../standin/apps/answers.ts";
import { createSeededRandom } from "../../standin/random.ts";
import { describeError, describeFailure, type Findings } from "../findings.ts";
import { buildActionRequest, buildInstallRequest, isPressable } from "../hooks/requests.ts";
import type { LevelSetting } from "../levels/level.ts";
import type { PlayedApp } from "../subject.ts";
import { findHookAtWork, listTasks } from "../world/see-through.ts";
import type { World } from "../world/worlds.ts";
import { BadDay, type Day } from "./bad-day.ts";
import { isRawError } from "./raw-error.ts";

/** Lives through a day: the install, and every action the install does not run. */
export async function liveThrough(
  day: Day,
  app: PlayedApp,
  fake: AppTable,
  setting: LevelSetting,
  findings: Findings,
): Promise<void> {
  let engine: Engine | null = null;
  const bad = new BadDay(day, () => (engine === null ? null : findHookAtWork(engine)));
  const world = await setting.worlds.open(app, fake, { weather: bad.weather });
  engine = world.engine;
  try {
    await new DayPlay(day, bad, app, world, setting, findings).play();
  } catch (error) {
    setting.signal.throwIfAborted();
    findings.add("CHECK_HOOK_FAILED", `where the app ${day.name}: ${describeError(error)}`, ["hooks"]);
  } finally {
    await world.close();
  }
}

/** A hook may ask again after Skip, at its next checkpoint; one that goes on asking is left. */
const MOST_SKIPS = 5;

class DayPlay {
  readonly #day: Day;
  readonly #bad: BadDay;
  readonly #app: PlayedApp;
  readonly #world: World;
  readonly #setting: LevelSetting;
  readonly #findings: Findings;
  /** Nothing is struck any more. */
  #isWell = false;

  constructor(day: Day, bad: BadDay, app: PlayedApp, world: World, setting: LevelSetting, findings: Findings) {
    this.#day = day;
    this.#bad = bad;
    this.#app = app;
    this.#world = world;
    this.#setting = setting;
    this.#findings = findings;
  }

  async play(): Promise<void> {
    const { engine, host } = this.#world;
    const { appId, dictionary } = this.#app;
    const random = createSeededRandom(this.#setting.seed);
    const installed = await this.#see(await engine.install(appId, buildInstallRequest(dictionary, random)));
    const appState = (await host.apps()).find((app) => app.appId === appId)?.state ?? "not there";
    if (installed.state !== "COMPLETED" || appState !== "RUNNING") {
      const ends = `ends ${installed.state} with its app ${appState}: ${describeFailure(installed)}`;
      this.#findings.add("CHECK_INSTALL_LEFT", `the install whose hooks were ${this.#pressed} ${ends}`, []);
      return;
    }
    const done = new Set(listTasks(installed).flatMap(({ hookId, state }) => (state === "COMPLETED" ? [hookId] : [])));
    // what was skipped is made up for by a press, once the app is well
    if (this.#day.pressed === "skip") this.#end();
    for (const hook of dictionary.hooks) {
      if (!isPressable(hook) || done.has(hook.id) || listForeignApps(appId, hook.conditions).length > 0) continue;
      const request = await buildActionRequest(appId, hook, this.#world, random);
      if (request !== null) await this.#see(await engine.runAction(appId, hook.id, request));
    }
  }

  #end(): void {
    this.#bad.end();
    this.#isWell = true;
  }

  get #pressed(): string {
    return this.#day.pressed === "skip" ? "skipped" : "retried";
  }

  /** The task at its end, every hook in it judged. */
  async #see({ id }: Pick<TaskView, "id">): Promise<TaskView> {
    const { engine } = this.#world;
    const skips = new Map<string, number>();
    for (;;) {
      const task = await engine.settled(id, this.#setting.signal);
      const stopped = listTasks(task).findLast((one) => isStopped(one) && (skips.get(one.id) ?? 0) < MOST_SKIPS);
      if (stopped === undefined) {
        for (const one of listTasks(task)) this.#judgeEnd(one);
        return task;
      }
      const struck = this.#judgeStop(stopped);
      if (struck && this.#day.pressed === "retry" && stopped.commands.includes("retry")) await engine.retry(stopped.id);
      else {
        skips.set(stopped.id, (skips.get(stopped.id) ?? 0) + 1);
        if (stopped.commands.includes("skip")) await engine.skip(stopped.id);
      }
    }
  }

  /** Judges the words a hook stopped with; false where no request was struck that would explain it. */
  #judgeStop(task: TaskView): boolean {
    const hook = this.#app.dictionary.hooks.find(({ id }) => id === task.hookId);
    if (hook === undefined) return false;
    const struck = this.#bad.takeStruck(hook.id);
    const words = describeFailure(task);
    if (struck === null) this.#tellUnexplained(hook, words);
    else if (task.failure !== undefined && isRawError(task.failure)) {
      const text = `hook "${hook.id}" shows a raw error where the app ${this.#day.name} at ${struck}: ${words}`;
      this.#findings.add("CHECK_RAW_ERROR", text, this.#placeOf(hook));
    }
    return struck !== null;
  }

  /** No request was struck that would explain why a hook stopped: its app is well. */
  #tellUnexplained(hook: Hook, words: string): void {
    const place = this.#placeOf(hook);
    const name = `hook "${hook.id}"`;
    const well = `once the app that ${this.#day.name} is well: ${words}`;
    if (this.#day.pressed === "retry")
      this.#findings.add("CHECK_RETRY_FAILED", `${name} does not complete after Retry ${well}`, place);
    else if (this.#isWell)
      this.#findings.add(
        "CHECK_SKIP_FAILED",
        `${name}, skipped before, does not complete when it is pressed ${well}`,
        place,
      );
    else
      this.#findings.add(
        "CHECK_SKIP_FAILED",
        `${name} stops again after Skip although nothing was refused since: ${words}`,
        place,
      );
  }

  /** A hook that says it is done has had everything done. */
  #judgeEnd({ hookId, state, checkpoints }: TaskView): void {
    const hook = this.#app.dictionary.hooks.find(({ id }) => id === hookId);
    if (hook === undefined || state !== "COMPLETED" || this.#day.pressed === "skip") return;
    if (checkpoints.some((checkpoint) => checkpoint.state === "SKIPPED")) return;
    const [lost] = this.#bad.listLost(hook.id);
    if (lost === undefined) return;
    const text = `hook "${hook.id}" completes although the app ${this.#day.name} at ${lost}, which it does not ask again`;
    this.#findings.add("CHECK_REFUSAL_IGNORED", text, this.#placeOf(hook));
  }

  #placeOf(hook: Hook): readonly (string | number)[] {
    return ["hooks", this.#app.dictionary.hooks.indexOf(hook)];
  }
}

/** A hook a person has to decide about, or one that failed and may be tried again. */
function isStopped({ kind, state }: TaskView): boolean {
  return kind === "hook" && (isAwaiting(state) || state === "FAILED");
}
