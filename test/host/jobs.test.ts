import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { JsonObject } from "../../src/core/json/json.ts";
import type { Host } from "../../src/engine/ports/host.ts";
import type { HostJob, JobCall } from "../../src/engine/ports/host-records.ts";
import { openClient } from "../support/host/host-client.ts";
import { startWireHost, type WireCall, type WireHost } from "../support/host/wire-host.ts";
import { WITHIN_MS } from "../support/within.ts";

const REQUEST = "6f0c7a34-0000-4000-8000-000000000001";
const STARTED = 1_770_000_000_000;
const UPGRADE: JobCall = { method: "upgradeApp", name: "jellyfin" };
const REF = { requestId: REQUEST, method: "upgradeApp" } as const;

let host: WireHost;
let client: Host;
/** What `core.get_jobs` answers from. */
let jobs: JsonObject[];

beforeEach(async () => {
  host = await startWireHost();
  jobs = [];
  host.on("core.get_jobs", (call) => call.result(jobs.filter((job) => matches(job, call))));
  client = openClient(host.url, { timing: { pollMs: 60_000 } });
});
afterEach(async () => {
  await client.close();
  await host.stop();
  expect(host.violations).toEqual([]);
});

function matches(job: JsonObject, call: WireCall): boolean {
  const [filters] = call.params;
  const [field, op, value] = Array.isArray(filters) && Array.isArray(filters[0]) ? filters[0] : [];
  const held = job[String(field)];
  return op === "rin" ? Array.isArray(held) && held.includes(value) : held === value;
}

function job(patch: JsonObject = {}): JsonObject {
  return {
    id: 812,
    message_ids: [REQUEST],
    method: "app.upgrade",
    arguments: ["jellyfin", { values: "********" }],
    transient: false,
    description: null,
    abortable: false,
    state: "RUNNING",
    progress: { percent: 20, description: "Validating", extra: null },
    result: null,
    error: null,
    exception: null,
    exc_info: null,
    time_started: { $date: STARTED },
    time_finished: null,
    credentials: { type: "API_KEY", data: {} },
    ...patch,
  };
}

function event(fields: JsonObject): JsonObject {
  return { msg: "changed", collection: "core.get_jobs", id: fields["id"] ?? null, fields };
}

function percent(value: number): JsonObject {
  return { progress: { percent: value, description: "", extra: null } };
}

function watch(seen: HostJob[] = []) {
  return { signal: AbortSignal.timeout(WITHIN_MS), progress: (each: HostJob) => seen.push(each) };
}

/** Any call of the client, to send events through its connection. */
async function connection(): Promise<WireCall> {
  await expect.poll(() => host.named("core.get_jobs").length).toBeGreaterThan(0);
  const call = host.named("core.get_jobs").at(-1);
  if (call === undefined) throw new Error("the client has not asked for its job");
  return call;
}

describe("starting a job", () => {
  test("sends the request id as the message id, an upgrade with empty values, and answers with the host's job", async () => {
    host.on("app.upgrade", (call) => {
      jobs = [job({ state: "WAITING", ...percent(0) })];
      call.notify(event(job({ state: "WAITING" })));
      call.result(812);
    });
    expect(await client.startJob(UPGRADE, REQUEST)).toEqual({
      id: 812,
      method: "upgradeApp",
      state: "WAITING",
      percent: 0,
      description: "",
      startedAt: STARTED,
    });
    const [sent] = host.named("app.upgrade");
    expect(sent).toMatchObject({ id: REQUEST, params: ["jellyfin", { app_version: "latest", values: {} }] });
  });

  test("that is dropped by a full lock queue is undelivered, not another call's job", async () => {
    host.on("app.upgrade", (call) => {
      jobs = [job({ id: 7, message_ids: ["another-request", REQUEST] })];
      call.result(7);
    });
    await expect(client.startJob(UPGRADE, REQUEST)).rejects.toMatchObject({
      code: "HOST_JOB_DROPPED",
      delivery: "no",
      fault: { retryable: true },
    });
    expect(await client.findJob(REF)).toBeNull();
  });

  test("that is refused directly carries the fields, as one refused inside the job does", async () => {
    const fields = [["app_create.network.web_port", "Port is required", 22]];
    host.on("app.create", (call) =>
      call.error(-32602, "Invalid params", { error: 22, errname: "EINVAL", reason: "", trace: null, extra: fields }),
    );
    const call = { method: "createApp", name: "x", catalogApp: "x", train: "stable", values: {} } as const;
    const direct = await client.startJob(call, REQUEST).catch((error: unknown) => error);
    const expected = {
      code: "HOST_INVALID",
      reason: "app_create.network.web_port: Port is required",
      errname: "EINVAL",
      fields: [{ field: "network.web_port", message: "Port is required" }],
      retryable: false,
    };
    expect(direct).toMatchObject({ delivery: "yes", fault: expected });
    const exc_info = { type: "VALIDATION", errno: null, extra: fields, repr: "" };
    jobs = [job({ state: "FAILED", error: "app_create.network.web_port: Port is required", exc_info })];
    expect((await client.findJob(REF))?.error).toEqual(expected);
  });

  test("whose answer is lost is found by its request id, and sent once", async () => {
    host.on("app.upgrade", (call) => {
      jobs = [job()];
      call.cut();
    });
    await expect(client.startJob(UPGRADE, REQUEST)).rejects.toMatchObject({ delivery: "unknown" });
    expect(await client.findJob(REF)).toMatchObject({ id: 812, state: "RUNNING" });
    expect(host.named("app.upgrade")).toHaveLength(1);
  });
});

describe("waiting for a job", () => {
  test("ends by its event, once, however often it comes", async () => {
    jobs = [job()];
    const seen: HostJob[] = [];
    const waiting = client.waitJob(REF, watch(seen));
    const { notify } = await connection();
    const done = job({ state: "SUCCESS", ...percent(100) });
    notify(event(done));
    notify(event(done));
    expect(await waiting).toMatchObject({ state: "SUCCESS", percent: 100 });
    expect(seen.filter(({ state }) => state === "SUCCESS")).toHaveLength(1);
    expect(host.named("core.get_jobs")).toHaveLength(1);
  });

  test("ends by the poll when no event ever comes", async () => {
    const polling = openClient(host.url, { timing: { pollMs: 10 } });
    jobs = [job()];
    const waiting = polling.waitJob(REF, watch());
    await expect.poll(() => host.named("core.get_jobs").length).toBeGreaterThan(2);
    jobs = [job({ state: "SUCCESS", ...percent(100) })];
    expect(await waiting).toMatchObject({ state: "SUCCESS" });
    await polling.close();
  });

  test.each(["before", "behind"])("ends by an event that comes right %s an answer that is older", async (place) => {
    host.on("core.get_jobs", (call) => {
      const done = event(job({ state: "SUCCESS", ...percent(100) }));
      if (place === "before") call.notify(done);
      call.result([job(percent(60))]);
      if (place === "behind") call.notify(done);
    });
    expect(await client.waitJob(REF, watch())).toMatchObject({ state: "SUCCESS" });
    expect(host.named("core.get_jobs")).toHaveLength(1);
  });

  test("never takes the progress back when events come out of order", async () => {
    jobs = [job(percent(40))];
    const seen: HostJob[] = [];
    const waiting = client.waitJob(REF, watch(seen));
    const { notify } = await connection();
    for (const step of [15, 50, 20]) notify(event(job(percent(step))));
    await expect.poll(() => seen.length).toBe(2);
    notify(event(job({ state: "FAILED", error: "[EFAULT] no", ...percent(30) })));
    await waiting;
    expect(seen.map((each) => each.percent)).toEqual([40, 50, 50]);
  });

  test("an ABORTED job is a failure although the host gives no error", async () => {
    jobs = [job({ state: "ABORTED" })];
    expect(await client.waitJob(REF, watch())).toMatchObject({
      state: "ABORTED",
      error: { code: "HOST_JOB_ABORTED", reason: "the job app.upgrade was aborted", retryable: true },
    });
  });

  test("goes on over a lost connection and finds the end that came meanwhile", async () => {
    jobs = [job()];
    const waiting = client.waitJob(REF, watch());
    await connection();
    jobs = [job({ state: "SUCCESS", ...percent(100) })];
    host.cutAll();
    expect(await waiting).toMatchObject({ state: "SUCCESS" });
    expect(host.named("auth.login_ex")).toHaveLength(2);
    expect(host.named("core.subscribe")).toHaveLength(2);
  });

  test("answers null when the host has forgotten the job, whatever has its id now", async () => {
    jobs = [job()];
    const started = { ...REF, id: 812, startedAt: STARTED };
    const waiting = client.waitJob(started, watch());
    await connection();
    jobs = [job({ message_ids: ["another"], time_started: { $date: STARTED + 90_000 }, state: "SUCCESS" })];
    host.cutAll();
    expect(await waiting).toBeNull();
  });

  test("knows a job without message ids by id, method and start time", async () => {
    jobs = [job({ message_ids: [], state: "SUCCESS", ...percent(100) })];
    expect(await client.findJob({ ...REF, id: 812, startedAt: STARTED })).toMatchObject({ state: "SUCCESS" });
    expect(await client.findJob({ ...REF, id: 812, startedAt: STARTED - 5_000 })).toBeNull();
    expect(await client.findJob({ ...REF, id: 812 })).toBeNull();
  });

  test("ignores the events of other jobs", async () => {
    jobs = [job()];
    const waiting = client.waitJob(REF, watch());
    const { notify } = await connection();
    notify(event(job({ id: 813, message_ids: [], method: "app.stop", state: "SUCCESS" })));
    notify(event(job({ message_ids: ["another"], state: "FAILED" })));
    notify(event(job({ state: "SUCCESS" })));
    expect(await waiting).toMatchObject({ id: 812, state: "SUCCESS" });
  });

  test("ends with HOST_CLOSED when it is cancelled, also while the host is away", async () => {
    jobs = [job()];
    const cancel = new AbortController();
    const waiting = client.waitJob(REF, { signal: cancel.signal, progress: () => {} });
    await connection();
    await host.stop();
    cancel.abort();
    await expect(waiting).rejects.toMatchObject({ code: "HOST_CLOSED" });
  });

  test("a state that is unknown here is one that goes on", async () => {
    jobs = [job({ state: "PAUSED" })];
    expect(await client.findJob(REF)).toMatchObject({ state: "RUNNING" });
  });
});
