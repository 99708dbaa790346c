/** The corpus, first part: hooks that talk to their app. */
import { createHash } from "node:crypto";
import { afterAll, describe, expect } from "vitest";
import { type Received, startApp } from "./app-server.ts";
import { createBothWays } from "./both-ways.ts";
import { resultOf } from "./workbench.ts";

const { bench, test } = createBothWays();
afterAll(() => bench[Symbol.asyncDispose]());

const json = ({ body }: Received) => JSON.parse(body.toString());

describe("media servers", () => {
  test("media-setup configures the server once it is up, and retries libraries", async () => {
    let asked = 0;
    const attempts = new Map<string, number>();
    await using app = await startApp({
      "GET /System/Info/Public": () => (++asked < 3 ? { status: 503 } : { body: { Version: "10" } }),
      "GET /Startup/State": () => ({ body: { completed: false } }),
      "POST /Startup/User": () => ({ body: {} }),
      "POST /Startup/Complete": () => ({ body: {} }),
      "POST /Users/Authenticate": (request) => ({ body: { AccessToken: `token-of-${json(request).Username}` } }),
      "POST /Library/Folders": ({ query, headers }) => {
        const name = query.get("name") ?? "";
        attempts.set(name, (attempts.get(name) ?? 0) + 1);
        if (headers.authorization !== 'MediaBrowser Token="token-of-anna"') return { status: 401 };
        return name === "Shows" && (attempts.get(name) ?? 0) < 3 ? { status: 500, body: "busy" } : { body: {} };
      },
    });
    const inputs = { admin: { name: "anna", password: "secret" } };
    const ran = await bench.run({ file: "media-setup.ts", entrypoint: "setUp", app, context: { inputs } });
    resultOf(ran);
    expect(Object.fromEntries(attempts)).toEqual({ Movies: 1, Shows: 3 });
    expect(ran.calls.map(({ kind }) => kind)).toEqual([
      "registerCheckpoints",
      "emitCheckpoint",
      "emitCheckpoint",
      "updateCheckpointMessage",
      "setProgress",
      "updateCheckpointMessage",
      "setProgress",
      "emitCheckpoint",
    ]);
    expect(ran.calls[2]).toEqual({ kind: "emitCheckpoint", id: "wizard", message: "Configured", progress: 40 });
    expect(ran.log.filter((line) => line.startsWith("Shows: attempt"))).toHaveLength(2);
  });

  test("media-libraries adds only the libraries that are missing", async () => {
    await using app = await startApp({
      "GET /library/sections": () => ({
        body: { libraries: [{ key: "1", title: "Movies", locations: ["/media/movies"] }] },
      }),
      "POST /library/sections": (request) => ({ body: { ...json(request), key: json(request).title } }),
      "PUT /library/sections/Music/refresh": () => ({}),
      "PUT /library/sections/Shows/refresh": () => ({}),
    });
    const mounts = ["/media/movies", "/media/shows", "/media/music", "/config"].map((containerPath) => ({
      hostPath: `/mnt/tank${containerPath}`,
      containerPath,
      localPath: `/nowhere${containerPath}`,
    }));
    const context = { inputs: { token: "t0ken1" }, mounts };
    const ran = await bench.run({ file: "media-libraries.ts", entrypoint: "addMissing", app, context });
    expect(resultOf(ran)).toEqual({ added: ["Music", "Shows"] });
    expect(
      app.received
        .filter(({ method }) => method === "PUT")
        .map(({ path }) => path)
        .sort(),
    ).toEqual(["/library/sections/Music/refresh", "/library/sections/Shows/refresh"]);
    expect(app.received.every(({ headers }) => headers["x-token"] === "t0ken1")).toBe(true);
  });

  test("music-scan sends a form and polls until the scan has ended", async () => {
    let count = 0;
    await using app = await startApp({
      "POST /rest/startScan": () => ({}),
      "GET /rest/getScanStatus": () => {
        count += 40;
        return { body: { scanStatus: { scanning: count < 100, count: Math.min(count, 100), total: 100 } } };
      },
    });
    const context = { inputs: { user: "anna", password: "p&q=r ü" } };
    const ran = await bench.run({ file: "music-scan.ts", entrypoint: "scan", app, context });
    expect(resultOf(ran)).toEqual({ songs: 100 });
    expect(ran.calls).toEqual([
      { kind: "setProgress", percent: 40 },
      { kind: "setProgress", percent: 80 },
    ]);
    const [start, poll] = app.received;
    expect(start?.headers["content-type"]).toBe("application/x-www-form-urlencoded;charset=UTF-8");
    expect(new URLSearchParams(start?.body.toString()).get("p")).toBe("p&q=r ü");
    expect(poll?.query.get("p")).toBe("p&q=r ü");
  });
});

describe("sessions", () => {
  test("cookie-session sends Origin, Referer and the session's cookie as given", async () => {
    await using app = await startApp({
      "POST /api/v2/auth/login": ({ headers, body }) =>
        headers.origin === headers.referer && body.toString() === "username=admin&password=adminadmin"
          ? { body: "Ok.", headers: { "set-cookie": "SID=abc123; HttpOnly; path=/" } }
          : { status: 403 },
      "POST /api/v2/app/setPreferences": ({ headers, body }) =>
        headers.cookie === "SID=abc123" && body.toString().startsWith("json=%7B") ? {} : { status: 403 },
      "POST /api/v2/auth/logout": () => ({}),
    });
    const context = { inputs: { user: "admin", password: "adminadmin" } };
    resultOf(await bench.run({ file: "cookie-session.ts", entrypoint: "setSavePath", app, context }));
    expect(app.received.map(({ path }) => path)).toEqual([
      "/api/v2/auth/login",
      "/api/v2/app/setPreferences",
      "/api/v2/auth/logout",
    ]);
  });

  test("cookie-session that is refused fails with the status as context", async () => {
    await using app = await startApp({ "POST /api/v2/auth/login": () => ({ status: 403, body: "Fails." }) });
    const context = { inputs: { user: "admin", password: "wrong" } };
    const { outcome } = await bench.run({ file: "cookie-session.ts", entrypoint: "setSavePath", app, context });
    expect(outcome).toMatchObject({
      status: "failed",
      reason: "script_error",
      message: "The app refused user name or password",
      context: [{ label: "status", value: "403" }],
    });
    expect(outcome.status === "failed" && outcome.stack).toContain("cookie-session.ts:10:");
  });

  test("csrf-session keeps several cookies and follows no redirect by itself", async () => {
    await using app = await startApp({
      "GET /login": () => ({
        body: '<input name="csrf" value="c5rf">',
        headers: { "set-cookie": ["a=1; Path=/", "b=2; Path=/"] },
      }),
      "POST /login": ({ headers, body }) =>
        headers.cookie === "a=1; b=2" && body.toString() === "csrf=c5rf&password=pw"
          ? { status: 302, headers: { location: "/libraries", "set-cookie": "b=3" } }
          : { status: 403 },
      "POST /libraries": ({ headers }) => ({
        status: headers.cookie === "a=1; b=3" && headers["x-csrf"] === "c5rf" ? 201 : 400,
      }),
    });
    const ran = await bench.run({
      file: "csrf-session.ts",
      entrypoint: "createLibrary",
      app,
      context: { inputs: { password: "pw" } },
    });
    expect(resultOf(ran)).toEqual({ status: 201, location: "/libraries" });
  });

  test("challenge-login hashes with node:crypto and reads a base64url token", async () => {
    const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");
    const token = `h.${Buffer.from(JSON.stringify({ sub: "anna ❤" })).toString("base64url")}.s`;
    await using app = await startApp({
      "GET /auth/challenge": () => ({ body: { salt: "s1", nonce: "n1" } }),
      "POST /auth/answer": (request) =>
        json(request).proof === sha256(`n1${sha256("s1pässword")}`) ? { body: { token } } : { status: 401 },
    });
    const context = { inputs: { password: "pässword" } };
    const ran = await bench.run({ file: "challenge-login.ts", entrypoint: "login", app, context });
    expect(resultOf(ran)).toEqual({ user: "anna ❤", device: 36 });
  });
});

describe("long work", () => {
  test("long-import gives up a poll that hangs, and shows progress without waiting for it", async () => {
    let polls = 0;
    await using app = await startApp({
      "POST /jobs": () => ({ body: { id: 7 } }),
      "GET /jobs/7": () => {
        polls += 1;
        if (polls === 2) return null;
        return { body: { done: Math.min(polls, 4) * 25, of: 100, state: polls < 4 ? "running" : "done" } };
      },
    });
    const ran = await bench.run({ file: "long-import.ts", entrypoint: "importPhotos", app });
    expect(resultOf(ran)).toBe(100);
    // On a slow machine a poll that is answered may be given up too.
    expect(new Set(ran.log)).toEqual(new Set(["poll timed out"]));
    const shown = ran.calls.map((call) => call.kind === "setProgress" && call.percent);
    expect([[25, 75], [25], [75]]).toContainEqual(shown);
  });

  test("retry-checkpoint tries again after Retry and goes on after Skip", async () => {
    let claims = 0;
    await using app = await startApp({ "POST /claim": () => ({ status: ++claims === 2 ? 200 : 401 }) });
    const request = {
      file: "retry-checkpoint.ts",
      entrypoint: "claimServer",
      app,
      context: { inputs: { token: "t" } },
    };
    const retried = await bench.run({ ...request, person: ["retry"] });
    expect(resultOf(retried)).toBe("claimed");
    expect(retried.calls[1]).toEqual({
      kind: "awaitCheckpointRetry",
      id: "claim",
      error: "The claim was refused",
      context: [{ label: "status", value: "401" }],
    });
    const skipped = await bench.run({ ...request, person: ["skip"] });
    expect(resultOf(skipped)).toBe("skipped");
    expect(skipped.calls.at(-1)).toEqual({ kind: "skipCheckpoint", id: "claim" });
  });

  test("rate-limited waits as long as it is told, all requests at once", async () => {
    const tries = new Map<string, number>();
    const refresh = ({ path }: Received) => {
      tries.set(path, (tries.get(path) ?? 0) + 1);
      return tries.get(path) === 1 ? { status: 429, headers: { "retry-after": "0.02" } } : { body: `fresh ${path}` };
    };
    await using app = await startApp({
      "GET /shows": () => ({ body: [{ id: 1 }, { id: 2 }] }),
      "GET /shows/1/refresh": refresh,
      "GET /shows/2/refresh": refresh,
    });
    const ran = await bench.run({ file: "rate-limited.ts", entrypoint: "refreshAll", app });
    expect(resultOf(ran)).toEqual({ 1: "fresh /shows/1/refresh", 2: "fresh /shows/2/refresh" });
  });
});

describe("settings", () => {
  test("jsonc-templates sends the requests of a file with comments", async () => {
    await using app = await startApp({ "POST /api/v1/indexer": (request) => ({ body: json(request) }) });
    const context = { inputs: { key: "k-1" } };
    const ran = await bench.run({ file: "jsonc-templates.ts", entrypoint: "addIndexers", app, context });
    expect(resultOf(ran)).toEqual(["Public", "Private"]);
    expect(app.received.map(json)).toEqual([
      { name: "Public", url: "https://public.example/api", key: "k-1", categories: [2000, 5000] },
      { name: "Private", url: "https://private.example//api", key: "k-1", categories: [5000] },
    ]);
  });

  test("merge-settings writes only what changed", async () => {
    let settings: unknown = { quality: { profile: "SD", language: "de" }, folders: ["/old"] };
    await using app = await startApp({
      "GET /settings": () => ({ body: settings }),
      "PUT /settings": (request) => {
        settings = json(request);
        return { body: settings };
      },
    });
    const request = { file: "merge-settings.ts", entrypoint: "configure", app };
    expect(resultOf(await bench.run(request))).toBe("changed");
    expect(settings).toEqual({
      quality: { profile: "HD", language: "de", cutoff: 7 },
      folders: ["/media/shows"],
      naming: { episodes: true },
    });
    expect(resultOf(await bench.run(request))).toBe("unchanged");
  });

  test("checked-inputs applies schemas and names the inputs that fail", async () => {
    await using app = await startApp({
      "POST /claim": ({ headers }) => ({ status: headers["x-token"] === "oauth" ? 204 : 401 }),
    });
    const inputs = { account: { authToken: "oauth" }, port: "8080", mail: "a@b", badPort: "http", badMail: "nobody" };
    const ran = await bench.run({ file: "checked-inputs.ts", entrypoint: "read", app, context: { inputs } });
    expect(resultOf(ran)).toEqual({
      status: 204,
      port: 8080,
      mail: "a@b",
      wrong: [
        'input "missing" is missing; collected inputs are "account", "port", "mail", "badPort", "badMail"',
        'input "badPort" is not valid: "http" is no port',
        'input "badMail" is not valid: no address',
      ],
    });
  });

  test("before-upgrade reads a streamed export, and refuses to skip a version", async () => {
    const lines = Array.from({ length: 3000 }, (_, id) => `${JSON.stringify({ id, name: "ä".repeat(20) })}\n`);
    await using app = await startApp({ "GET /export": () => ({ body: lines.join("") }) });
    const context = { event: "onBeforeUpgrade", fromVersion: "2.4.0", toVersion: "3.0.1" };
    const request = { file: "before-upgrade.ts", entrypoint: "guard", app };
    expect(resultOf(await bench.run({ ...request, context }))).toEqual({
      event: "onBeforeUpgrade",
      items: lines.map((_, id) => id),
    });
    const refused = await bench.run({ ...request, context: { ...context, toVersion: "5.0.0" } });
    expect(refused.outcome).toMatchObject({
      message: "Versions must not be skipped",
      context: [
        { label: "installed", value: "2.4.0" },
        { label: "wanted", value: "5.0.0" },
      ],
    });
  });

  test("old-habits: calls nobody awaits take effect in order, the log can be replaced", async () => {
    const ran = await bench.run({ file: "old-habits.ts" });
    expect(resultOf(ran)).toEqual({ flags: 5, lines: 1 });
    expect(ran.calls.map((call) => [call.kind, "id" in call ? call.id : null])).toEqual([
      ["registerCheckpoints", null],
      ["emitCheckpoint", "one"],
      ["updateCheckpointMessage", "two"],
      ["emitCheckpoint", "two"],
    ]);
    expect(ran.log).toEqual(["old: { nested: { deep: [1, 2, { three: 3n }] } }", "answer is 42"]);
  });
});

describe("two apps", () => {
  test("pair-requests links the apps that are installed", async () => {
    await using app = await startApp({
      "POST /api/servers": ({ headers }) => ({
        status: headers.authorization === `Basic ${btoa("admin:pw")}` ? 201 : 401,
      }),
    });
    await using movies = await startApp({});
    const request = {
      file: "pair-requests.ts",
      entrypoint: "linkServers",
      app,
      context: { inputs: { password: "pw" } },
    };
    const ran = await bench.run({ ...request, others: { movies } });
    expect(resultOf(ran)).toEqual(["movies"]);
    expect(app.received.map(json)).toEqual([{ app: "movies", hostname: "127.0.0.1", port: movies.port, ssl: false }]);
    expect((await bench.run(request)).outcome).toMatchObject({ message: "Neither of the apps to link is installed" });
  });
});
