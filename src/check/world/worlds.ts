/** A host and an engine of their own for each app that is played; the sandbox alone is shared. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Sandbox } from "../../../sandbox/contract.ts";
import { createSandbox, type SandboxOptions } from "../../../sandbox/sandbox.ts";
import { createScriptIo } from "../../adapters/script-io/script-io.ts";
import type { HostFacts } from "../../core/plan/host-facts.ts";
import type { Engine } from "../../engine/api.ts";
import type { EngineSettings } from "../../engine/engine-settings.ts";
import type { Host } from "../../engine/ports/host.ts";
import { makeNamedFolder, writeBelow } from "../../files/write-below.ts";
import type { AppTable } from "../../standin/apps/answers.ts";
import { listDeclaredPorts } from "../../standin/apps/values.ts";
import { createStandinHost, type StandinHost } from "../../standin/standin.ts";
import type { LineCount } from "../lines/line-count.ts";
import type { PlayedRuns } from "../played-run.ts";
import { createScenarioSandbox } from "../scenarios/scenario-sandbox.ts";
import type { PlayedApp } from "../subject.ts";
import { type AskedRequest, createFakedIo, type FakedNetwork } from "./faked-io.ts";
import { openLife } from "./life.ts";
import type { Fate } from "./mortal-store.ts";
import { offerApps } from "./offer-apps.ts";
import type { Weather } from "./weather.ts";

/** Divides every duration of the embedded host. */
const SPEED = 50;

const MIB = 1024 * 1024;

/** All hosts of a check have one id: a run after a crash is held against one on another host. */
const HOST_SEED = 1;

/** Where one app is played. */
export interface World {
  /** The one that was opened last, as is the host's client. */
  readonly engine: Engine;
  readonly host: Host;
  readonly standin: Pick<StandinHost, "control" | "dir" | "lanIp" | "localPath">;
  /** What scripts have asked for so far: its apps in their order, then what is outside. */
  requests(): readonly AskedRequest[];
  /** Resolves when its engine has died as its fate says; never where it lives on. */
  death(): Promise<void>;
  /** Its engine has died, and no other one was opened. */
  isDead(): boolean;
  /** Waits for its engine's death, and opens another one on the database as it was then. */
  revive(): Promise<void>;
  /** Ends everything in it and removes its folder. */
  close(): Promise<void>;
}

/** An app of a world, and what it answers. */
export interface OfferedApp {
  readonly app: PlayedApp;
  readonly fake: AppTable;
}

/** What differs from a plain world. */
export interface WorldOptions {
  /** Other apps of its catalog. */
  readonly beside?: readonly OfferedApp[];
  readonly weather?: Weather;
  /** The host's; by default the embedded host's own. */
  readonly machine?: Pick<HostFacts, "memoryMb" | "cores" | "gpus">;
  /** Is told which lines of the app's scripts were reached. */
  readonly lines?: LineCount;
  /** What its engine is made with instead of the usual. */
  readonly made?: Partial<Pick<EngineSettings, "catalog" | "randomness">>;
  /** Are told what ran in it when it ends. */
  readonly runs?: PlayedRuns;
  /** When its engines die; by default they don't. */
  readonly fate?: Fate;
  /** Every outcome of a hook is delivered into a fresh isolate, played back to where the hook stands. */
  readonly alwaysReplay?: boolean;
}

/** Opens worlds; what they share ends with `close`. */
export class Worlds {
  /** Evaluates scenarios; nothing of it is started before the first. */
  readonly scenarios = createScenarioSandbox();
  readonly #networks = new Map<string, FakedNetwork>();
  readonly #makeSandbox: (options: SandboxOptions) => Sandbox;
  /** Of runs that are played back at every outcome, and of all others. */
  readonly #sandboxes = new Map<boolean, Sandbox>();

  constructor(makeSandbox: (options: SandboxOptions) => Sandbox = createSandbox) {
    this.#makeSandbox = makeSandbox;
  }

  /** Opens a world that offers an app, which answers from its fake, and those beside it. */
  async open(app: PlayedApp, fake: AppTable, options: WorldOptions = {}): Promise<World> {
    const { beside = [], weather, machine, made = {}, runs, lines, fate = null, alwaysReplay = false } = options;
    const offers = [{ app, fake }, ...beside];
    const dir = mkdtempSync(join(tmpdir(), "slipway-check-"));
    const ends: (() => Promise<void> | void)[] = [() => rmSync(dir, { recursive: true, force: true })];
    const close = async () => {
      const faults: unknown[] = [];
      for (const end of ends.splice(0).reverse()) {
        try {
          await end();
        } catch (error) {
          // what can't be closed keeps nothing else open
          faults.push(error);
        }
      }
      if (faults.length > 0) throw faults[0];
    };
    try {
      const offered = join(dir, "catalog");
      makeNamedFolder(offered);
      for (const { app } of offers) {
        writeBelow({ root: offered, path: `${app.appId}.json`, text: app.text, replaces: "file" });
      }
      const standin = await createStandinHost({
        dir: join(dir, "host"),
        catalogs: [offered],
        speed: SPEED,
        seed: HOST_SEED,
        answers: Object.fromEntries(offers.map(({ app, fake }) => [app.appId, fake])),
        ...(machine !== undefined && {
          memoryBytes: machine.memoryMb * MIB,
          cores: machine.cores,
          gpus: machine.gpus,
        }),
      });
      ends.push(() => standin.close());
      const asked: AskedRequest[] = [];
      this.#networks.set(standin.lanIp, {
        rows: offers.flatMap(({ fake }) => fake.answers),
        ports: () => listBoundPorts(standin),
        asked: (request) => void asked.push(request),
        ...(weather !== undefined && { weather }),
        answered: (request) => {
          if (fate?.diesAtAnswer(request) === true) life.die();
        },
      });
      ends.push(() => void this.#networks.delete(standin.lanIp));
      const apps = offers.map(({ app }) => app);
      const catalog = offerApps(app.root, apps);
      const shared = this.#openSandbox(alwaysReplay);
      const sandbox = lines === undefined ? shared : lines.attach(shared);
      const open = (database: string) => openLife({ standin, file: database, catalog, sandbox, fate, made });
      let life = await open(join(dir, "slipway.db"));
      ends.push(() => life.close());
      ends.push(() => {
        if (!life.isDead()) runs?.takeTasks(life.engine.tasks());
      });
      const requests = () => [...offers.flatMap((offer) => listRequests(standin, offer)), ...asked];
      return {
        get engine() {
          return life.engine;
        },
        get host() {
          return life.host;
        },
        standin,
        requests,
        death: () => life.death.then(() => {}),
        isDead: () => life.isDead(),
        revive: async () => {
          const left = await life.death;
          await life.close();
          life = await open(left);
        },
        close,
      };
    } catch (error) {
      await close();
      throw error;
    }
  }

  /** Ends the sandboxes. */
  async close(): Promise<void> {
    await Promise.all([this.scenarios, ...this.#sandboxes.values()].map((sandbox) => sandbox.close()));
  }

  #openSandbox(alwaysReplay: boolean): Sandbox {
    const open = this.#sandboxes.get(alwaysReplay);
    if (open !== undefined) return open;
    const scriptIo = createFakedIo(createScriptIo({ loopback: true }), (lanIp) => this.#networks.get(lanIp));
    const sandbox = this.#makeSandbox({ scriptIo, allowWeakSandbox: true, alwaysReplay });
    this.#sandboxes.set(alwaysReplay, sandbox);
    return sandbox;
  }
}

/** Ports its apps have bound: one that could not be has left no container. */
function listBoundPorts({ control }: StandinHost): readonly number[] {
  return Object.values(control.state().apps).flatMap(({ containers, values }) =>
    containers.length === 0 ? [] : listDeclaredPorts(values).ports.map(({ host_port: port }) => port),
  );
}

function listRequests({ control }: StandinHost, { app: { appId }, fake }: OfferedApp): readonly AskedRequest[] {
  return control
    .requests(appId)
    .map(({ method, url, row }) => ({ appId, method, path: url, row: fake.answers[row ?? -1] ?? null }));
}
