/** Somebody who is not impressed by an engine's death: asks the next one again, and sees every task through. */
import { setTimeout as sleep } from "node:timers/promises";
import type { Json } from "../../core/json/json.ts";
import { findAskedRequest } from "../../core/task/waiting.ts";
import type { Engine, TaskView } from "../../engine/api.ts";
import type { Host } from "../../engine/ports/host.ts";
import { lookAtHost } from "../leaves/host-sight.ts";
import { listTasks, type Pressed, seeThrough } from "../world/see-through.ts";
import type { World } from "../world/worlds.ts";

/** Ms in which an app has to come to rest, and between two looks. */
const SETTLED_MS = 10_000;
const POLL_MS = 50;

/** An app on its host. */
export interface RestingApp {
  readonly appId: string;
  /** Without the host's own address; null where it is not there. */
  readonly values: Json;
  /** As the host says it, or `NOT_THERE`. */
  readonly state: string;
}

/** State of an app that is not on its host. */
export const NOT_THERE = "not there";

/** What a person sees through in a world, by whatever number of engines it takes. */
export class Undying {
  readonly world: World;
  readonly #signal: AbortSignal;
  readonly #roots: string[] = [];
  readonly #stops: TaskView[] = [];
  /** Hooks, by task, method, address and time: one question may be put again by the next engine. */
  readonly #asked = new Map<string, string>();

  constructor(world: World, signal: AbortSignal) {
    this.world = world;
    this.#signal = signal;
  }

  /** Begins a task, once, and sees it through to its end. Rejects with the signal's reason, and with what an engine refuses. */
  async see(start: (engine: Engine) => Promise<TaskView>): Promise<void> {
    const known = await this.ask(async (engine) => new Set(engine.tasks().map(({ id }) => id)));
    // the engine may have died with the task on disk, before it could say so
    const id = await this.ask(async (engine) => {
      const begun = engine.tasks().find((task) => !known.has(task.id));
      return (begun ?? (await start(engine))).id;
    });
    this.#roots.push(id);
    await this.ask((engine) => seeThrough(engine, id, (task) => this.#decide(task), this.#signal));
  }

  /** What is asked of the engine, asked again of the next one where it dies over it. */
  async ask<T>(ask: (engine: Engine, host: Host) => Promise<T>): Promise<T> {
    const { world } = this;
    for (;;) {
      this.#signal.throwIfAborted();
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

  /** An app once it is not on its way any more, as it is after an update for a while. */
  async readSettled(appId: string): Promise<RestingApp> {
    return await this.ask(async (_, host) => {
      for (let waited = 0; ; waited += POLL_MS) {
        const app = await this.#readApp(host, appId);
        if (app.state !== "DEPLOYING" || waited >= SETTLED_MS) return app;
        await sleep(POLL_MS, undefined, { signal: this.#signal });
      }
    });
  }

  /** Every task begun so far, those below another one too, in the order they were begun. */
  async listTasks(): Promise<readonly TaskView[]> {
    return await this.ask(async (engine) =>
      this.#roots.flatMap((id) => {
        const task = engine.task(id);
        return task === null ? [] : listTasks(task);
      }),
    );
  }

  /** Hooks a person had to decide about, as they were then. */
  stops(): readonly TaskView[] {
    return this.#stops;
  }

  /** The hook of each request a person had sent again, as it may have arrived. */
  asked(): readonly string[] {
    return [...this.#asked.values()];
  }

  /** What is on the host: kinds and names. */
  listTraces(): readonly string[] {
    return [...lookAtHost(this.world).values()].map(({ kind, at }) => `the ${kind} "${at}"`);
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

  async #readApp(host: Host, appId: string): Promise<RestingApp> {
    const installed = (await host.apps()).find((app) => app.appId === appId);
    const values = installed === undefined ? null : await host.appConfig(installed.name);
    return { appId, values: this.#withoutAddress(values), state: installed?.state ?? NOT_THERE };
  }

  /** Each world's host has an address of its own. */
  #withoutAddress(values: Json): Json {
    return JSON.parse(JSON.stringify(values).replaceAll(this.world.standin.lanIp, "0.0.0.0"));
  }
}
