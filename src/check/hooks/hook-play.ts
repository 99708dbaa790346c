/** One app's hooks, actions and widgets, played in the order a person meets them. */
import { listForeignApps } from "../../core/hooks/surfaces.ts";
import type { Hook, Widget } from "../../core/script/dictionary.ts";
import type { TaskView } from "../../engine/api.ts";
import type { AppTable } from "../../standin/apps/answers.ts";
import { createSeededRandom, type Random } from "../../standin/random.ts";
import type { Coverage } from "../coverage.ts";
import { describeError, describeFailure, type Findings } from "../findings.ts";
import type { LevelSetting } from "../levels/level.ts";
import type { PlayedApp } from "../subject.ts";
import { listTasks, seeThrough } from "../world/see-through.ts";
import type { World } from "../world/worlds.ts";
import { judgeRequests } from "./judge-requests.ts";
import { RequestLog } from "./request-log.ts";
import {
  buildActionRequest,
  buildInstallRequest,
  buildUpgradeRequest,
  isPressable,
  runsAtUpgrades,
} from "./requests.ts";

/** Plays an app in its world; what does not complete becomes a finding. */
export class HookPlay {
  readonly #app: PlayedApp;
  readonly #world: World;
  readonly #setting: LevelSetting;
  readonly #findings: Findings;
  readonly #random: Random;
  /** Hooks and widgets that completed. */
  readonly #done = new Set<string>();
  /** Why a hook or widget was not tried, by its name. */
  readonly #untried = new Map<string, string>();
  readonly #checkpoints = { reached: 0, all: 0, missed: new Set<string>() };

  constructor(app: PlayedApp, world: World, setting: LevelSetting, findings: Findings) {
    this.#app = app;
    this.#world = world;
    this.#setting = setting;
    this.#findings = findings;
    this.#random = createSeededRandom(setting.seed);
  }

  /** Installs the app with every consent given. */
  async install(): Promise<void> {
    const { appId, dictionary } = this.#app;
    const request = buildInstallRequest(dictionary, this.#random);
    await this.#see("the install", [], () => this.#world.engine.install(appId, request));
  }

  /** Presses every hook a person can press, also one that an install ran: it is called another way. */
  async pressActions(): Promise<void> {
    const { appId, dictionary } = this.#app;
    for (const hook of dictionary.hooks) {
      if (!isPressable(hook)) continue;
      const path = this.#placeOf(hook);
      if (listForeignApps(appId, hook.conditions).length > 0)
        this.#untried.set(nameHook(hook), "it links to another app");
      else if (hook.rerun === "refuse" && this.#done.has(nameHook(hook))) continue;
      else {
        const request = await buildActionRequest(appId, hook, this.#world, this.#random);
        if (request === null) {
          this.#untried.set(nameHook(hook), "the app has no folder mounted in which a file could lie");
          continue;
        }
        await this.#see(nameHook(hook), path, () => this.#world.engine.runAction(appId, hook.id, request));
      }
    }
  }

  /** Asks every widget once. */
  async queryWidgets(): Promise<void> {
    for (const [index, widget] of this.#app.dictionary.widgets.entries()) await this.#query(widget, ["widgets", index]);
  }

  /** Upgrades the app where a hook runs at upgrades. */
  async upgrade(): Promise<void> {
    const { appId, dictionary } = this.#app;
    if (!dictionary.hooks.some(runsAtUpgrades)) return;
    if (this.#world.standin.control.release(appId) !== undefined) {
      const request = buildUpgradeRequest(dictionary, this.#random);
      await this.#see("the upgrade", [], () => this.#world.engine.upgrade(appId, request));
    }
  }

  /** Finds every request its fake has no row for, and offers one. */
  judgeRequests(): void {
    judgeRequests(this.#world.requests(), this.#app.appId, this.#findings);
  }

  coverage({ answers }: AppTable): readonly Coverage[] {
    const { dictionary } = this.#app;
    const names = [...dictionary.hooks.map(nameHook), ...dictionary.widgets.map(nameWidget)];
    const missed = names.filter((name) => !this.#done.has(name));
    const { reached, all, missed: open } = this.#checkpoints;
    return [
      {
        of: "hooks",
        reached: names.length - missed.length,
        all: names.length,
        missed: missed.map((name) => `${name}: ${this.#untried.get(name) ?? "it did not complete"}`),
      },
      { of: "checkpoints", reached, all, missed: [...open] },
      new RequestLog(this.#world.requests()).coverage(answers),
    ];
  }

  /** Starts a task and sees it through; every hook in it is judged. */
  async #see(what: string, path: readonly (string | number)[], start: () => Promise<TaskView>): Promise<void> {
    try {
      const { id } = await start();
      const skipJudged = (task: TaskView) => {
        this.#judgeHook(task);
        return "skip" as const;
      };
      const ended = await seeThrough(this.#world.engine, id, skipJudged, this.#setting.signal).finally(() =>
        this.#tellRunning(id),
      );
      for (const task of listTasks(ended)) if (task.kind === "hook") this.#judgeHook(task);
      if (ended.kind !== "hook" && ended.state !== "COMPLETED") {
        this.#findings.add("CHECK_INSTALL_FAILED", `${what} is ${ended.state}: ${describeFailure(ended)}`, path);
      }
    } catch (error) {
      this.#setting.signal.throwIfAborted();
      this.#findings.add("CHECK_HOOK_FAILED", `${what} is refused: ${describeError(error)}`, path);
    }
  }

  /** Says which hook kept the level from ending. */
  #tellRunning(id: string): void {
    const root = this.#setting.signal.aborted ? this.#world.engine.task(id) : null;
    const running = root === null ? undefined : listTasks(root).findLast(({ state }) => state === "RUNNING");
    if (running !== undefined) this.#setting.doing(`"${running.hookId ?? running.title}" was still running`);
  }

  #judgeHook(task: TaskView): void {
    const hook = this.#app.dictionary.hooks.find(({ id }) => id === task.hookId);
    if (hook === undefined) return;
    const name = nameHook(hook);
    if (task.state !== "COMPLETED") {
      if (task.failure?.code === "TASK_CONDITION_NOT_MET") this.#untried.set(name, task.failure.message);
      else
        this.#findings.add(
          "CHECK_HOOK_FAILED",
          `${name} is ${task.state}: ${describeFailure(task)}`,
          this.#placeOf(hook),
        );
      return;
    }
    this.#done.add(name);
    for (const { id, message, state } of task.checkpoints) {
      this.#checkpoints.all += 1;
      if (state === "COMPLETED" || state === "SKIPPED") this.#checkpoints.reached += 1;
      else {
        this.#checkpoints.missed.add(`${name}: "${id}" (${message})`);
        const text = `${name} completed and did not come to its checkpoint "${id}" (${message})`;
        this.#findings.add("CHECK_CHECKPOINT_OPEN", text, this.#placeOf(hook));
      }
    }
  }

  async #query(widget: Widget, path: readonly (string | number)[]): Promise<void> {
    const name = nameWidget(widget);
    if (listForeignApps(this.#app.appId, widget.conditions).length > 0) {
      this.#untried.set(name, "it needs another app");
      return;
    }
    const { state, reason, problems } = await this.#world.engine.queryWidget(this.#app.appId, widget.id);
    this.#setting.signal.throwIfAborted();
    if (state === "ready") this.#done.add(name);
    else this.#findings.add("CHECK_WIDGET_FAILED", `${name} is ${state}: ${reason ?? "no reason is known"}`, path);
    for (const { code, message } of problems) this.#findings.add(code, `${name}: ${message}`, path);
  }

  #placeOf(hook: Hook): readonly (string | number)[] {
    return ["hooks", this.#app.dictionary.hooks.indexOf(hook)];
  }
}

function nameHook({ id }: Pick<Hook, "id">): string {
  return `hook "${id}"`;
}

function nameWidget({ id }: Pick<Widget, "id">): string {
  return `widget "${id}"`;
}
