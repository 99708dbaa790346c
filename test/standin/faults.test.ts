import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../src/core/json/json.ts";
import { FAULTS, parseFault } from "../../src/standin/faults.ts";
import {
  at,
  endOfJob,
  install,
  openLoggedIn,
  type RawClient,
  startStandin,
  untilState,
} from "../support/engine/standin-client.ts";

const JELLYFIN = { app_name: "jellyfin", catalog_app: "jellyfin", train: "community", version: "1.3.11" };

function jobEvents(client: RawClient): string[] {
  return client.received.flatMap((message) =>
    at(message, "params", "collection") === "core.get_jobs"
      ? [`${at(message, "params", "fields", "state")} ${at(message, "params", "fields", "progress", "percent")}`]
      : [],
  );
}

describe("a fault's text", () => {
  test.each([
    ["app-crashed", { name: "app-crashed", times: 1 }],
    ["drop-mid-job@app.create:60*3", { name: "drop-mid-job", method: "app.create", percent: 60, times: 3 }],
    ["slow-answer=250", { name: "slow-answer", value: 250, times: 1 }],
  ])("%s is read", (text, fault) => {
    expect(parseFault(text)).toEqual(fault);
  });

  test.each(["", "no-such", "app-crashed@", "app-crashed:60", "slow-answer=x", "toString"])("%j is refused", (text) => {
    expect(() => parseFault(text)).toThrow(expect.objectContaining({ code: "CLI_USAGE" }));
  });
});

describe("faults of a call", () => {
  test("drop-before-call closes the socket and the call is never run", async () => {
    const host = await startStandin({ faults: ["drop-before-call@app.create"] });
    const client = await openLoggedIn(host);
    client.answer("app.create", JELLYFIN).catch(() => undefined);
    await client.closed();
    expect(host.control.jobs()).toEqual([]);
    expect(host.control.faults()).toEqual([]);
  });

  test("drop-before-answer closes the socket after the job was queued, and it is found by request id", async () => {
    const host = await startStandin({ faults: ["drop-before-answer@app.create"] });
    const client = await openLoggedIn(host);
    client.answer("app.create", JELLYFIN).catch(() => undefined);
    await client.closed();
    const later = await openLoggedIn(host);
    const [job] = await later.rows("core.get_jobs", [["message_ids", "rin", "call-2"]]);
    expect(await endOfJob(later, job?.["id"] ?? null)).toMatchObject({ state: "SUCCESS" });
  });

  test("session-expired answers 207 until a new login, and the call was not run", async () => {
    const host = await startStandin({ faults: ["session-expired@filesystem.mkdir"] });
    const client = await openLoggedIn(host);
    const mkdir = { path: "/mnt/tank/Media/x" };
    expect(at(await client.failure("filesystem.mkdir", mkdir), "data", "error")).toBe(207);
    expect(at(await client.failure("app.query"), "data", "error")).toBe(207);
    await client.call("auth.login_with_api_key", host.apiKey);
    expect(await client.call("filesystem.mkdir", mkdir)).toMatchObject({ type: "DIRECTORY" });
  });

  test("too-many-calls answers -32000 without data", async () => {
    const client = await openLoggedIn(await startStandin({ faults: ["too-many-calls@app.query"] }));
    expect(await client.failure("app.query")).toEqual({
      code: -32000,
      message: "Maximum number of concurrent calls (20) has exceeded",
    });
    expect(await client.call("app.query")).toEqual([]);
  });

  test("slow-answer waits its VALUE, divided by the speed", async () => {
    const slept: number[] = [];
    const clock = {
      now: () => 0,
      sleep: async (ms: number) => {
        slept.push(ms);
      },
    };
    const client = await openLoggedIn(await startStandin({ clock, speed: 2, faults: ["slow-answer@core.ping=300"] }));
    await client.call("core.ping");
    expect(slept).toEqual([150]);
  });
});

describe("faults of a job", () => {
  test("drop-mid-job cuts every socket at its step; the job goes on", async () => {
    const host = await startStandin({ faults: ["drop-mid-job@app.create:60"] });
    const client = await openLoggedIn(host);
    const id = await client.call("app.create", JELLYFIN);
    await client.closed();
    const later = await openLoggedIn(host);
    expect(await endOfJob(later, id)).toMatchObject({ state: "SUCCESS" });
  });

  test.each<[string, JsonObject]>([
    [
      "job-call-error@app.create:60",
      {
        error:
          "[EFAULT] Failed 'up' action for 'jellyfin' app. Please check /var/log/app_lifecycle.log for more details",
      },
    ],
    ["job-rate-limit@app.create:60", { error: expect.stringContaining("pull rate limit") }],
    [
      "job-validation@app.create",
      { exc_info: { type: "VALIDATION", extra: [["app_create.values", "Field required", 22]] } },
    ],
  ])("%s fails the job and leaves no instance", async (fault, expected) => {
    const client = await openLoggedIn(await startStandin({ faults: [fault] }));
    expect(await client.job("app.create", JELLYFIN)).toMatchObject({ state: "FAILED", ...expected });
    expect(await client.call("app.query")).toEqual([]);
  });

  test("job-aborted ends the job without an error while its work goes on", async () => {
    const client = await openLoggedIn(await startStandin({ faults: ["job-aborted@app.create:60"] }));
    expect(await client.job("app.create", JELLYFIN)).toMatchObject({ state: "ABORTED", error: null, exc_info: null });
    await untilState(client, "jellyfin", "RUNNING");
    expect(await client.rows("core.get_jobs")).toMatchObject([{ state: "ABORTED", progress: { percent: 60 } }]);
  });

  test.each([
    [25, []],
    [60, [{ state: "STOPPED" }]],
    [100, [{ state: expect.stringMatching(/DEPLOYING|RUNNING/) }]],
  ])("service-restart at %i percent leaves the app as far as it had come", async (percent, apps) => {
    const host = await startStandin({ faults: [`service-restart@app.create:${percent}`] });
    const client = await openLoggedIn(host);
    await client.call("app.create", JELLYFIN);
    await client.closed();
    const later = await openLoggedIn(host);
    expect(await later.call("core.get_jobs")).toEqual([]);
    expect(await later.rows("app.query")).toMatchObject(apps);
  });
});

describe("faults of events", () => {
  const run = async (fault: string): Promise<{ client: RawClient; job: JsonObject }> => {
    const client = await openLoggedIn(await startStandin({ faults: [fault] }));
    await client.call("core.subscribe", "core.get_jobs");
    const job = await client.job("filesystem.chown", { path: "/mnt/tank/Media", uid: 1 });
    await client.call("core.ping");
    return { client, job };
  };

  test("last-event-lost: the end is seen by a query only", async () => {
    const { client, job } = await run("last-event-lost");
    expect(job["state"]).toBe("SUCCESS");
    expect(jobEvents(client).at(-1)).toBe("RUNNING 100");
  });

  test("events-duplicated: each comes twice", async () => {
    const events = jobEvents((await run("events-duplicated")).client);
    expect(events.filter((text) => text === "SUCCESS 100").length).toBe(2);
    expect(events.filter((text) => text === "WAITING 0").length).toBe(2);
  });

  test("events-reordered: none is lost, the order is another", async () => {
    const plain = jobEvents((await run("app-crashed")).client);
    const mixed = jobEvents((await run("events-reordered")).client);
    expect(mixed.toSorted()).toEqual(plain.toSorted());
    expect(mixed).not.toEqual(plain);
  });
});

describe("faults of apps", () => {
  test.each([
    ["app-crashed", "CRASHED"],
    ["app-never-healthy", "DEPLOYING"],
  ])("%s: the job succeeds and the app stays %s", async (fault, state) => {
    const client = await openLoggedIn(await startStandin({ faults: [fault] }));
    expect(await client.job("app.create", JELLYFIN)).toMatchObject({ state: "SUCCESS" });
    await untilState(client, "jellyfin", state);
    await client.job("app.redeploy", "jellyfin");
    await untilState(client, "jellyfin", "RUNNING");
  });

  test.each([
    ["upgrade-left-stopped", { version: "1.3.11", state: "STOPPED" }],
    ["upgrade-half-up", { version: "1.3.12", state: expect.stringMatching(/DEPLOYING|RUNNING/) }],
  ])("%s fails the upgrade between two versions", async (fault, entry) => {
    const host = await startStandin({ faults: [fault] });
    const client = await openLoggedIn(host);
    await install(client, JELLYFIN);
    expect(await client.job("app.upgrade", "jellyfin", {})).toMatchObject({ state: "FAILED", exc_info: { errno: 14 } });
    expect(await client.call("app.get_instance", "jellyfin")).toMatchObject(entry);
  });

  test("docker-initializing: as many docker.status calls answer INITIALIZING, and no app is seen meanwhile", async () => {
    const host = await startStandin();
    const client = await openLoggedIn(host);
    await install(client, JELLYFIN);
    host.control.arm("docker-initializing=2");
    const status = async () => at(await client.call("docker.status"), "status");
    expect(await client.call("app.query")).toEqual([]);
    expect([await status(), await status(), await status()]).toEqual(["INITIALIZING", "INITIALIZING", "RUNNING"]);
    expect(await client.rows("app.query")).toMatchObject([{ id: "jellyfin" }]);
  });
});

test("registry-unreachable: the host says why, and the next time that all is well", async () => {
  const client = await openLoggedIn(await startStandin({ faults: ["registry-unreachable"] }));
  const ask = () => client.call("app.image.dockerhub_rate_limit");
  expect(await ask()).toMatchObject({
    remaining_pull_limit: null,
    error: expect.stringContaining("Unable to connect"),
  });
  expect(await ask()).toMatchObject({ remaining_pull_limit: 100, error: null });
});

test("a fault strikes as often as it is told, at its method only, and can be disarmed", async () => {
  const host = await startStandin();
  const client = await openLoggedIn(host);
  host.control.arm("too-many-calls@app.query*2");
  expect(await client.call("core.ping")).toBe("pong");
  await client.failure("app.query");
  await client.failure("app.query");
  expect(await client.call("app.query")).toEqual([]);
  host.control.arm("too-many-calls@app.query*9");
  host.control.disarm("too-many-calls");
  expect(await client.call("app.query")).toEqual([]);
});

test("every fault says what it does", () => {
  for (const { does } of Object.values(FAULTS)) expect(does).not.toBe("");
});
