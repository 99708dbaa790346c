/** A host and an engine of their own for each app that is played; the sandbox alone is shared. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Sandbox } from "../../../sandbox/contract.ts";
import { createSandbox } from "../../../sandbox/sandbox.ts";
import { createHostRpc } from "../../adapters/host-rpc/create-host-rpc.ts";
import { createLocalFolders } from "../../adapters/local-folders.ts";
import { createScriptIo } from "../../adapters/script-io/script-io.ts";
import { openStore } from "../../adapters/store-sqlite/open-store.ts";
import type { HostFacts } from "../../core/plan/host-facts.ts";
import type { Engine } from "../../engine/api.ts";
import { createEngine } from "../../engine/engine.ts";
import type { Host } from "../../engine/ports/host.ts";
import { createSystemClock } from "../../engine/system/clock.ts";
import { SILENT_LOGGER } from "../../engine/system/silent-logger.ts";
import type { AppTable } from "../../standin/apps/answers.ts";
import { listDeclaredPorts } from "../../standin/apps/values.ts";
import { STANDIN_LOCATIONS, STANDIN_OPTIONAL_LOCATIONS } from "../../standin/locations.ts";
import { createStandinHost, type StandinHost } from "../../standin/standin.ts";
import type { PlayedRuns } from "../played-run.ts";
import type { PlayedApp } from "../subject.ts";
import { type AskedRequest, createFakedIo, type FakedNetwork } from "./faked-io.ts";
import { offerOne } from "./offer-one.ts";
import type { Weather } from "./weather.ts";

/** Divides every duration of the embedded host. */
const SPEED = 50;

const MIB = 1024 * 1024;

/** Short pauses; deadlines are the engine's own. No look for drift comes in between. */
const TIMING = { appPoll: 10, appPollMost: 50, hostRetry: 50, oauthPoll: 20, driftEvery: 0 } as const;

/** Where one app is played. */
export interface World {
  readonly engine: Engine;
  readonly host: Host;
  readonly standin: Pick<StandinHost, "control" | "localPath">;
  /** What scripts have asked for so far: the app first, then what is outside. */
  requests(): readonly AskedRequest[];
  /** Ends everything in it and removes its folder. */
  close(): Promise<void>;
}

/** What differs from a plain world. */
export interface WorldOptions {
  readonly weather?: Weather;
  /** The host's; by default the embedded host's own. */
  readonly machine?: Pick<HostFacts, "memoryMb" | "cores" | "gpus">;
  /** Are told what ran in it when it ends. */
  readonly runs?: PlayedRuns;
}

/** Opens worlds; what they share ends with `close`. */
export class Worlds {
  readonly #networks = new Map<string, FakedNetwork>();
  #sandbox: Sandbox | null = null;

  /** Opens a world that offers one app, which answers from its fake. */
  async open(app: PlayedApp, fake: AppTable, { weather, machine, runs }: WorldOptions = {}): Promise<World> {
    const { appId, text, root, file } = app;
    const dir = mkdtempSync(join(tmpdir(), "slipway-check-"));
    const ends: (() => Promise<void> | void)[] = [() => rmSync(dir, { recursive: true, force: true })];
    const close = async () => {
      for (const end of ends.splice(0).reverse()) await end();
    };
    try {
      const offered = join(dir, "catalog");
      mkdirSync(offered);
      writeFileSync(join(offered, `${appId}.json`), text);
      const standin = await createStandinHost({
        dir: join(dir, "host"),
        catalogs: [offered],
        speed: SPEED,
        answers: { [appId]: fake },
        ...(machine !== undefined && {
          memoryBytes: machine.memoryMb * MIB,
          cores: machine.cores,
          gpus: machine.gpus,
        }),
      });
      ends.push(() => standin.close());
      const asked: AskedRequest[] = [];
      this.#networks.set(standin.lanIp, {
        rows: fake.answers,
        ports: () => listBoundPorts(standin),
        asked: (request) => void asked.push(request),
        ...(weather !== undefined && { weather }),
      });
      ends.push(() => void this.#networks.delete(standin.lanIp));
      const clock = createSystemClock();
      const host = createHostRpc({
        url: standin.url,
        username: standin.username,
        apiKey: standin.apiKey,
        trustPlaintext: true,
        locations: { ...STANDIN_LOCATIONS, ...STANDIN_OPTIONAL_LOCATIONS },
        localRoot: join(dir, "host"),
        clock,
        logger: SILENT_LOGGER,
      });
      ends.push(() => host.close());
      const engine = createEngine({
        host,
        store: openStore({ file: join(dir, "slipway.db") }),
        catalog: offerOne({ root, file, dictionary: app.dictionary }),
        sandbox: this.#openSandbox(),
        folders: createLocalFolders(),
        clock,
        production: false,
        timing: TIMING,
      });
      ends.push(() => engine.close());
      ends.push(() => runs?.takeTasks(engine.tasks()));
      await engine.recover();
      const requests = () => [...listRequests(standin, appId, fake), ...asked];
      return { engine, host, standin, requests, close };
    } catch (error) {
      await close();
      throw error;
    }
  }

  /** Ends the sandbox. */
  async close(): Promise<void> {
    await this.#sandbox?.close();
  }

  #openSandbox(): Sandbox {
    this.#sandbox ??= createSandbox({
      scriptIo: createFakedIo(createScriptIo({ loopback: true }), (lanIp) => this.#networks.get(lanIp)),
      allowWeakSandbox: true,
    });
    return this.#sandbox;
  }
}

/** Ports its apps have bound: one that could not be has left no container. */
function listBoundPorts({ control }: StandinHost): readonly number[] {
  return Object.values(control.state().apps).flatMap(({ containers, values }) =>
    containers.length === 0 ? [] : listDeclaredPorts(values).ports.map(({ host_port: port }) => port),
  );
}

function listRequests({ control }: StandinHost, appId: string, { answers }: AppTable): readonly AskedRequest[] {
  return control
    .requests(appId)
    .map(({ method, url, row }) => ({ method, path: url, row: answers[row ?? -1] ?? null }));
}
