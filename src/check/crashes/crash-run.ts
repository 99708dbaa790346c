/** One run of an app from its install to its uninstall, by whatever number of engines it takes. */
import { setTimeout as sleep } from "node:timers/promises";
import { listForeignApps } from "../../core/hooks/surfaces.ts";
import type { Json } from "../../core/json/json.ts";
import { findAskedRequest } from "../../core/task/waiting.ts";
import type { Engine, TaskView } from "../../engine/api.ts";
import type { Host } from "../../engine/ports/host.ts";
import { createSeededRandom } from "../../standin/random.ts";
import {
  buildActionRequest,
  buildInstallRequest,
  buildUpgradeRequest,
  isPressable,
  runsAtUpgrades,
} from "../hooks/requests.ts";
import { lookAtHost } from "../leaves/host-sight.ts";
import type { LevelSetting } from "../levels/level.ts";
import type { PlayedApp } from "../subject.ts";
import { listTasks, type Pressed, seeThrough } from "../world/see-through.ts";
import type { World } from "../world/worlds.ts";

/** Ms in which an app has to come to rest, and between two looks. */
const SETTLED_MS = 10_000;
const POLL_MS = 50;

/** What a run came to. */
export interface RunEnd {
  /** Every task of it, those below another one too, in the order they were begun. */
  readonly tasks: readonly TaskView[];
  /** Hooks a person had to decide about, as they were then. */
  readonly stops: readonly TaskView[];
  /** The hook of each request a person had sent again, as it may have arrived. */
  readonly asked: readonly string[];
  /** Of the app on the host before it goes, without the host's own address; null where there is none. */
  readonly values: Json;
  readonly appState: string;
  /** What was on the host once the app had gone: kinds and names. */
  readonly left: readonly string[];
}

/**
 * Plays an app: an install, every action a person can press, an upgrade where a hook runs at one, an update, and an uninstall
 * with its data.
 */
export class CrashRun {
  readonly #app: PlayedApp;
  readonly #world: World;
  readonly #setting: LevelSetting;
  readonly #stops: TaskView[] = [];
  /** Hooks, by task, method, address and time: one question may be put again by the next engine. */
  readonly #asked = new Map<string, string>();

  constructor(app: PlayedApp, world: World, setting: LevelSetting) {
    this.#app = app;
    this.#world = world;
    this.#setting = setting;
  }

  /** Rejects with the signal's reason, and with what an engine refuses. */
  async play(): Promise<RunEnd> {
    const { appId, dictionary } = this.#app;
    const { seed } = this.#setting;
    const roots: string[] = [];
    const request = buildInstallRequest(dictionary, createSeededRandom(seed));
    roots.push(await this.#see((engine) => engine.install(appId, request)));
    for (const hook of dictionary.hooks) {
      if (!isPressable(hook) || listForeignApps(appId, hook.conditions).length > 0) continue;
      if (hook.rerun === "refuse" && (await this.#hasRun(hook.id))) continue;
      const { standin } = this.#world;
      const action = await this.#ask(async (_, host) =>
        buildActionRequest(appId, hook, { host, standin }, createSeededRandom(seed)),
      );
      if (action !== null) roots.push(await this.#see((engine) => engine.runAction(appId, hook.id, action)));
    }
    if (dictionary.hooks.some(runsAtUpgrades) && this.#world.standin.control.release(appId) !== undefined) {
      const upgrade = buildUpgradeRequest(dictionary, createSeededRandom(seed));
      roots.push(await this.#see((engine) => engine.upgrade(appId, upgrade)));
    }
    roots.push(await this.#see((engine) => engine.update(appId, {})));
    const app = await this.#ask(async (_, host) => this.#readSettled(host));
    if (app.appState !== NOT_THERE)
      roots.push(await this.#see((engine) => engine.uninstall(appId, { keepData: false })));
    const tasks = await this.#ask(async (engine) =>
      roots.flatMap((id) => {
        const task = engine.task(id);
        return task === null ? [] : listTasks(task);
      }),
    );
    const left = [...lookAtHost(this.#world).values()].map(({ kind, at }) => `the ${kind} "${at}"`);
    return { ...app, tasks, stops: this.#stops, asked: [...this.#asked.values()], left };
  }

  async #hasRun(hookId: string): Promise<boolean> {
    const tasks = await this.#ask(async (engine) => engine.tasks().flatMap(listTasks));
    return tasks.some((task) => task.hookId === hookId && task.state === "COMPLETED");
  }

  /** Begins a task, once, and sees it through to its end; its id. */
  async #see(start: (engine: Engine) => Promise<TaskView>): Promise<string> {
    const known = await this.#ask(async (engine) => new Set(engine.tasks().map(({ id }) => id)));
    // the engine may have died with the task on disk, before it could say so
    const id = await this.#ask(async (engine) => {
      const begun = engine.tasks().find((task) => !known.has(task.id));
      return (begun ?? (await start(engine))).id;
    });
    await this.#ask((engine) => seeThrough(engine, id, (task) => this.#decide(task), this.#setting.signal));
    return id;
  }

  /** A request that may have arrived is sent again; whatever else stops a hook is skipped and told. */
  #decide(task: TaskView): Pressed {
    const request = findAskedRequest(task.waitingFor);
    if (request === undefined) {
      this.#stops.push(task);
      return "skip";
    }
    this.#asked.set(JSON.stringify([task.id, request]), task.hookId ?? "");
    return "retry";
  }

  /** What is asked of the engine, asked again of the next one where it dies over it. */
  async #ask<T>(ask: (engine: Engine, host: Host) => Promise<T>): Promise<T> {
    const world = this.#world;
    for (;;) {
      this.#setting.signal.throwIfAborted();
      if (world.isDead()) await world.revive();
      const died = world.death();
      try {
        const answer = await Promise.race([
          ask(world.engine, world.host).then((answered) => ({ answered })),
          died.then(() => null),
        ]);
        if (answer !== null) return answer.answered;
      } catch (error) {
        if (!world.isDead()) throw error;
      }
    }
  }

  /** The app once it is not on its way any more, as it is after an update for a while. */
  async #readSettled(host: Host): Promise<Pick<RunEnd, "values" | "appState">> {
    for (let waited = 0; ; waited += POLL_MS) {
      const app = await this.#readApp(host);
      if (app.appState !== "DEPLOYING" || waited >= SETTLED_MS) return app;
      await sleep(POLL_MS, undefined, { signal: this.#setting.signal });
    }
  }

  async #readApp(host: Host): Promise<Pick<RunEnd, "values" | "appState">> {
    const installed = (await host.apps()).find(({ appId }) => appId === this.#app.appId);
    const values = installed === undefined ? null : await host.appConfig(installed.name);
    return {
      values: withoutAddress(values, this.#world.standin.lanIp),
      appState: installed?.state ?? NOT_THERE,
    };
  }
}

const NOT_THERE = "not there";

/** Each world's host has an address of its own. */
function withoutAddress(values: Json, lanIp: string): Json {
  return JSON.parse(JSON.stringify(values).replaceAll(lanIp, "0.0.0.0"));
}
