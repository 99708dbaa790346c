import { setImmediate } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { isJsonObject, type JsonObject } from "../../src/core/json/json.ts";
import { STEP_MS } from "../../src/standin/apps/steps.ts";
import type { StandinClock } from "../../src/standin/clock.ts";
import { at, endOfJob, openLoggedIn, type RawClient, startStandin } from "../support/engine/standin-client.ts";

const JELLYFIN = {
  app_name: "jellyfin",
  catalog_app: "jellyfin",
  train: "community",
  values: { secret: "s3cret-value" },
};

/** Keys every job event and `core.get_jobs` row carries (docs/host-api.md, section 3). */
const JOB_KEYS = [
  "abortable",
  "arguments",
  "credentials",
  "description",
  "error",
  "exc_info",
  "exception",
  "id",
  "logs_excerpt",
  "logs_path",
  "message_ids",
  "method",
  "progress",
  "result",
  "result_encoding_error",
  "state",
  "time_finished",
  "time_started",
  "transient",
];

function jobEvents(client: RawClient, id: unknown): JsonObject[] {
  return client.received.flatMap(({ params }) =>
    isJsonObject(params) && params["collection"] === "core.get_jobs" && params["id"] === id ? [params] : [],
  );
}

function steps(client: RawClient, id: unknown): string[] {
  const texts = jobEvents(client, id).map(
    (event) => `${at(event, "fields", "state")} ${at(event, "fields", "progress", "percent")}`,
  );
  return texts.filter((text, index) => text !== texts[index - 1]);
}

describe("default mode", () => {
  test("answers with the id after the added event, and tells every step in order", async () => {
    const client = await openLoggedIn(await startStandin());
    await client.call("core.subscribe", "core.get_jobs");
    const answer = await client.answer("app.create", JELLYFIN);
    const job = await endOfJob(client, answer["result"] ?? null);
    await client.until((message) => at(message, "params", "fields", "state") === "SUCCESS");
    const added = client.received.findIndex((message) => at(message, "params", "msg") === "added");
    expect(added).toBeLessThan(client.received.indexOf(answer));
    expect(job).toMatchObject({ state: "SUCCESS", error: null, exc_info: null, message_ids: [answer["id"]] });
    expect(steps(client, job["id"])).toEqual([
      "WAITING 0",
      "RUNNING 0",
      "RUNNING 25",
      "RUNNING 60",
      "RUNNING 100",
      "SUCCESS 100",
    ]);
    for (const event of jobEvents(client, job["id"])) {
      expect(Object.keys(isJsonObject(event["fields"] ?? null) ? Object(event["fields"]) : {}).sort()).toEqual(
        JOB_KEYS,
      );
    }
  });

  test.each([
    [1, 1],
    [2, 2],
  ])("the terminal event of job %i comes %i times", async (id, times) => {
    const client = await openLoggedIn(await startStandin());
    await client.call("core.subscribe", "core.get_jobs");
    await client.job("app.stop", "none");
    await client.job("app.stop", "none");
    await client.call("core.ping");
    const ended = jobEvents(client, id).filter((event) => at(event, "fields", "state") === "FAILED");
    expect(ended.length).toBe(times);
  });

  test("argument errors surface inside the job", async () => {
    const client = await openLoggedIn(await startStandin());
    expect(await client.job("app.create", { app_name: "jellyfin", train: "community" })).toMatchObject({
      state: "FAILED",
      error: "[EINVAL] app_create.catalog_app: This field is required\n",
      exc_info: { type: "VALIDATION", errno: null, extra: [["app_create.catalog_app", "This field is required", 22]] },
    });
    expect(await client.job("app.create", { app_name: "jellyfin", bogus: 1 })).toMatchObject({
      exc_info: { type: "VALIDATION", extra: [["app_create.bogus", "Extra inputs are not permitted", 22]] },
    });
    expect(await client.job("app.create", { app_name: "Jelly", catalog_app: "jellyfin" })).toMatchObject({
      exc_info: { type: "VALIDATION", extra: [["app_create.app_name", expect.stringContaining("match pattern"), 22]] },
    });
  });

  test("a call without an argument object cannot even be queued", async () => {
    const client = await openLoggedIn(await startStandin());
    const error = await client.failure("app.create");
    expect(at(error, "data", "reason")).toContain("Error handling job lock");
    expect(await client.call("core.get_jobs")).toEqual([]);
  });

  test("values never show in a job's arguments", async () => {
    const client = await openLoggedIn(await startStandin());
    const job = await client.job("app.create", JELLYFIN);
    expect(job["arguments"]).toMatchObject([{ app_name: "jellyfin", values: "********" }]);
    expect(JSON.stringify(await client.call("core.get_jobs"))).not.toContain("s3cret-value");
  });

  test("jobs are found by id, by request id, and unknown ones are an empty list", async () => {
    const client = await openLoggedIn(await startStandin());
    const { id: request, result: id } = await client.answer("app.stop", "none");
    const byRequest = await client.call("core.get_jobs", [["message_ids", "rin", request ?? null]]);
    expect(byRequest).toMatchObject([{ id, method: "app.stop" }]);
    expect(await client.call("core.get_jobs", [["id", "=", 4711]])).toEqual([]);
  });

  test("core.job_wait is a job itself and fails with ENOENT for an unknown id", async () => {
    const client = await openLoggedIn(await startStandin());
    expect(await client.job("core.job_wait", 4711)).toMatchObject({ state: "FAILED", exc_info: { errno: 2 } });
  });
});

test.each([1, 10])("at speed %i an install waits for its pull longest, and nothing is left out", async (speed) => {
  const sleeps: number[] = [];
  const clock: StandinClock = {
    now: () => Date.now(),
    sleep: async (ms, signal) => {
      signal?.throwIfAborted();
      sleeps.push(ms * speed);
      await setImmediate();
    },
  };
  const client = await openLoggedIn(await startStandin({ speed, clock }));
  const before = sleeps.length;
  expect(await client.job("app.create", JELLYFIN)).toMatchObject({ state: "SUCCESS" });
  const waits = sleeps.slice(before);
  expect(Math.max(...waits)).toBeCloseTo(STEP_MS.pull);
  expect(waits.length).toBeGreaterThan(4);
});

describe("legacy_jobs false", () => {
  test("the answer waits for the job's result or error", async () => {
    const client = await openLoggedIn(await startStandin());
    await client.call("core.set_options", { legacy_jobs: false });
    expect(await client.call("app.create", JELLYFIN)).toMatchObject({ id: "jellyfin", state: "DEPLOYING" });
    expect(await client.failure("app.create", JELLYFIN)).toMatchObject({
      code: -32001,
      data: { errname: "EEXIST", reason: "[EEXIST] Application with name jellyfin already exists" },
    });
  });

  test("the job goes on when the socket closes while its answer is awaited", async () => {
    const host = await startStandin({ faults: ["drop-mid-job@app.create:60"] });
    const client = await openLoggedIn(host);
    await client.call("core.set_options", { legacy_jobs: false });
    await client.call("app.create", JELLYFIN).catch(() => undefined);
    const later = await openLoggedIn(host);
    const [job] = await later.rows("core.get_jobs", [["method", "=", "app.create"]]);
    expect(await endOfJob(later, job?.["id"] ?? null)).toMatchObject({ state: "SUCCESS" });
  });
});

describe("locks", () => {
  test("same verb and app run one after another, five wait, the next gets the last waiting job", async () => {
    const client = await openLoggedIn(await startStandin({ speed: 5 }));
    const setacl = (uid: number) => client.call("filesystem.setacl", { path: "/mnt/tank/Media", uid, dacl: [] });
    const ids = await Promise.all([1, 2, 3, 4, 5, 6, 7, 8].map(setacl));
    expect(ids).toEqual([1, 2, 3, 4, 5, 6, 6, 6]);
    await endOfJob(client, 6);
    const jobs = await client.rows("core.get_jobs");
    const times = jobs.map((job) => [at(job, "time_started", "$date"), at(job, "time_finished", "$date")]);
    expect(jobs.map(({ state }) => state)).toEqual(Array(6).fill("SUCCESS"));
    expect(jobs.map((job) => z.array(z.string()).parse(job["message_ids"]).length)).toEqual([1, 1, 1, 1, 1, 3]);
    const finished = times.map(([, end]) => Number(end));
    expect(finished).toEqual(finished.toSorted((a, b) => a - b));
    expect(await client.call("filesystem.stat", "/mnt/tank/Media")).toMatchObject({ uid: 6 });
  });

  test("26.0 locks ownership per path", async () => {
    const client = await openLoggedIn(await startStandin({ generation: "26.0" }));
    const ids = await Promise.all(
      ["Media", "Photos", "Music", "Movies", "Shows", "Videos", "Downloads", "Documents"].map((name) =>
        client.call("filesystem.setacl", { path: `/mnt/tank/${name}`, uid: 568, dacl: [] }),
      ),
    );
    expect(new Set(ids).size).toBe(8);
  });

  test("different verbs on one app do not exclude each other", async () => {
    const client = await openLoggedIn(await startStandin({ speed: 10 }));
    await client.job("app.create", JELLYFIN);
    await client.call("core.subscribe", "core.get_jobs");
    const [stop, start] = await Promise.all([
      client.call("app.stop", "jellyfin"),
      client.call("app.start", "jellyfin"),
    ]);
    await endOfJob(client, stop);
    const order = client.received.flatMap((message) => {
      const id = at(message, "params", "id");
      return id === stop || id === start
        ? [`${id === stop ? "stop" : "start"} ${at(message, "params", "fields", "state")}`]
        : [];
    });
    expect(order.indexOf("start RUNNING")).toBeGreaterThan(-1);
    expect(order.indexOf("start RUNNING")).toBeLessThan(order.indexOf("stop SUCCESS"));
    await endOfJob(client, start);
  });
});

describe("independence", () => {
  test("a job runs to its end with no client, and a later session finds it by request id", async () => {
    const host = await startStandin({ speed: 20 });
    const first = await openLoggedIn(host);
    const { id: request } = await first.answer("app.create", JELLYFIN);
    first.socket.terminate();
    await first.closed();
    const later = await openLoggedIn(host);
    const [job] = await later.rows("core.get_jobs", [["message_ids", "rin", request ?? null]]);
    expect(await endOfJob(later, job?.["id"] ?? null)).toMatchObject({ state: "SUCCESS" });
  });

  test("a service restart forgets all jobs and numbers the next from 1", async () => {
    const host = await startStandin();
    const before = await openLoggedIn(host);
    await before.job("app.stop", "none");
    await before.job("app.stop", "none");
    host.control.restartService();
    expect(await before.closed()).toBe(1006);
    const after = await openLoggedIn(host);
    expect(await after.call("core.get_jobs")).toEqual([]);
    expect(await after.call("app.stop", "none")).toBe(1);
  });

  test("helper jobs of the host have no request id and no credentials", async () => {
    const host = await startStandin();
    const client = await openLoggedIn(host);
    await client.job("app.create", { ...JELLYFIN, version: "1.3.11" });
    expect(await client.job("app.upgrade", "jellyfin")).toMatchObject({ state: "SUCCESS" });
    expect(await client.call("core.get_jobs", [["method", "=", "app.stop"]])).toMatchObject([
      { message_ids: [], credentials: null, state: "SUCCESS" },
    ]);
  });
});
