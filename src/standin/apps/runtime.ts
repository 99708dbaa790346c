/**
 * Stands in for Docker on the real host: containers that come up, become healthy, and answer on real ports.
 *
 * Invariants:
 * 1. An app's ports are bound before its containers exist in any view; a port that cannot be bound leaves no container.
 * 2. Containers go created -> starting -> running; nobody skips a state.
 * 3. Containers outlive the service (`restart`) and, as STOPPED or RUNNING, this process (`resume`).
 */
import type { Server } from "node:http";
import type { AppRecord, ContainerRecord } from "../host-state.ts";
import type { Random } from "../random.ts";
import { createUpFailure } from "../rpc/rpc-error.ts";
import { type AppAnswers, AppAnswersFile, type AppTable, DEFAULT_START_MS, NO_TABLE } from "./answers.ts";
import { deriveAppState } from "./entry.ts";
import { type AppPhase, type AppRequest, closeListener, listenAsApp } from "./listener.ts";
import { listDeclaredPorts, listMounts } from "./values.ts";

/** Requests kept per app. */
const KEPT_REQUESTS = 1000;

/** ms from created to starting, at speed 1. */
const CREATED_MS = 100;

/** How a start-up ends. */
export type StartOutcome = "healthy" | "crashes" | "never-healthy";

interface RuntimeSurroundings {
  readonly address: string;
  readonly random: Random;
  now(): number;
  /** Waits `ms` divided by the speed. */
  pace(ms: number, signal: AbortSignal): Promise<void>;
  /** `ms` divided by the speed. */
  paced(ms: number): number;
  /** Asked once per start. */
  outcome(): StartOutcome;
  /** The app's containers changed: make it durable and tell the listeners. */
  changed(app: AppRecord): void;
}

interface LiveApp {
  readonly servers: Server[];
  readonly stop: AbortController;
  warmUntil: number;
}

export class AppRuntime {
  readonly #surroundings: RuntimeSurroundings;
  readonly #live = new Map<string, LiveApp>();
  readonly #tables = new Map<string, AppTable>();
  readonly #requests = new Map<string, AppRequest[]>();

  constructor(surroundings: RuntimeSurroundings, tables: Readonly<Record<string, AppAnswers>>) {
    this.#surroundings = surroundings;
    for (const [id, table] of Object.entries(tables)) this.setAnswers(id, table);
  }

  /** Sets the HTTP answers of an instance or a catalog id from now on; its times count from its next start on. */
  setAnswers(id: string, table: unknown): void {
    this.#tables.set(id, AppAnswersFile.parse(table));
  }

  /** Sets them where none were set before: what a catalog brings replaces nothing. */
  offerAnswers(id: string, table: unknown): void {
    if (!this.#tables.has(id)) this.setAnswers(id, table);
  }

  /** Oldest first. */
  requests(name: string): readonly AppRequest[] {
    return this.#requests.get(name) ?? [];
  }

  /** Forgets what the apps have been asked. */
  forgetRequests(): void {
    this.#requests.clear();
  }

  /** Creates and starts an app's containers; resolves when they are created. Throws the engine's call error. */
  async up(app: AppRecord): Promise<void> {
    await this.down(app);
    const live = await this.#bind(app);
    app.containers = this.#containers(app);
    this.#surroundings.changed(app);
    void this.#becomeHealthy(app, live);
  }

  /** Stops and removes an app's containers. */
  async down(app: AppRecord): Promise<void> {
    const live = this.#live.get(app.name);
    this.#live.delete(app.name);
    live?.stop.abort();
    await Promise.all((live?.servers ?? []).map(closeListener));
    app.containers = [];
  }

  /** After a start of this process: apps that had containers listen again, those starting go on. */
  async resume(apps: readonly AppRecord[]): Promise<void> {
    for (const app of apps) {
      const state = deriveAppState(app.containers);
      if (state !== "RUNNING" && state !== "DEPLOYING") continue;
      try {
        const live = await this.#bind(app);
        if (state === "DEPLOYING") void this.#becomeHealthy(app, live);
      } catch {
        setStates(app, "crashed");
        this.#surroundings.changed(app);
      }
    }
  }

  /** Ends all listeners; the containers stay as they are, for `resume`. */
  async close(): Promise<void> {
    const all = [...this.#live.values()];
    this.#live.clear();
    for (const { stop } of all) stop.abort();
    await Promise.all(all.flatMap(({ servers }) => servers.map(closeListener)));
  }

  async #bind(app: AppRecord): Promise<LiveApp> {
    const live: LiveApp = { servers: [], stop: new AbortController(), warmUntil: 0 };
    this.#live.set(app.name, live);
    const owner = {
      name: app.name,
      answers: () => this.#table(app).answers,
      phase: () => this.#phase(app, live),
      now: () => this.#surroundings.now(),
      record: (request: AppRequest) => this.#record(app.name, request),
    };
    try {
      for (const { host_port: port, protocol } of listDeclaredPorts(app.values).ports) {
        if (protocol === "tcp") live.servers.push(await listenAsApp(owner, this.#surroundings.address, port));
        // Another verb may have stopped or started the app meanwhile: its containers, not these, are the app's.
        live.stop.signal.throwIfAborted();
      }
    } catch {
      if (this.#live.get(app.name) === live) this.#live.delete(app.name);
      await Promise.all(live.servers.map(closeListener));
      throw createUpFailure(app.name);
    }
    return live;
  }

  async #becomeHealthy(app: AppRecord, live: LiveApp): Promise<void> {
    const { pace, paced, now, outcome, changed } = this.#surroundings;
    const { signal } = live.stop;
    const table = this.#table(app);
    const end = outcome();
    try {
      await pace(CREATED_MS, signal);
      setStates(app, "starting");
      changed(app);
      if (end === "never-healthy") return;
      await pace(table.startMs ?? DEFAULT_START_MS, signal);
      setStates(app, end === "crashes" ? "crashed" : "running");
      live.warmUntil = now() + paced(table.warmMs ?? 0);
      changed(app);
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  }

  #containers(app: AppRecord): ContainerRecord[] {
    const mounts = listMounts(app.name, app.values);
    const { random } = this.#surroundings;
    return [
      {
        id: random.hex(64),
        service_name: app.catalogApp,
        image: `${app.catalogApp}:${app.version}`,
        state: "created",
        ports: [...listDeclaredPorts(app.values).ports],
        mounts,
      },
      {
        id: random.hex(64),
        service_name: "permissions",
        image: "ixsystems/container-utils:1.0.2",
        state: "created",
        ports: [],
        mounts: mounts.map((mount) => ({ ...mount, destination: `/mnt/permission${mount.destination}` })),
      },
    ];
  }

  #table(app: AppRecord): AppTable {
    return this.#tables.get(app.name) ?? this.#tables.get(app.catalogApp) ?? NO_TABLE;
  }

  #phase(app: AppRecord, live: LiveApp): AppPhase {
    if (app.containers[0]?.state !== "running") return "starting";
    return this.#surroundings.now() < live.warmUntil ? "warming" : "ready";
  }

  #record(name: string, request: AppRequest): void {
    const kept = this.#requests.get(name) ?? [];
    kept.push(request);
    if (kept.length > KEPT_REQUESTS) kept.shift();
    this.#requests.set(name, kept);
  }
}

/** Moves the main container on; the permissions helper has done its work as soon as the main one starts. */
function setStates(app: AppRecord, main: ContainerRecord["state"]): void {
  app.containers = app.containers.map((container, index) => ({ ...container, state: index === 0 ? main : "exited" }));
}
