/** The contract suite of the `Host` port: every implementation runs it. */
import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import type { JsonObject } from "../core/json/json.ts";
import { HostError } from "../engine/host-error.ts";
import type { Host } from "../engine/ports/host.ts";
import type { HostJob, JobCall, JobRef } from "../engine/ports/host-records.ts";
import type { TestHooks } from "./test-hooks.ts";

/** One host under test, fresh, with the apps service running, no app installed, and jellyfin in train `community`. */
export interface HostUnderTest {
  readonly host: Host;
  /** A pool's dataset that exists, e.g. `tank/apps`, mounted below `/mnt`. */
  readonly dataset: string;
  /** Two versions of jellyfin the catalog offers. */
  readonly jellyfin: { readonly older: string; readonly newer: string };
  /** Forgets all jobs, as a restart of the host's service does. */
  restart(): Promise<void>;
  setAppsService(status: string): Promise<void>;
  /** Stops the service of the shares, as an administrator does. */
  stopShares(): Promise<void>;
  stop(): Promise<void>;
}

/** Declares the suite on the implementation `open` starts, by the hooks of the caller's test runner. */
export function describeHost(hooks: TestHooks, name: string, open: () => Promise<HostUnderTest>): void {
  const { afterEach, beforeEach, describe, expect, test } = hooks;
  describe(`Host port: ${name}`, () => {
    let it: HostUnderTest;
    let host: Host;
    beforeEach(async () => {
      it = await open();
      host = it.host;
    });
    afterEach(() => it.stop());

    const toPath = (rest: string) => `/mnt/${it.dataset}/${rest}`;
    const create = (more: Partial<Extract<JobCall, { method: "createApp" }>> = {}): JobCall => ({
      method: "createApp",
      name: "jellyfin",
      catalogApp: "jellyfin",
      train: "community",
      values: makeJellyfinValues(null),
      ...more,
    });
    /** Runs a job to its end. */
    async function end(call: JobCall): Promise<{ job: HostJob; seen: HostJob[]; ref: JobRef }> {
      const requestId = randomUUID();
      const started = await host.startJob(call, requestId);
      const seen: HostJob[] = [];
      const ref: JobRef = {
        requestId,
        method: call.method,
        id: started.id,
        ...(started.startedAt !== undefined && { startedAt: started.startedAt }),
      };
      const job = await host.waitJob(ref, { signal: AbortSignal.timeout(30_000), progress: (each) => seen.push(each) });
      if (job === null) throw new Error(`the host forgot ${call.method}`);
      return { job, seen, ref };
    }
    async function awaitEnd(call: JobCall): Promise<HostJob> {
      return (await end(call)).job;
    }
    async function awaitRunning(app: string): Promise<void> {
      const until = Date.now() + 20_000;
      let state = (await host.app(app))?.state;
      while (state !== "RUNNING" && Date.now() < until) {
        await delay(50);
        state = (await host.app(app))?.state;
      }
      expect(state).toBe("RUNNING");
    }

    test("facts name address, id, memory, cores and locations", async () => {
      const facts = await host.facts();
      expect(facts.lanIp).toMatch(/^\d+\.\d+\.\d+\.\d+$/);
      expect(facts.hostId).not.toBe("");
      expect(facts.memoryMb).toBeGreaterThan(0);
      expect(facts.cores).toBeGreaterThan(0);
      expect(Object.keys(facts.locations).length).toBeGreaterThan(0);
      expect(facts.apps).toEqual({});
    });

    test("a host without apps says so only while its apps service runs", async () => {
      expect(await host.apps()).toEqual([]);
      expect(await host.app("jellyfin")).toBeNull();
      expect((await host.appsService()).status).toBe("RUNNING");
      await it.setAppsService("INITIALIZING");
      expect((await host.appsService()).status).toBe("INITIALIZING");
      for (const asked of [host.apps(), host.app("jellyfin")])
        await expect(asked).rejects.toMatchObject({ code: "HOST_APPS_UNAVAILABLE", fault: { retryable: true } });
    });

    test("the catalog item is found in the train that has it, and null stands for none", async () => {
      const { newer } = it.jellyfin;
      expect(await host.availableApp("jellyfin")).toMatchObject({ train: "community", latestVersion: newer });
      expect(await host.availableApp("no-such-app")).toBeNull();
      const all = await host.availableApps();
      expect(all).toContainEqual(await host.availableApp("jellyfin"));
      expect(new Set(all.map(({ catalogApp }) => catalogApp)).size).toBe(all.length);
    });

    test("the registry of images is reached, where the host can tell", async () => {
      expect([null, { fault: null }]).toContainEqual((await host.imageRegistry?.()) ?? null);
    });

    test("createApp ends in SUCCESS, the app becomes RUNNING with its port and mounts", async () => {
      await host.makeDirectory(toPath("config"));
      const { job, seen } = await end(create({ values: makeJellyfinValues(toPath("config")) }));
      expect(job).toMatchObject({ method: "createApp", state: "SUCCESS", percent: 100 });
      expect(seen.map(({ percent }) => percent)).toEqual(seen.map(({ percent }) => percent).toSorted((a, b) => a - b));
      await awaitRunning("jellyfin");
      const app = await host.app("jellyfin");
      expect(app).toMatchObject({ name: "jellyfin", appId: "jellyfin", custom: false, scheme: "http", port: 18_096 });
      expect(app?.publishedPorts).toContain(18_096);
      expect(app?.mounts).toContainEqual({ hostPath: toPath("config"), containerPath: "/config" });
      expect(await host.usedPorts()).toContain(18_096);
      expect((await host.apps()).map(({ name }) => name)).toEqual(["jellyfin"]);
      expect((await host.facts()).apps["jellyfin"]).toMatchObject({ state: "RUNNING" });
    });

    test("a job is found by its request id, and by id, method and start time", async () => {
      const { job, ref } = await end(create());
      expect(await host.findJob({ requestId: ref.requestId, method: "createApp" })).toMatchObject({ id: job.id });
      const { startedAt } = job;
      if (startedAt === undefined) throw new Error("the job has no start time");
      const other = { requestId: randomUUID(), method: "createApp", id: job.id } as const;
      expect(await host.findJob({ ...other, startedAt })).toMatchObject({ id: job.id });
      expect(await host.findJob({ ...other, startedAt: startedAt - 60_000 })).toBeNull();
      expect(await host.findJob({ ...other, startedAt, method: "upgradeApp" })).toBeNull();
      expect(await host.findJob({ requestId: randomUUID(), method: "createApp" })).toBeNull();
    });

    test("waiting for a job that has ended resolves at once, and twice the same", async () => {
      const { job, ref } = await end(create());
      const watch = { signal: AbortSignal.timeout(10_000), progress: () => {} };
      expect(await host.waitJob(ref, watch)).toEqual(job);
    });

    test("a wait that is cancelled rejects, the job goes on", async () => {
      const requestId = randomUUID();
      await host.startJob(create(), requestId);
      const wait = host.waitJob(
        { requestId, method: "createApp" },
        { signal: AbortSignal.abort(), progress: () => {} },
      );
      await expect(wait).rejects.toMatchObject({ code: "HOST_CLOSED" });
      await awaitRunning("jellyfin");
    });

    test("a host that forgot the job answers null", async () => {
      const { ref } = await end(create());
      await it.restart();
      expect(await host.findJob(ref)).toBeNull();
      expect(await host.waitJob(ref, { signal: AbortSignal.timeout(10_000), progress: () => {} })).toBeNull();
    });

    test("a name that is taken fails the job with HOST_NAME_TAKEN", async () => {
      await end(create());
      expect(await awaitEnd(create())).toMatchObject({
        state: "FAILED",
        error: { code: "HOST_NAME_TAKEN", errname: "EEXIST", retryable: false },
      });
    });

    test("an app the catalog lacks fails the job with HOST_NOT_FOUND", async () => {
      const job = await awaitEnd(create({ name: "nothing", catalogApp: "no-such-app" }));
      expect(job).toMatchObject({ state: "FAILED", error: { code: "HOST_NOT_FOUND" } });
    });

    test("a host path that does not exist fails the job with the field", async () => {
      const job = await awaitEnd(create({ values: makeJellyfinValues(toPath("missing")) }));
      expect(job).toMatchObject({ state: "FAILED", error: { code: "HOST_INVALID" } });
      expect(job.error?.fields[0]?.field).toContain("storage.config.host_path_config.path");
      expect(job.error?.fields[0]?.message).toContain("Path does not exist");
      expect(await host.app("jellyfin")).toBeNull();
    });

    test("an upgrade goes to the target the host names, and then there is none", async () => {
      const { older, newer } = it.jellyfin;
      await end(create({ version: older }));
      await awaitRunning("jellyfin");
      expect(await host.app("jellyfin")).toMatchObject({ version: older, upgradeAvailable: true });
      const target = await host.upgradeTarget("jellyfin");
      expect(target?.version).toBe(newer);
      expect(target?.available).toContain(newer);
      expect(await awaitEnd({ method: "upgradeApp", name: "jellyfin" })).toMatchObject({ state: "SUCCESS" });
      await awaitRunning("jellyfin");
      expect(await host.app("jellyfin")).toMatchObject({ version: newer, upgradeAvailable: false });
      expect(await host.upgradeTarget("jellyfin")).toBeNull();
      expect(await awaitEnd({ method: "upgradeApp", name: "jellyfin" })).toMatchObject({
        state: "FAILED",
        error: { code: "HOST_UPGRADE_NONE" },
      });
    });

    test("rollBackApp brings an older version back with the values it had, and then there is none older", async () => {
      const { older, newer } = it.jellyfin;
      const values = makeJellyfinValues(null);
      await end(create({ version: older, values }));
      await awaitRunning("jellyfin");
      expect(await host.rollbackVersions("jellyfin")).toEqual([]);
      await end({ method: "upgradeApp", name: "jellyfin" });
      const network: JsonObject = { web_port: { bind_mode: "published", port_number: 18_097, host_ips: [] } };
      await end({ method: "updateApp", name: "jellyfin", values: { network } });
      expect(await host.rollbackVersions("jellyfin")).toEqual([older]);
      const rollBack = { method: "rollBackApp", name: "jellyfin", version: older } as const;
      await end({ method: "stopApp", name: "jellyfin" });
      expect(await awaitEnd(rollBack)).toMatchObject({ state: "FAILED", error: { code: "HOST_APP_STOPPED" } });
      await end({ method: "startApp", name: "jellyfin" });
      expect(await awaitEnd(rollBack)).toMatchObject({ state: "SUCCESS" });
      await awaitRunning("jellyfin");
      expect(await host.app("jellyfin")).toMatchObject({ version: older, upgradeAvailable: true });
      expect(await host.appConfig("jellyfin")).toMatchObject(values);
      expect(await host.rollbackVersions("jellyfin")).toEqual([]);
      expect(await awaitEnd({ ...rollBack, version: newer })).toMatchObject({ state: "FAILED" });
    });

    test("updateApp replaces whole top-level sections and keeps the others", async () => {
      await end(create({ values: { ...makeJellyfinValues(null), TZ: "Etc/UTC" } }));
      const network: JsonObject = { web_port: { bind_mode: "published", port_number: 18_097, host_ips: [] } };
      expect(await awaitEnd({ method: "updateApp", name: "jellyfin", values: { network } })).toMatchObject({
        state: "SUCCESS",
      });
      const config = await host.appConfig("jellyfin");
      expect(config).toMatchObject({ TZ: "Etc/UTC", network });
      expect(Object.keys(config).filter((key) => key.startsWith("ix_"))).toEqual([]);
    });

    test("stopApp stops an app, however often, and startApp brings it up again", async () => {
      await end(create());
      await awaitRunning("jellyfin");
      for (let times = 0; times < 2; times++) {
        expect(await awaitEnd({ method: "stopApp", name: "jellyfin" })).toMatchObject({ state: "SUCCESS" });
        expect(await host.app("jellyfin")).toMatchObject({ state: "STOPPED", publishedPorts: [], mounts: [] });
      }
      expect(await awaitEnd({ method: "startApp", name: "jellyfin" })).toMatchObject({ state: "SUCCESS" });
      await awaitRunning("jellyfin");
      for (const method of ["startApp", "stopApp"] as const)
        expect(await awaitEnd({ method, name: "nothing" })).toMatchObject({
          state: "FAILED",
          error: { code: "HOST_NOT_FOUND" },
        });
    });

    test("deleteApp removes an app and leaves its host paths; of one that is gone it fails", async () => {
      await host.makeDirectory(toPath("config"));
      await end(create({ values: makeJellyfinValues(toPath("config")) }));
      await awaitRunning("jellyfin");
      const remove = { method: "deleteApp", name: "jellyfin", removeVolumes: true } as const;
      expect(await awaitEnd(remove)).toMatchObject({ state: "SUCCESS", percent: 100 });
      expect(await host.app("jellyfin")).toBeNull();
      expect(await host.stat(toPath("config"))).toMatchObject({ type: "DIRECTORY" });
      expect(await awaitEnd(remove)).toMatchObject({ state: "FAILED", error: { code: "HOST_NOT_FOUND" } });
    });

    test("questions about an app that is not there are HOST_NOT_FOUND", async () => {
      await expect(host.appConfig("nothing")).rejects.toMatchObject({ code: "HOST_NOT_FOUND" });
      await expect(host.upgradeTarget("nothing")).rejects.toMatchObject({ code: "HOST_NOT_FOUND" });
    });

    test("a directory is made one level deep, once", async () => {
      expect(await host.stat(toPath("media"))).toBeNull();
      await host.makeDirectory(toPath("media"));
      expect(await host.stat(toPath("media"))).toEqual({ type: "DIRECTORY", uid: 0, gid: 0 });
      await expect(host.makeDirectory(toPath("media"))).rejects.toMatchObject({ code: "HOST_EXISTS", delivery: "yes" });
      await expect(host.makeDirectory(toPath("a/b"))).rejects.toMatchObject({ code: "HOST_NOT_FOUND" });
      await expect(host.makeDirectory("/etc/slipway")).rejects.toMatchObject({ code: "HOST_PERMISSION" });
    });

    test("setOwner gives a directory its owner, in the entries its dataset has", async () => {
      await host.makeDirectory(toPath("owned"));
      const { dataset } = await host.datasetOf(toPath("owned"));
      const isNfs4 = (await host.dataset(dataset))?.acltype === "NFSV4";
      const call = { method: "setOwner", path: toPath("owned"), uid: 568, gid: 568 } as const;
      expect(await awaitEnd({ ...call, acltype: isNfs4 ? "POSIX1E" : "NFS4" })).toMatchObject({
        state: "FAILED",
        error: { code: "HOST_ACL_UNSUPPORTED" },
      });
      expect(await awaitEnd({ ...call, acltype: isNfs4 ? "NFS4" : "POSIX1E" })).toMatchObject({ state: "SUCCESS" });
      expect(await host.stat(toPath("owned"))).toMatchObject({ uid: 568, gid: 568 });
    });

    test("a dataset made for apps is NFSV4, holds its paths, and takes the ACL mode", async () => {
      const name = `${it.dataset}/photos`;
      expect(await host.dataset(name)).toBeNull();
      await host.createDataset(name);
      expect(await host.dataset(name)).toMatchObject({ name, mountpoint: `/mnt/${name}`, acltype: "NFSV4" });
      expect(await host.datasetOf(`/mnt/${name}`)).toMatchObject({ dataset: name, mountpoint: `/mnt/${name}` });
      await host.setDatasetAclMode(name, "PASSTHROUGH");
      expect(await host.dataset(name)).toMatchObject({ aclmode: "PASSTHROUGH" });
      await expect(host.createDataset(name)).rejects.toMatchObject({ code: "HOST_EXISTS" });
      await expect(host.createDataset(`${it.dataset}/no/parent`)).rejects.toMatchObject({ code: "HOST_NOT_FOUND" });
    });

    test("snapshots keep their metadata, are made once, and may be deleted twice", async () => {
      const snapshot = {
        dataset: it.dataset,
        name: "platform-app-jellyfin-config-20260101T000000Z",
        properties: { "platform:app": "jellyfin", "platform:path": toPath("config") },
      };
      await host.createSnapshot(snapshot);
      expect(await host.snapshotNames(it.dataset)).toEqual([snapshot.name]);
      expect(await host.snapshots(it.dataset, ["gone", snapshot.name])).toEqual([
        { ...snapshot, bytes: expect.any(Number) },
      ]);
      await expect(host.createSnapshot(snapshot)).rejects.toMatchObject({ code: "HOST_EXISTS" });
      await host.deleteSnapshot(snapshot.dataset, snapshot.name);
      await host.deleteSnapshot(snapshot.dataset, snapshot.name);
      expect(await host.snapshotNames(it.dataset)).toEqual([]);
      expect(await host.snapshots(it.dataset, [snapshot.name])).toEqual([]);
      expect(await host.snapshots(it.dataset, [])).toEqual([]);
    });

    test("a clone of a snapshot takes its dataset's place, and the snapshots with it once it is promoted", async () => {
      const name = `${it.dataset}/photos`;
      await host.createDataset(name);
      await host.makeDirectory(`/mnt/${name}/old`);
      for (const at of ["first", "last"]) await host.createSnapshot({ dataset: name, name: at, properties: {} });
      await host.makeDirectory(`/mnt/${name}/new`);
      expect(await host.holdsDatasets(it.dataset)).toBe(true);
      expect(await host.holdsDatasets(name)).toBe(false);
      await host.cloneSnapshot(name, "first", `${name}-restored`);
      await expect(host.cloneSnapshot(name, "first", `${name}-restored`)).rejects.toMatchObject({
        code: "HOST_EXISTS",
      });
      expect(await host.dataset(`${name}-restored`)).toMatchObject({ acltype: "NFSV4", origin: `${name}@first` });
      // A release that cannot rename datasets can still clone snapshots.
      if (!(await host.renamesDatasets())) return;
      await host.renameDataset(name, `${name}-before`);
      await expect(host.renameDataset(name, `${name}-again`)).rejects.toMatchObject({ code: "HOST_NOT_FOUND" });
      await host.renameDataset(`${name}-restored`, name);
      await host.promoteDataset(name);
      expect(await host.stat(`/mnt/${name}/old`)).toMatchObject({ type: "DIRECTORY" });
      expect(await host.stat(`/mnt/${name}/new`)).toBeNull();
      expect(await host.stat(`/mnt/${name}-before/new`)).toMatchObject({ type: "DIRECTORY" });
      expect(await host.snapshotNames(name)).toEqual(["first"]);
      expect(await host.snapshotNames(`${name}-before`)).toEqual(["last"]);
      expect(await host.dataset(`${name}-before`)).toMatchObject({ origin: `${name}@first` });
    });

    test("a dataset that a running app has mounted is not renamed", async () => {
      if (!(await host.renamesDatasets())) return;
      await host.createDataset(`${it.dataset}/busy`);
      await end(create({ values: makeJellyfinValues(toPath("busy")) }));
      await awaitRunning("jellyfin");
      await expect(host.renameDataset(`${it.dataset}/busy`, `${it.dataset}/moved`)).rejects.toMatchObject({
        code: "HOST_DATASET_BUSY",
      });
      expect(await host.stat(toPath("busy"))).toMatchObject({ type: "DIRECTORY" });
    });

    test("a share is found by its path, its name is unique whatever the case", async () => {
      await host.makeDirectory(toPath("shared"));
      await host.createShare({ name: "shared", path: toPath("shared") });
      expect(await host.shares()).toContainEqual({ name: "shared", path: toPath("shared") });
      await expect(host.createShare({ name: "SHARED", path: toPath("shared") })).rejects.toMatchObject({
        code: "HOST_EXISTS",
      });
    });

    test("the service of the shares is started by a job, however often", async () => {
      await it.stopShares();
      expect(await host.sharesServed()).toBe(false);
      const start = { method: "startShares" } as const;
      for (let times = 0; times < 2; times++) {
        expect(await awaitEnd(start)).toMatchObject({ method: "startShares", state: "SUCCESS" });
        expect(await host.sharesServed()).toBe(true);
      }
    });

    test("accounts are found, and null stands for none", async () => {
      expect(await host.user("apps")).toEqual({ uid: 568, gid: 568 });
      expect(await host.user("bob")).toBeNull();
      expect(await host.group("docker")).toMatchObject({ gid: expect.any(Number) });
      expect(await host.group("nobody-has-it")).toBeNull();
    });

    test("after close every call is refused before it is sent", async () => {
      await host.close();
      const refused = await host.apps().catch((error: unknown) => error);
      expect(refused).toBeInstanceOf(HostError);
      expect(refused).toMatchObject({ code: "HOST_CLOSED", delivery: "no" });
    });
  });
}

/** Values in the shape most catalog apps share (docs/host-api.md, section 6). */
function makeJellyfinValues(config: string | null): JsonObject {
  return {
    network: { web_port: { bind_mode: "published", port_number: 18_096, host_ips: [] } },
    ...(config !== null && {
      storage: { config: { type: "host_path", host_path_config: { acl_enable: false, path: config } } },
    }),
  };
}
