/** The table of docs/host-api.md, section 11, row by row: the client and the engine's job work on the stand-in. */
import { afterEach, describe, expect, test } from "vitest";
import { GENERATIONS } from "../../src/standin/settings.ts";
import { type HostWork, type HostWorkOptions, INSTALL, openHostWork, UPGRADE } from "../support/host/host-work.ts";

let work: HostWork;
afterEach(() => work.stop());

async function open(options: HostWorkOptions = {}): Promise<HostWork> {
  work = await openHostWork(options);
  return work;
}

async function stateOf(name = "jellyfin"): Promise<string | null> {
  const app = await work.host.app(name);
  return app === null ? null : `${app.version} ${app.state}`;
}

async function running(version: string): Promise<void> {
  await expect.poll(() => stateOf()).toBe(`${version} RUNNING`);
}

describe("socket closed before the J response", () => {
  test("after the host took the call: it is found by its request id and sent once", async () => {
    const { run, received } = await open({ faults: ["drop-before-answer@app.create"] });
    expect(await run(INSTALL)).toEqual({ ok: true });
    expect(received("app.create")).toBe(1);
    await running("1.3.11");
  });

  test("before the host took the call: nothing is found, no app is there, it is sent again", async () => {
    const { run, standin } = await open({ faults: ["drop-before-call@app.create"] });
    expect(await run(INSTALL)).toEqual({ ok: true });
    expect(standin.control.jobs().filter(({ method }) => method === "app.create")).toHaveLength(1);
    await running("1.3.11");
  });
});

describe("socket closed mid-job", () => {
  test.each([25, 60, 100])("at %i percent: the wait goes on over a new connection", async (percent) => {
    const { run, received } = await open({ faults: [`drop-mid-job@app.create:${percent}`] });
    const seen: number[] = [];
    expect(await run(INSTALL, seen)).toEqual({ ok: true });
    expect(seen).toEqual(seen.toSorted((a, b) => a - b));
    expect(seen.at(-1)).toBe(100);
    expect(received("app.create")).toBe(1);
    expect(received("auth.login_ex")).toBe(2);
  });
});

describe("job FAILED", () => {
  test("with a call error: the host's reason, not retryable", async () => {
    const { run } = await open({ faults: ["job-call-error@app.create"] });
    expect(await run(INSTALL)).toMatchObject({
      ok: false,
      failure: {
        code: "HOST_CALL_FAILED",
        message: expect.stringContaining("Failed 'up' action for 'jellyfin' app"),
        retryable: false,
      },
    });
    await expect.poll(() => stateOf()).toBeNull();
  });

  test("with VALIDATION: the fields", async () => {
    const { run } = await open({ faults: ["job-validation@app.create"] });
    const end = await run(INSTALL);
    expect(end).toMatchObject({ ok: false, failure: { code: "HOST_INVALID" } });
    expect(end.ok ? [] : end.failure.context).not.toEqual([]);
  });

  test("with the pull rate limit: retryable", async () => {
    const { run } = await open({ faults: ["job-rate-limit@app.create"] });
    expect(await run(INSTALL)).toMatchObject({ ok: false, failure: { code: "HOST_RATE_LIMITED", retryable: true } });
  });
});

test("job ABORTED is a failure although the host gives no error", async () => {
  const { run } = await open({ faults: ["job-aborted@app.create:60"] });
  expect(await run(INSTALL)).toMatchObject({ ok: false, failure: { code: "HOST_JOB_ABORTED", retryable: true } });
});

describe("service restart: the outcome is decided from the app's state", () => {
  test("gone with its work undone is a failure that says so", async () => {
    const { run, received } = await open({ faults: ["service-restart@app.create:25"] });
    const end = await run(INSTALL);
    const installed = (await stateOf()) !== null;
    expect(end.ok).toBe(installed);
    if (!end.ok) expect(end.failure).toMatchObject({ code: "HOST_JOB_DROPPED", retryable: true });
    expect(received("app.create")).toBe(1);
  });

  test("an id that names another job afterwards is not taken for ours", async () => {
    const { run, standin, host } = await open();
    await run(INSTALL);
    const [ours] = standin.control.jobs().filter(({ method }) => method === "app.create");
    standin.control.restartService();
    await run({ ...INSTALL, name: "second", values: {} });
    expect(standin.control.jobs().some(({ id }) => id === ours?.id)).toBe(true);
    const ref = { requestId: "gone", method: "createApp", id: ours?.id ?? 0, startedAt: 1 } as const;
    expect(await host.findJob(ref)).toBeNull();
  });
});

describe("job events", () => {
  test.each(["last-event-lost", "events-duplicated", "events-reordered"])("%s: the job ends once", async (fault) => {
    const { run } = await open({ faults: [`${fault}@app.create`] });
    const seen: number[] = [];
    expect(await run(INSTALL, seen)).toEqual({ ok: true });
    expect(seen.filter((percent) => percent === 100)).toHaveLength(1);
  });
});

describe("job SUCCESS, but the app does not run", () => {
  test("CRASHED shows", async () => {
    const { run } = await open({ faults: ["app-crashed"] });
    expect(await run(INSTALL)).toEqual({ ok: true });
    await expect.poll(() => stateOf()).toBe("1.3.11 CRASHED");
  });

  test("DEPLOYING for ever shows", async () => {
    const { run } = await open({ faults: ["app-never-healthy"] });
    expect(await run(INSTALL)).toEqual({ ok: true });
    for (let looks = 0; looks < 20; looks++) expect(await stateOf()).toBe("1.3.11 DEPLOYING");
  });
});

describe("failed upgrade", () => {
  test.each([
    ["upgrade-left-stopped", "1.3.11 STOPPED"],
    ["upgrade-half-up", expect.stringMatching(/^1\.3\.12 /)],
  ])("%s: version and state are read again", async (fault, left) => {
    const { run, standin } = await open();
    await run(INSTALL);
    await running("1.3.11");
    standin.control.arm(fault);
    expect(await run(UPGRADE)).toMatchObject({ ok: false });
    expect(await stateOf()).toEqual(left);
  });
});

test("docker.status INITIALIZING: apps are not reported as uninstalled, and come back", async () => {
  const { run, host, standin } = await open();
  await run(INSTALL);
  standin.control.arm("docker-initializing=2");
  await expect(host.apps()).rejects.toMatchObject({ code: "HOST_APPS_UNAVAILABLE", fault: { retryable: true } });
  await expect(host.app("jellyfin")).rejects.toMatchObject({ code: "HOST_APPS_UNAVAILABLE" });
  await expect.poll(() => host.app("jellyfin").catch(() => null)).toMatchObject({ name: "jellyfin" });
});

describe("calls", () => {
  test("session expired: logged in again, the call made once more", async () => {
    const { run, standin, received } = await open({ faults: ["session-expired@app.create"] });
    expect(await run(INSTALL)).toEqual({ ok: true });
    expect(received("auth.login_ex")).toBe(2);
    expect(standin.control.jobs().filter(({ method }) => method === "app.create")).toHaveLength(1);
  });

  test("-32000: backed off, then made", async () => {
    const { run, standin } = await open({ faults: ["too-many-calls@app.create*2"] });
    expect(await run(INSTALL)).toEqual({ ok: true });
    expect(standin.control.jobs().filter(({ method }) => method === "app.create")).toHaveLength(1);
  });

  test("slow answer after the client's timeout: the job is found, the late answer ignored", async () => {
    const { run, received } = await open({
      faults: ["slow-answer@app.create=300"],
      client: { timing: { callMs: 100 } },
    });
    expect(await run(INSTALL)).toEqual({ ok: true });
    expect(received("app.create")).toBe(1);
  });

  test("answers out of order find their calls", async () => {
    const { host, standin } = await open({ faults: ["out-of-order@system.host_id=50"] });
    expect((await host.facts()).hostId).toBe(standin.control.state().hostId);
  });
});

describe("idle", () => {
  test("the front proxy's cut after silence does not happen to a client that pings", async () => {
    const { host, received } = await open({
      limits: { idleMs: 150, ratePerWindow: 10_000 },
      client: { timing: { pingMs: 40 } },
    });
    await host.usedPorts();
    await expect.poll(() => received("core.ping")).toBeGreaterThan(8);
    await host.usedPorts();
    expect(received("auth.login_ex")).toBe(1);
  });
});

describe("releases: snapshots, shares and accounts work on each", () => {
  test.each(GENERATIONS)("%s", async (generation) => {
    const { host, standin } = await open({ generation });
    const dataset = "tank/Media";
    const snapshot = {
      dataset,
      name: "platform-app-jellyfin-x-20260101T000000Z",
      properties: { "platform:app": "jellyfin" },
    };
    await host.createSnapshot(snapshot);
    const [kept] = await host.snapshots(dataset, [snapshot.name]);
    expect(kept).toMatchObject(snapshot);
    expect(kept?.bytes).toBeTypeOf("number");
    expect(await host.snapshots("tank/gone", [snapshot.name])).toEqual([]);
    expect(await host.snapshotNames("tank/gone")).toEqual([]);
    await expect(host.createSnapshot(snapshot)).rejects.toMatchObject({ code: "HOST_EXISTS" });
    await host.deleteSnapshot(dataset, snapshot.name);
    await host.deleteSnapshot(dataset, snapshot.name);
    expect(await host.snapshotNames(dataset)).toEqual([]);
    await host.makeDirectory("/mnt/tank/Media/films");
    await host.createShare({ name: "films", path: "/mnt/tank/Media/films" });
    expect(await host.shares()).toContainEqual({ name: "films", path: "/mnt/tank/Media/films" });
    Object.assign(standin.control.state(), { smbRunning: false, smbEnabled: false });
    expect(await host.startShares(AbortSignal.timeout(30_000))).toBe(true);
    expect(await host.sharesService()).toEqual({ running: true, enabled: false });
    expect(await host.renamesDatasets()).toBe(generation !== "25.04");
  });
});
