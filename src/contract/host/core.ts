/** The part of the contract every host keeps: facts, apps, jobs and folders. */
import { randomUUID } from "node:crypto";
import { isIP } from "node:net";
import { HostError } from "../../engine/host-error.ts";
import type { TestHooks } from "../test-hooks.ts";
import { declarePart, type HostUnderTest } from "./under-test.ts";

/** Declares the core of the suite on the implementation `open` starts, by the hooks of the caller's test runner. */
export function describeHost(hooks: TestHooks, name: string, open: () => Promise<HostUnderTest>): void {
  const { expect, test } = hooks;
  declarePart(hooks, name, open, ({ it, toPath, create, values, end, awaitEnd, awaitRunning }) => {
    test("facts name address, id, memory, cores and locations", async () => {
      const facts = await it().host.facts();
      expect(isIP(facts.lanIp)).toBeGreaterThan(0);
      expect(facts.hostId).not.toBe("");
      expect(facts.memoryMb).toBeGreaterThan(0);
      expect(facts.cores).toBeGreaterThan(0);
      expect(Object.keys(facts.locations).length).toBeGreaterThan(0);
      expect(facts.apps).toEqual({});
    });

    test("a host without apps says so only while its apps service runs", async () => {
      const { host, app } = it();
      expect(await host.apps()).toEqual([]);
      expect(await host.app(app.id)).toBeNull();
      expect((await host.appsService()).status).toBe("RUNNING");
      if (it().setAppsService === undefined) return;
      await it().setAppsService?.("INITIALIZING");
      expect((await host.appsService()).status).toBe("INITIALIZING");
      for (const asked of [host.apps(), host.app(app.id)])
        await expect(asked).rejects.toMatchObject({ code: "HOST_APPS_UNAVAILABLE", fault: { retryable: true } });
    });

    test("the catalog item is found in the train that has it, and null stands for none", async () => {
      const { host, app } = it();
      expect(await host.availableApp(app.id)).toMatchObject({ train: app.train, latestVersion: app.newest });
      expect(await host.availableApp("no-such-app")).toBeNull();
      const all = await host.availableApps();
      expect(all).toContainEqual(await host.availableApp(app.id));
      expect(new Set(all.map(({ catalogApp }) => catalogApp)).size).toBe(all.length);
    });

    test("the registry of images is reached, if the host can say it", async () => {
      expect([null, { fault: null }]).toContainEqual((await it().host.imageRegistry?.()) ?? null);
    });

    test("createApp ends in SUCCESS, and the app becomes RUNNING with its port and mounts", async () => {
      const { host, app } = it();
      const [port] = app.ports;
      await host.makeDirectory(toPath("config"));
      const { job, seen } = await end(create({ values: values(toPath("config")) }));
      expect(job).toMatchObject({ method: "createApp", state: "SUCCESS", percent: 100 });
      expect(seen.map(({ percent }) => percent)).toEqual(seen.map(({ percent }) => percent).toSorted((a, b) => a - b));
      await awaitRunning();
      const found = await host.app(app.id);
      expect(found).toMatchObject({ name: app.id, appId: app.id, custom: false, scheme: "http" });
      expect(found?.publishedPorts).toContain(port);
      if (app.containerPath !== undefined)
        expect(found?.mounts).toContainEqual({ hostPath: toPath("config"), containerPath: app.containerPath });
      expect(await host.usedPorts()).toContain(port);
      expect(await host.appPorts()).toContain(port);
      expect((await host.apps()).map((one) => one.name)).toEqual([app.id]);
      expect((await host.facts()).apps[app.id]).toMatchObject({ state: "RUNNING" });
    });

    test("a job is found by its request id, and by id, method and start time", async () => {
      const { host } = it();
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
      expect(await it().host.waitJob(ref, watch)).toEqual(job);
    });

    test("a wait that is cancelled rejects, and the job goes on", async () => {
      const requestId = randomUUID();
      const { host } = it();
      await host.startJob(create(), requestId);
      const watch = { signal: AbortSignal.abort(), progress: () => {} };
      const wait = host.waitJob({ requestId, method: "createApp" }, watch);
      await expect(wait).rejects.toMatchObject({ code: "HOST_CLOSED" });
      await awaitRunning();
    });

    test("a host that forgot the job answers null", async () => {
      const { host } = it();
      const { ref } = await end(create());
      await it().restart?.();
      const asked = it().restart === undefined ? { ...ref, requestId: randomUUID(), id: -1 } : ref;
      expect(await host.findJob(asked)).toBeNull();
      expect(await host.waitJob(asked, { signal: AbortSignal.timeout(10_000), progress: () => {} })).toBeNull();
    });

    test("a name that is taken fails the job with HOST_NAME_TAKEN", async () => {
      await end(create());
      const error = { code: "HOST_NAME_TAKEN", retryable: false };
      expect(await awaitEnd(create())).toMatchObject({ state: "FAILED", error });
    });

    test("an app the catalog lacks fails the job with HOST_NOT_FOUND", async () => {
      const job = await awaitEnd(create({ name: "nothing", catalogApp: "no-such-app" }));
      expect(job).toMatchObject({ state: "FAILED", error: { code: "HOST_NOT_FOUND" } });
    });

    test("a host path that does not exist fails the job", async () => {
      const { host, app } = it();
      const job = await awaitEnd(create({ values: values(toPath("missing")) }));
      expect(job).toMatchObject({ state: "FAILED", error: { code: "HOST_INVALID" } });
      if (app.folderField !== undefined) expect(job.error?.fields[0]?.field).toContain(app.folderField);
      expect(await host.app(app.id)).toBeNull();
    });

    test("updateApp replaces whole top-level sections and keeps the others", async () => {
      const { host, app } = it();
      await end(create({ values: { ...values(), ...app.section } }));
      const changed = app.values(app.ports[1], null);
      const job = await awaitEnd({ method: "updateApp", name: app.id, values: changed });
      expect(job).toMatchObject({ state: "SUCCESS" });
      expect(await host.appConfig(app.id)).toMatchObject({ ...changed, ...app.section });
    });

    test("stopApp stops an app, however often, and startApp brings it up again", async () => {
      const { host, app } = it();
      await end(create());
      await awaitRunning();
      for (let times = 0; times < 2; times++) {
        expect(await awaitEnd({ method: "stopApp", name: app.id })).toMatchObject({ state: "SUCCESS" });
        expect(await host.app(app.id)).toMatchObject({ state: "STOPPED", publishedPorts: [], mounts: [] });
      }
      expect(await awaitEnd({ method: "startApp", name: app.id })).toMatchObject({ state: "SUCCESS" });
      await awaitRunning();
      for (const method of ["startApp", "stopApp"] as const)
        expect(await awaitEnd({ method, name: "nothing" })).toMatchObject({
          state: "FAILED",
          error: { code: "HOST_NOT_FOUND" },
        });
    });

    test("deleteApp removes an app and leaves its host paths; of one that is gone it fails", async () => {
      const { host, app } = it();
      await host.makeDirectory(toPath("config"));
      await end(create({ values: values(toPath("config")) }));
      await awaitRunning();
      const remove = { method: "deleteApp", name: app.id, removeVolumes: true } as const;
      expect(await awaitEnd(remove)).toMatchObject({ state: "SUCCESS", percent: 100 });
      expect(await host.app(app.id)).toBeNull();
      expect(await host.stat(toPath("config"))).toMatchObject({ type: "DIRECTORY" });
      expect(await awaitEnd(remove)).toMatchObject({ state: "FAILED", error: { code: "HOST_NOT_FOUND" } });
    });

    test("questions about an app that is not there are HOST_NOT_FOUND", async () => {
      const refused = await it()
        .host.appConfig("nothing")
        .catch((error: unknown) => error);
      expect(refused).toBeInstanceOf(HostError);
      expect(refused).toMatchObject({ code: "HOST_NOT_FOUND" });
      await expect(it().host.upgradeTarget("nothing")).rejects.toMatchObject({ code: "HOST_NOT_FOUND" });
    });

    test("a directory is made one level deep, once", async () => {
      const { host, forbidden } = it();
      expect(await host.stat(toPath("media"))).toBeNull();
      await host.makeDirectory(toPath("media"));
      expect(await host.stat(toPath("media"))).toMatchObject({ type: "DIRECTORY" });
      await expect(host.makeDirectory(toPath("media"))).rejects.toMatchObject({ code: "HOST_EXISTS", delivery: "yes" });
      await expect(host.makeDirectory(toPath("a/b"))).rejects.toMatchObject({ code: "HOST_NOT_FOUND" });
      if (forbidden !== undefined)
        await expect(host.makeDirectory(forbidden)).rejects.toMatchObject({ code: "HOST_PATH_REFUSED" });
    });
  });
}
