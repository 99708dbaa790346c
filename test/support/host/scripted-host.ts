/**
 * An honest implementation of the `Host` port in memory, for tests of the engine: it keeps the port's invariants
 * (test/contract/host.test.ts runs on it too) and does what a script tells it to: a job that is held, fails or is
 * aborted, an answer that is lost, a service that restarts and forgets its jobs.
 */

import { HOST_CALLS, type HostMethod } from "../../../src/adapters/host-rpc/host-calls.ts";
import { JOB_METHODS } from "../../../src/adapters/host-rpc/job-params.ts";
import type { HostFacts } from "../../../src/core/plan/host-facts.ts";
import { APPS_ACL } from "../../../src/engine/effects/files/access.ts";
import { type Delivery, HostError } from "../../../src/engine/host-error.ts";
import type { Host } from "../../../src/engine/ports/host.ts";
import type {
  AvailableApp,
  HostApp,
  HostFault,
  HostJob,
  JobCall,
  JobRef,
} from "../../../src/engine/ports/host-records.ts";
import {
  cloneSnapshot,
  dropSnapshot,
  listBelow,
  promoteDataset,
  renameDataset,
  takeSnapshot,
} from "../engine/scripted-clones.ts";
import {
  aclAt,
  addDataset,
  addDirectory,
  createWorld,
  datasetAt,
  datasetFault,
  faultOf,
  mkdirFault,
  pathAt,
  perform,
  realPathOf,
  type World,
  type WorldOptions,
} from "../engine/scripted-world.ts";

/** How a scripted job ends. `fault` with `acted` fails after its work was done (a half-done upgrade). */
export type JobEnding =
  | { readonly state: "FAILED"; readonly fault: HostFault; readonly acted?: boolean }
  | { readonly state: "ABORTED"; readonly acted?: boolean };

/** What a test can make the host do. Everything scripted applies to the next call of the method, once. */
export interface HostScript {
  /** Every call that reached the host, in order, secrets included. */
  readonly calls: readonly RecordedCall[];
  readonly world: World;
  /** The calls of class `create` and `mutate` among them. */
  changes(): readonly RecordedCall[];
  /** Jobs whose work was done, in order. */
  readonly done: readonly RecordedCall[];
  /** The next call of the method is rejected without acting. */
  refuse(method: HostMethod, fault: HostFault, delivery?: Delivery): void;
  /** The answer to the next call of the method is lost; `acted` says whether the host had accepted it. */
  loseAnswer(method: HostMethod, acted: boolean): void;
  /** The next job of the method ends so instead of doing its work. */
  endJob(method: JobMethod, ending: JobEnding): void;
  /** Jobs of the method that start from now on stop in RUNNING until the returned function is called. */
  hold(method: JobMethod): () => void;
  /** The host's service restarts: jobs are forgotten, ids start at 1. Unfinished work is done first when `finish`. */
  restart(finish: boolean): void;
  setAppsService(status: string): void;
  setAppState(name: string, state: string): void;
  setApp(name: string, patch: Partial<HostApp>): void;
}

export interface RecordedCall {
  readonly method: HostMethod;
  readonly params: unknown;
  readonly requestId?: string;
}

export interface ScriptedHostOptions extends WorldOptions {
  readonly facts?: Partial<Omit<HostFacts, "apps">>;
  /** Where host paths lie on this machine; default: at the same path. */
  readonly localRoot?: string;
  /** UTC ms; default: counts up by one from a fixed moment. */
  readonly now?: () => number;
}

/** A job as the script names it: by the host's method. */
export type JobMethod = (typeof JOB_METHODS)[JobCall["method"]];

type Job = { call: JobCall; requestId: string; shown: HostJob; watchers: Set<() => void> };

/** Creates a scripted host; its jobs run by themselves, a step per turn of the event loop, unless held. */
export function createScriptedHost(options: ScriptedHostOptions = {}): Host & { readonly script: HostScript } {
  const world = createWorld(options);
  const calls: RecordedCall[] = [];
  const done: RecordedCall[] = [];
  const refusals = new Map<HostMethod, { fault: HostFault; delivery: Delivery; acted: boolean }[]>();
  const endings = new Map<string, JobEnding[]>();
  const held = new Map<string, { readonly waiting: Set<() => void>; released: boolean }>();
  let jobs: Job[] = [];
  let nextJobId = 1;
  let ticks = Date.UTC(2026, 0, 1);
  let appsStatus = "RUNNING";
  let closed = false;
  const now = options.now ?? (() => ticks++);

  /** Records the call, then lets it act unless it is scripted otherwise; a lost answer is thrown after acting. */
  async function answer<T>(method: HostMethod, params: unknown, act: () => T, requestId?: string): Promise<T> {
    await Promise.resolve();
    if (closed) throw new HostError(faultOf("HOST_CLOSED", "the host client is closed"), "no");
    const scripted = refusals.get(method)?.shift();
    if (scripted?.delivery !== "no") calls.push({ method, params, ...(requestId !== undefined && { requestId }) });
    if (scripted !== undefined && !scripted.acted) throw new HostError(scripted.fault, scripted.delivery);
    const result = act();
    if (scripted !== undefined) throw new HostError(scripted.fault, scripted.delivery);
    return result;
  }

  function script(method: HostMethod, row: { fault: HostFault; delivery: Delivery; acted: boolean }): void {
    refusals.set(method, [...(refusals.get(method) ?? []), row]);
  }

  function requireAppsService(): void {
    if (appsStatus !== "RUNNING")
      throw new HostError(
        faultOf("HOST_APPS_UNAVAILABLE", `the apps service is ${appsStatus}`, { retryable: true }),
        "yes",
      );
  }

  /** An app as the next question sees it; every question brings a deploying app nearer to RUNNING. */
  function look(name: string): HostApp | null {
    const instance = world.instances.get(name);
    if (instance === undefined) return null;
    const seen = instance.app;
    if (seen.state === "DEPLOYING" && --instance.deployingFor <= 0) instance.app = { ...seen, state: "RUNNING" };
    return seen;
  }

  function show(job: Job, patch: Partial<HostJob>): void {
    job.shown = { ...job.shown, ...patch };
    for (const wake of [...job.watchers]) wake();
  }

  function finish(job: Job): void {
    const ending = endings.get(JOB_METHODS[job.call.method])?.shift();
    const fault = ending === undefined || ending.acted === true ? work(job) : null;
    show(job, ending === undefined ? endOf(fault) : scriptedEnd(job.call.method, ending));
  }

  function work({ call, requestId }: Job): HostFault | null {
    if (JOB_METHODS[call.method].startsWith("app.") && appsStatus !== "RUNNING")
      return faultOf("HOST_APPS_UNAVAILABLE", "[EFAULT] Docker service is not running", { errname: "EFAULT" });
    const fault = perform(world, call);
    if (fault === null) done.push({ method: JOB_METHODS[call.method], params: call, requestId });
    return fault;
  }

  /** One step per turn of the event loop: RUNNING, then (unless held) the end. */
  function run(job: Job): void {
    // A hold that begins later is one of later jobs.
    const hold = held.get(JOB_METHODS[job.call.method]);
    setImmediate(() => {
      if (!jobs.includes(job)) return;
      show(job, { state: "RUNNING", percent: 60, description: "App installation in progress, pulling images" });
      const end = () => setImmediate(() => jobs.includes(job) && finish(job));
      if (hold === undefined || hold.released) end();
      else hold.waiting.add(end);
    });
  }

  function find(ref: JobRef): Job | undefined {
    return (
      jobs.find((job) => job.requestId === ref.requestId && job.call.method === ref.method) ??
      jobs.find(({ shown }) => shown.id === ref.id && shown.method === ref.method && shown.startedAt === ref.startedAt)
    );
  }

  const publishedPorts = (): number[] =>
    [...world.instances.values()].flatMap(({ app }) => (app.state === "STOPPED" ? [] : app.publishedPorts));

  const readFacts = (): HostFacts => {
    requireAppsService();
    return {
      lanIp: "127.0.0.1",
      hostId: "5c217ed0",
      memoryMb: 16_384,
      cores: 4,
      locations: { Performance: "/mnt/tank/apps" },
      gpus: [],
      ...options.facts,
      apps: Object.fromEntries(
        [...world.instances.values()].map(({ app }) => [
          app.appId,
          { state: app.state, version: app.version, ports: app.publishedPorts },
        ]),
      ),
    };
  };

  const offeredApp = (catalogApp: string): AvailableApp | null => {
    const offered = world.catalog.get(catalogApp);
    if (offered === undefined) return null;
    const { train, title, icon, versions } = offered;
    return { catalogApp, train, title, icon, latestVersion: versions.at(-1) ?? "" };
  };

  return {
    facts: () => answer("system.info", [], readFacts),
    appsService: () => answer("docker.status", [], () => ({ status: appsStatus, description: "" })),
    localPath: (path) => (options.localRoot === undefined ? path : options.localRoot + path),

    apps: () =>
      answer("app.query", [], () => {
        requireAppsService();
        return [...world.instances.keys()].flatMap((name) => look(name) ?? []);
      }),
    app: (name) =>
      answer("app.query", [name], () => {
        requireAppsService();
        return look(name);
      }),
    appConfig: (name) =>
      answer("app.config", [name], () => {
        const instance = world.instances.get(name);
        if (instance === undefined)
          throw new HostError(faultOf("HOST_NOT_FOUND", `App ${name} does not exist`, { errname: "ENOENT" }), "yes");
        return instance.values;
      }),
    availableApp: (catalogApp) => answer("app.available", [catalogApp], () => offeredApp(catalogApp)),
    availableApps: () =>
      answer("app.available", [], () => [...world.catalog.keys()].flatMap((id) => offeredApp(id) ?? [])),
    appQuestions: ({ catalogApp, version }) =>
      answer("catalog.get_app_details", [catalogApp, version], () => {
        const { versions = [], questions = [] } = world.catalog.get(catalogApp) ?? {};
        return questions.length > 0 && versions.includes(version) ? { questions, migrates: false } : null;
      }),
    upgradeTarget: (name) =>
      answer("app.upgrade_summary", [name], () => {
        requireAppsService();
        const instance = world.instances.get(name);
        if (instance === undefined)
          throw new HostError(faultOf("HOST_NOT_FOUND", `App ${name} does not exist`, { errname: "ENOENT" }), "yes");
        const versions = world.catalog.get(instance.app.appId)?.versions ?? [];
        const available = versions.slice(versions.indexOf(instance.app.version) + 1);
        const version = available.at(-1);
        const changelog = world.catalog.get(instance.app.appId)?.changelog;
        return version === undefined ? null : { version, available, ...(changelog !== undefined && { changelog }) };
      }),
    rollbackVersions: (name) =>
      answer("app.rollback_versions", [name], () => {
        const instance = world.instances.get(name);
        if (instance === undefined)
          throw new HostError(faultOf("HOST_NOT_FOUND", `App ${name} does not exist`, { errname: "ENOENT" }), "yes");
        return (instance.former ?? []).map(({ version }) => version);
      }),
    usedPorts: () => answer("app.used_ports", [], publishedPorts),
    appPorts: () => answer("app.query", [], publishedPorts),
    addresses: () => answer("interface.ip_in_use", [], () => []),

    startJob: (call, requestId) =>
      answer(
        JOB_METHODS[call.method],
        call,
        () => {
          const shown: HostJob = {
            id: nextJobId++,
            method: call.method,
            state: "WAITING",
            percent: 0,
            description: "",
            startedAt: now(),
          };
          const job: Job = { call, requestId, shown, watchers: new Set() };
          jobs.push(job);
          run(job);
          return job.shown;
        },
        requestId,
      ),
    findJob: (ref) => answer("core.get_jobs", ref, () => find(ref)?.shown ?? null),
    waitJob: async (ref, { signal, progress }) => {
      const job = await answer("core.get_jobs", ref, () => find(ref));
      if (job === undefined) return null;
      const { promise, resolve, reject } = Promise.withResolvers<HostJob | null>();
      const cancelled = () =>
        reject(new HostError(faultOf("HOST_CLOSED", "the wait for the job was cancelled"), "unknown"));
      const look = () => {
        if (!jobs.includes(job)) return resolve(null);
        progress(job.shown);
        if (["SUCCESS", "FAILED", "ABORTED"].includes(job.shown.state)) resolve(job.shown);
      };
      job.watchers.add(look);
      signal.addEventListener("abort", cancelled);
      if (signal.aborted) cancelled();
      else look();
      return promise.finally(() => {
        job.watchers.delete(look);
        signal.removeEventListener("abort", cancelled);
      });
    },

    stat: (path) =>
      answer("filesystem.stat", [path], () => {
        const parent = realPathOf(world, path.slice(0, path.lastIndexOf("/")));
        if (world.paths.get(parent)?.type === "FILE")
          throw new HostError(faultOf("HOST_CALL_FAILED", `[EINVAL] [Errno 20] Not a directory: '${path}'`), "yes");
        return pathAt(world, path);
      }),
    acl: (path) => answer("filesystem.getacl", [path], () => aclAt(world, path)),
    datasetOf: (path) =>
      answer("filesystem.statfs", [path], () => {
        if (!path.startsWith("/mnt/"))
          throw new HostError(
            faultOf("HOST_CALL_FAILED", `[EFAULT] ${path}: path must be below /mnt/`, { errname: "EFAULT" }),
            "yes",
          );
        const dataset = world.paths.has(path) ? datasetAt(world, path) : null;
        if (dataset === null)
          throw new HostError(
            faultOf("HOST_NOT_FOUND", `[ENOENT] ${path}: path not found`, { errname: "ENOENT" }),
            "yes",
          );
        return { dataset: dataset.name, mountpoint: dataset.mountpoint ?? "", availableBytes: 1e12 };
      }),
    makeDirectory: (path) =>
      answer("filesystem.mkdir", [path], () => {
        const fault = mkdirFault(world, path);
        if (fault !== null) throw new HostError(fault, "yes");
        addDirectory(world, realPathOf(world, path));
      }),
    createDataset: (name) =>
      answer("pool.dataset.create", [name], () => {
        const fault = datasetFault(world, name);
        if (fault !== null) throw new HostError(fault, "yes");
        addDataset(world, name, "NFSV4");
        world.acls.set(`/mnt/${name}`, APPS_ACL);
        return { isForApps: true };
      }),
    dataset: (name) => answer("pool.dataset.query", [name], () => world.datasets.get(name) ?? null),
    setDatasetAclMode: (name, mode) =>
      answer("pool.dataset.update", [name, mode], () => {
        const dataset = world.datasets.get(name);
        if (dataset === undefined)
          throw new HostError(faultOf("HOST_NOT_FOUND", `${name} does not exist`, { errname: "ENOENT" }), "yes");
        if (dataset.acltype !== "NFSV4") {
          const message = "Must be set to DISCARD when acltype is POSIX or OFF";
          const field = "pool_dataset_update.aclmode";
          throw new HostError(faultOf("HOST_INVALID", message, { fields: [{ field, message }] }), "yes");
        }
        world.datasets.set(name, { ...dataset, aclmode: mode });
      }),
    snapshotNames: (dataset) =>
      answer("pool.snapshot.query", [dataset], () =>
        // The host promises no order.
        world.snapshots.flatMap((shot) => (shot.dataset === dataset ? [shot.name] : [])).toReversed(),
      ),
    snapshots: (dataset, names) =>
      answer("pool.snapshot.query", [dataset, names], () =>
        world.snapshots.filter((shot) => shot.dataset === dataset && names.includes(shot.name)),
      ),
    createSnapshot: (snapshot) => answer("pool.snapshot.create", snapshot, () => takeSnapshot(world, snapshot)),
    deleteSnapshot: (dataset, name) =>
      answer("pool.snapshot.delete", [dataset, name], () => dropSnapshot(world, dataset, name)),
    holdsDatasets: (name) => answer("pool.dataset.query", [name], () => listBelow(world, name).length > 0),
    renamesDatasets: async () => world.renamesDatasets,
    renameDataset: (name, to) => answer("pool.dataset.rename", [name, to], () => renameDataset(world, name, to)),
    cloneSnapshot: (dataset, name, to) =>
      answer("pool.snapshot.clone", [dataset, name, to], () => cloneSnapshot(world, dataset, name, to)),
    promoteDataset: (name) => answer("pool.dataset.promote", [name], () => promoteDataset(world, name)),
    shares: () => answer("sharing.smb.query", [], () => [...world.shares]),
    createShare: (share) =>
      answer("sharing.smb.create", share, () => {
        if (!world.paths.has(share.path))
          throw new HostError(faultOf("HOST_NOT_FOUND", `[ENOENT] ${share.path}`, { errname: "ENOENT" }), "yes");
        if (world.shares.some(({ name }) => name.toLowerCase() === share.name.toLowerCase())) {
          const message = "Share names are case-insensitive and must be unique";
          const fields = [{ field: "sharingsmb_create.name", message }];
          throw new HostError(faultOf("HOST_EXISTS", message, { fields }), "yes");
        }
        world.shares.push({ ...share });
      }),
    sharesService: () =>
      answer("service.query", ["cifs"], () => ({ running: world.sharesServed, enabled: world.sharesEnabled })),
    startShares: () =>
      answer("service.control", ["START", "cifs"], () => {
        world.sharesServed = true;
        return true;
      }),
    enableShares: () =>
      answer("service.update", ["cifs", { enable: true }], () => {
        world.sharesEnabled = true;
      }),
    user: (name) => answer("user.get_user_obj", [name], () => world.users.get(name) ?? null),
    group: (name) => answer("group.get_group_obj", [name], () => world.groups.get(name) ?? null),
    close: async () => {
      closed = true;
    },

    script: {
      calls,
      done,
      world,
      changes: () => calls.filter(({ method }) => ["create", "mutate"].includes(HOST_CALLS[method].class)),
      refuse: (method, fault, delivery = "yes") => script(method, { fault, delivery, acted: false }),
      loseAnswer: (method, acted) =>
        script(method, {
          fault: faultOf("HOST_ANSWER_LOST", "the connection closed before the host answered", { retryable: true }),
          delivery: "unknown",
          acted,
        }),
      endJob: (method, ending) => endings.set(method, [...(endings.get(method) ?? []), ending]),
      hold: (method) => {
        const hold = { waiting: new Set<() => void>(), released: false };
        held.set(method, hold);
        return () => {
          hold.released = true;
          if (held.get(method) === hold) held.delete(method);
          for (const end of hold.waiting) end();
        };
      },
      restart: (finishFirst) => {
        const forgotten = jobs;
        for (const job of forgotten) if (finishFirst && ["WAITING", "RUNNING"].includes(job.shown.state)) work(job);
        jobs = [];
        nextJobId = 1;
        for (const job of forgotten) for (const wake of [...job.watchers]) wake();
      },
      setAppsService: (status) => {
        appsStatus = status;
      },
      setAppState: (name, state) => setApp(name, { state }),
      setApp,
    },
  };

  function setApp(name: string, patch: Partial<HostApp>): void {
    const instance = world.instances.get(name);
    if (instance === undefined) throw new Error(`the scripted host has no app ${name}`);
    instance.app = { ...instance.app, ...patch };
  }
}

function endOf(fault: HostFault | null): Partial<HostJob> {
  return fault === null ? { state: "SUCCESS", percent: 100 } : { state: "FAILED", error: fault };
}

function scriptedEnd(method: string, ending: JobEnding): Partial<HostJob> {
  if (ending.state === "FAILED") return { state: "FAILED", error: ending.fault };
  return {
    state: "ABORTED",
    error: faultOf("HOST_JOB_ABORTED", `the job ${method} was aborted`, { retryable: true }),
  };
}
