import { describe, expect } from "vitest";
import { HostError } from "../../../src/engine/host-error.ts";
import { it, openWorld } from "../../support/engine/engine-test.ts";
import { settledTask } from "../../support/engine/engine-world.ts";
import { addDirectory, addFile, faultOf } from "../../support/engine/scripted-world.ts";
import { installDemo } from "./installed-demo.ts";

describe("an install's directories", () => {
  const script = {
    requirements: { locations: ["ApplicationsPerformance", "Media"], specifications: [], permissions: [], ports: [] },
    ensure_directories_exists: [
      { path: "$LOCATION(ApplicationsPerformance)/demo", owner: { user: "www-data" } },
      { path: "$LOCATION(ApplicationsPerformance)/demo/a/b" },
      { path: "$LOCATION(Media)", network_share: true },
      { path: "$LOCATION(ApplicationsPerformance)/media", network_share: true },
    ],
  };
  const datasets = ["tank", "tank/apps", "tank/media"];

  it("with an owner become datasets where their parent is one, else directories; a share with a taken name gets a number", async () => {
    const { view, host } = await installDemo(script, { datasets });
    expect(view.result).toMatchObject({
      directories: ["/mnt/tank/apps/demo", "/mnt/tank/apps/demo/a", "/mnt/tank/apps/demo/a/b", "/mnt/tank/apps/media"],
      shares: ["media", "media-2"],
    });
    expect(host.script.world.datasets.has("tank/apps/demo")).toBe(true);
    expect(host.script.world.datasets.has("tank/apps/demo/a")).toBe(false);
    expect(host.script.world.paths.get("/mnt/tank/apps/demo")).toMatchObject({ uid: 33, gid: 33 });
  });

  it("that exist are kept as they are, and so are existing shares", async () => {
    const world = await openWorld({ catalog: { demo: script }, host: { datasets } });
    const { host, engine } = world;
    await host.makeDirectory("/mnt/tank/apps/demo");
    await host.createShare({ name: "Filme", path: "/mnt/tank/media" });
    const { id } = await engine.install("demo");
    const view = await settledTask(engine, id);
    expect(view.result).toMatchObject({
      directories: ["/mnt/tank/apps/demo/a", "/mnt/tank/apps/demo/a/b", "/mnt/tank/apps/media"],
      shares: ["media"],
    });
    expect(host.script.world.datasets.has("tank/apps/demo")).toBe(false);
  });

  it("that are shared have the shares served, now and after a restart, also if a share is kept", async () => {
    const { host, engine } = await openWorld({ catalog: { demo: script, again: script }, host: { datasets } });
    const install = async (appId: string) => settledTask(engine, (await engine.install(appId)).id);
    for (const appId of ["demo", "again"]) {
      Object.assign(host.script.world, { sharesServed: false, sharesEnabled: false });
      const { marks } = await install(appId);
      expect(marks).toEqual(expect.arrayContaining(["sharesStarted", "sharesEnabled"]));
      expect(marks).toContainEqual(
        expect.stringMatching(/^advice: the host's SMB service is off: the install starts it/),
      );
      expect(host.script.world).toMatchObject({ sharesServed: true, sharesEnabled: true });
    }
    expect(host.script.calls.filter(({ method }) => method === "service.control")).toHaveLength(2);
  });

  it("that are shared on a host that serves shares change nothing of its service", async () => {
    const { host, engine } = await openWorld({ catalog: { demo: script }, host: { datasets } });
    const { marks } = await settledTask(engine, (await engine.install("demo")).id);
    expect(marks.filter((mark) => mark.startsWith("shares"))).toEqual([]);
    const changed = host.script.calls.filter(({ method }) => ["service.control", "service.update"].includes(method));
    expect(changed).toEqual([]);
  });

  it("that are shared are marked when the service can't be enabled", async () => {
    const { host, engine } = await openWorld({ catalog: { demo: script }, host: { datasets } });
    host.script.world.sharesEnabled = false;
    for (let share = 0; share < 2; share++)
      host.script.refuse("service.update", faultOf("HOST_PERMISSION", "[EACCES] not allowed"));
    const { marks, state } = await settledTask(engine, (await engine.install("demo")).id);
    expect({ state, marks }).toMatchObject({
      state: "COMPLETED",
      marks: expect.arrayContaining(["sharesNotEnabled: [EACCES] not allowed"]),
    });
  });

  it("that are shared are marked when the service of the shares can't be started, and the install goes on", async () => {
    const world = await openWorld({ catalog: { demo: script }, host: { datasets } });
    const { host, engine } = world;
    host.script.world.sharesServed = false;
    const fault = faultOf("HOST_CALL_FAILED", "[EFAULT] smbd does not start");
    for (let share = 0; share < 2; share++) host.script.refuse("service.control", fault);
    const view = await settledTask(engine, (await engine.install("demo")).id);
    expect(view).toMatchObject({ state: "COMPLETED", result: { shares: ["media", "media-2"] } });
    expect(view.marks).toContain("sharesNotServed: [EFAULT] smbd does not start");
  });

  it("get their owners one after another, whatever installs run: the host has one lock for all", async () => {
    const owned = (id: string) => ({
      ...script,
      ensure_directories_exists: [
        { path: `$LOCATION(ApplicationsPerformance)/${id}`, owner: { user: "www-data" } },
        { path: `$LOCATION(Media)/${id}`, owner: { user: "www-data" } },
      ],
    });
    const ids = ["one", "two", "three"];
    const catalog = Object.fromEntries(ids.map((id) => [id, owned(id)]));
    const world = await openWorld({ catalog, host: { datasets } });
    const { host, engine } = world;
    const sent = () => host.script.changes().filter(({ method }) => method === "filesystem.setacl").length;
    const release = host.script.hold("filesystem.setacl");
    const tasks = await Promise.all(ids.map((id) => engine.install(id)));
    // Every install has made its first directory, so each wants to give it its owner.
    const asked = () => host.script.calls.filter(({ method }) => method === "user.get_user_obj").length;
    await expect.poll(asked).toBeGreaterThanOrEqual(ids.length * 2);
    for (let turns = 0; turns < 50; turns++) await host.stat("/mnt");
    expect(sent()).toBe(1);
    release();
    for (const { id } of tasks) expect(await settledTask(engine, id)).toMatchObject({ state: "COMPLETED" });
    expect(sent()).toBe(6);
  });

  it("get their owner although the host drops the job behind those of others", async () => {
    const world = await openWorld({ catalog: { demo: script }, host: { datasets } });
    const { host, engine } = world;
    const dropped = faultOf("HOST_JOB_DROPPED", "too many jobs wait before it", { retryable: true });
    for (let times = 0; times < 3; times++) host.script.refuse("filesystem.setacl", dropped, "no");
    const view = await settledTask(engine, (await engine.install("demo")).id);
    expect(view).toMatchObject({ state: "COMPLETED" });
    expect(host.script.world.paths.get("/mnt/tank/apps/demo")).toMatchObject({ uid: 33 });
  });

  it("are made once although every answer is lost", async () => {
    const world = await openWorld({ catalog: { demo: script }, host: { datasets } });
    const { host, engine } = world;
    for (const method of ["pool.dataset.create", "filesystem.mkdir", "sharing.smb.create"] as const) {
      host.script.loseAnswer(method, true);
    }
    const { id } = await engine.install("demo");
    const view = await settledTask(engine, id);
    expect(view.state).toBe("COMPLETED");
    expect(view.result).toMatchObject({ shares: ["media", "media-2"] });
    const counts = Map.groupBy(host.script.changes(), ({ method }) => method);
    expect([...counts].map(([method, calls]) => [method, calls.length])).toEqual([
      ["pool.dataset.create", 1],
      ["filesystem.setacl", 1],
      ["filesystem.mkdir", 3],
      ["sharing.smb.create", 2],
      ["app.create", 1],
    ]);
  });

  it("fail the install with the host's reason, and a retry goes on with what is missing", async () => {
    const world = await openWorld({ catalog: { demo: script }, host: { datasets } });
    const { host, engine } = world;
    host.script.refuse("filesystem.mkdir", faultOf("HOST_PATH_REFUSED", "[EPERM] not permitted", { errname: "EPERM" }));
    const { id } = await engine.install("demo");
    const failed = await settledTask(engine, id);
    expect(failed).toMatchObject({ state: "FAILED", failure: { code: "HOST_PATH_REFUSED" } });
    await engine.retry(id);
    const view = await settledTask(engine, id);
    expect(view.state).toBe("COMPLETED");
    expect(view.failure).toBeUndefined();
  });

  it("that lack the ACL for apps get it by a retry, and are the app's own, where the host refused it once", async () => {
    const { host, engine } = await openWorld({ catalog: { demo: script }, host: { datasets } });
    const { createDataset } = host;
    host.createDataset = async (name) => {
      await createDataset(name);
      host.script.world.acls.delete(`/mnt/${name}`);
      return { isForApps: false };
    };
    host.script.refuse("filesystem.setacl", faultOf("HOST_CALL_FAILED", "[EFAULT] no"));
    const { id } = await engine.install("demo");
    const made = { directories: ["/mnt/tank/apps/demo"] };
    expect(await settledTask(engine, id)).toMatchObject({ state: "FAILED", result: made });
    await engine.retry(id);
    expect(await settledTask(engine, id)).toMatchObject({ state: "COMPLETED" });
    expect((await host.acl("/mnt/tank/apps/demo"))?.entries).toContainEqual(
      expect.objectContaining({ tag: "USER", id: 568, type: "ALLOW" }),
    );
  });

  it("that others make between the look and the call are kept, and are not the app's own", async () => {
    const { host, engine } = await openWorld({ catalog: { demo: script }, host: { datasets } });
    const { createDataset, makeDirectory } = host;
    host.createDataset = async (name) => {
      addDirectory(host.script.world, `/mnt/${name}`);
      return createDataset(name);
    };
    host.makeDirectory = async (path, options) => {
      if (path.endsWith("/a")) addDirectory(host.script.world, path);
      return makeDirectory(path, options);
    };
    const view = await settledTask(engine, (await engine.install("demo")).id);
    expect(view).toMatchObject({
      state: "COMPLETED",
      result: { directories: ["/mnt/tank/apps/demo/a/b", "/mnt/tank/apps/media"] },
    });
  });

  it("are no files that others make between the look and the call", async () => {
    const { host, engine } = await openWorld({ catalog: { demo: script }, host: { datasets } });
    const { createDataset } = host;
    host.createDataset = async (name) => {
      addFile(host.script.world, `/mnt/${name}`);
      return createDataset(name);
    };
    const { state, failure } = await settledTask(engine, (await engine.install("demo")).id);
    expect({ state, failure }).toMatchObject({ state: "FAILED", failure: { code: "HOST_DIRECTORY_BLOCKED" } });
  });

  it("that can't all be made still say what was changed on the host for the first", async () => {
    const { host, engine } = await openWorld({ catalog: { demo: script }, host: { datasets } });
    Object.assign(host.script.world, { sharesServed: false, sharesEnabled: false });
    const { makeDirectory } = host;
    host.makeDirectory = async (path, options) => {
      if (path.endsWith("/media")) throw new HostError(faultOf("HOST_CALL_FAILED", "[EFAULT] no"), "yes");
      return makeDirectory(path, options);
    };
    const { state, marks } = await settledTask(engine, (await engine.install("demo")).id);
    expect({ state, marks }).toMatchObject({
      state: "FAILED",
      marks: expect.arrayContaining(["sharesStarted", "sharesEnabled"]),
    });
  });
});
