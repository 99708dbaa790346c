import { describe, expect, test } from "vitest";
import { z } from "zod";
import { GENERATIONS } from "../../src/standin/settings.ts";
import { at, login, openLoggedIn, openRaw, startStandin } from "../support/engine/standin-client.ts";

const NOT_LOGGED_IN = { code: -32001, data: { error: 207, errname: "ENOTAUTHENTICATED" } };

describe("endpoints", () => {
  test("GET /api/versions lists the versions and GET /api/boot_id changes with a reboot only", async () => {
    const host = await startStandin();
    const base = host.url.replace(/^ws:(.*)\/api\/current$/, "http:$1");
    const get = async (path: string): Promise<unknown> => (await fetch(`${base}${path}`)).json();
    expect(await get("/api/versions")).toContain("v25.10.5");
    const first = await get("/api/boot_id");
    host.control.restartService();
    expect(await get("/api/boot_id")).toBe(first);
    await host.control.reboot();
    expect(await get("/api/boot_id")).not.toBe(first);
    const info = await (await openLoggedIn(host)).call("system.info");
    expect(at(info, "uptime_seconds")).toBeLessThan(60);
  });

  test.each([
    ["/api/current", true],
    ["/api/v25.10.5", true],
    ["/api/v25.04.2", true],
    ["/api/v99.1.0", false],
    ["/websocket", false],
  ])("%s accepts a connection: %s", async (path, accepted) => {
    const host = await startStandin();
    const opened = openRaw(host.url.replace("/api/current", path)).then(
      () => true,
      () => false,
    );
    expect(await opened).toBe(accepted);
  });

  test("a refused address is accepted and closed with 1008", async () => {
    const host = await startStandin({ faults: ["access-refused"] });
    expect(await (await openRaw(host.url)).closed()).toBe(1008);
  });
});

describe("login gate", () => {
  test.each(["auth.me", "core.subscribe", "app.query", "core.get_jobs", "app.create"])(
    "%s needs a login",
    async (method) => {
      const client = await openRaw((await startStandin()).url);
      expect(await client.failure(method)).toMatchObject(NOT_LOGGED_IN);
    },
  );

  test("ping, set_options and mechanism_choices are open", async () => {
    const client = await openRaw((await startStandin()).url);
    expect(await client.call("core.ping")).toBe("pong");
    expect(await client.call("core.set_options", { legacy_jobs: true })).toMatchObject({ legacy_jobs: true });
    expect(await client.call("auth.mechanism_choices")).toContain("API_KEY_PLAIN");
  });

  test.each([
    ["wrong key", { api_key: "1-wrong" }],
    ["wrong user", { username: "nobody" }],
  ])("%s is a result AUTH_ERR and leaves the session logged out", async (_title, wrong) => {
    const host = await startStandin();
    const client = await openRaw(host.url);
    expect(await client.call("auth.login_ex", { ...login(host), ...wrong })).toEqual({ response_type: "AUTH_ERR" });
    expect(await client.failure("auth.me")).toMatchObject(NOT_LOGGED_IN);
  });

  test("a failed login waits a second, divided by the speed", async () => {
    const slept: number[] = [];
    const clock = {
      now: () => 0,
      sleep: async (ms: number) => {
        slept.push(ms);
      },
    };
    const host = await startStandin({ clock, speed: 1 });
    const client = await openRaw(host.url);
    await client.call("auth.login_with_api_key", "1-wrong");
    expect(slept).toEqual([1000]);
  });

  test.each([
    ["login-expired", "EXPIRED"],
    ["login-otp", "OTP_REQUIRED"],
  ])("fault %s answers %s", async (fault, type) => {
    const host = await startStandin({ faults: [fault] });
    const client = await openRaw(host.url);
    expect(await client.call("auth.login_ex", login(host))).toMatchObject({ response_type: type });
  });

  test("the 21st call before login in a minute is delayed and answered EBUSY, none after login", async () => {
    const host = await startStandin({ limits: { rateWindowMs: 6_000_000 } });
    const client = await openRaw(host.url);
    for (let call = 0; call < 20; call += 1) expect(await client.call("core.ping")).toBe("pong");
    expect(await client.failure("core.ping")).toMatchObject({
      data: { errname: "EBUSY", reason: "[EBUSY] Rate Limit Exceeded" },
    });
    await client.call("auth.login_ex", login(host));
    for (let call = 0; call < 30; call += 1) expect(await client.call("core.ping")).toBe("pong");
  });
});

describe("options of a session", () => {
  test.each(["25.10", "26.0"] as const)("%s answers all of them, changed and unchanged", async (generation) => {
    const client = await openRaw((await startStandin({ generation })).url);
    expect(await client.call("core.set_options", { legacy_jobs: false, unknown: 1 })).toEqual({
      legacy_jobs: false,
      private_methods: false,
      py_exceptions: false,
    });
    expect(await client.call("core.set_options", { py_exceptions: true })).toEqual({
      legacy_jobs: false,
      private_methods: false,
      py_exceptions: true,
    });
  });

  test("25.04 answers null, and job calls answer with an id also after legacy_jobs false", async () => {
    const client = await openLoggedIn(await startStandin({ generation: "25.04" }));
    expect(await client.call("core.set_options", { legacy_jobs: false })).toBeNull();
    expect(await client.call("app.stop", "none")).toBe(1);
  });

  test.each(GENERATIONS)("%s offers no login that it refuses", async (generation) => {
    const client = await openRaw((await startStandin({ generation })).url);
    expect(await client.call("auth.mechanism_choices")).not.toContain("SCRAM");
  });
});

describe("messages", () => {
  test.each([
    ["no JSON", "{", { id: null, error: { code: -32700 } }],
    ["a batch", "[]", { id: null, error: { code: -32700 } }],
    ["no version", '{"id":"x","method":"core.ping"}', { id: "x", error: { code: -32600 } }],
    ["an object id", '{"jsonrpc":"2.0","id":{},"method":"core.ping"}', { id: null, error: { code: -32600 } }],
    [
      "object params",
      '{"jsonrpc":"2.0","id":1,"method":"core.ping","params":{}}',
      { id: 1, error: { code: -32600, message: "'params' member must be of type array" } },
    ],
    [
      "an unknown method",
      '{"jsonrpc":"2.0","id":2,"method":"no.such"}',
      { id: 2, error: { code: -32601, message: "Method does not exist" } },
    ],
  ])("%s is refused without data", async (_title, text, answer) => {
    const client = await openRaw((await startStandin()).url);
    client.send(text);
    const got = await client.until(() => true);
    expect(got).toMatchObject(answer);
    expect(at(got, "error", "data")).toBeUndefined();
  });

  test("missing params are none, and a call without id is run but never answered", async () => {
    const host = await startStandin();
    const client = await openLoggedIn(host);
    client.send('{"jsonrpc":"2.0","method":"filesystem.mkdir","params":[{"path":"/mnt/tank/silent"}]}');
    client.send('{"jsonrpc":"2.0","id":7,"method":"core.ping"}');
    expect(await client.until(({ id }) => id === 7)).toMatchObject({ result: "pong" });
    expect(await client.call("filesystem.stat", "/mnt/tank/silent")).toMatchObject({ type: "DIRECTORY" });
    expect(client.received.filter(({ id }) => id === null || id === undefined)).toEqual([]);
  });

  test("a binary frame closes the connection with 1003", async () => {
    const client = await openRaw((await startStandin()).url);
    client.send(Buffer.from("x"));
    expect(await client.closed()).toBe(1003);
  });

  test.each([
    [false, 8193, 1007],
    [true, 65_537, 1009],
  ])("logged in %s: a message of %i characters closes the connection with %i", async (loggedIn, characters, code) => {
    const host = await startStandin();
    const client = loggedIn ? await openLoggedIn(host) : await openRaw(host.url);
    // Each of three bytes.
    client.send("€".repeat(characters - 1));
    await client.until(({ error }) => error !== undefined);
    client.send("€".repeat(characters));
    expect(await client.closed()).toBe(code);
  });

  test("the 21st call in flight gets -32000 at once, and ten run at a time", async () => {
    const { promise: held, resolve: release } = Promise.withResolvers<void>();
    const host = await startStandin({ clock: { now: () => 0, sleep: () => held } });
    const client = await openLoggedIn(host);
    await client.call("core.set_options", { legacy_jobs: false });
    const waiting = Array.from({ length: 20 }, (_, index) => client.answer("app.stop", `app-${index}`));
    expect(await client.failure("core.ping")).toEqual({
      code: -32000,
      message: "Maximum number of concurrent calls (20) has exceeded",
    });
    expect(host.control.jobs().length).toBe(10);
    release();
    await Promise.all(waiting);
    expect(host.control.jobs().length).toBe(20);
    expect(await client.call("core.ping")).toBe("pong");
  });

  test("answers come in any order", async () => {
    const host = await startStandin({ faults: ["out-of-order@system.info"] });
    const client = await openLoggedIn(host);
    await Promise.all([client.call("system.info"), client.call("core.ping")]);
    const ids = client.received.flatMap(({ id }) => (typeof id === "string" ? [id] : []));
    expect(ids).toEqual(["call-1", "call-3", "call-2"]);
  });

  test("a silent connection is cut after the idle time, one with answers is not", async () => {
    // far longer than a busy machine keeps a process waiting
    const idleMs = 1_500;
    const host = await startStandin({ limits: { idleMs } });
    const client = await openLoggedIn(host);
    const start = performance.now();
    while (performance.now() - start < 2 * idleMs) await client.call("core.ping");
    expect(await client.closed()).toBe(1006);
  });
});

describe("arguments", () => {
  test.each([
    [
      "an unknown key",
      "filesystem.mkdir",
      [{ path: "/mnt/tank/x", pth: 1 }],
      "filesystem_mkdir.pth",
      "Extra inputs are not permitted",
    ],
    ["a missing key", "filesystem.mkdir", [{}], "filesystem_mkdir.path", "Field required"],
    ["a text for a number", "core.job_abort", ["1"], "id", "Input should be a valid integer"],
    ["a number for a text", "filesystem.stat", [1], "path", "Input should be a valid string"],
    ["a long text", "filesystem.stat", ["x".repeat(1025)], "path", "String should have at most 1024 characters"],
    ["a missing argument", "filesystem.stat", [], "path", "Field required"],
    [
      "neither name nor id",
      "user.get_user_obj",
      [{}],
      "get_user_obj.username",
      'Either "username" or "uid" must be specified.',
    ],
  ])("%s is refused: %s", async (_title, method, params, attribute, message) => {
    const client = await openLoggedIn(await startStandin());
    expect(await client.failure(method, ...params)).toMatchObject({
      code: -32602,
      message: "Invalid params",
      data: { error: 22, errname: "EINVAL", extra: [[attribute, message, 22]] },
    });
  });

  test("one argument too many is refused", async () => {
    const client = await openLoggedIn(await startStandin());
    expect(await client.failure("core.ping", 1)).toMatchObject({ code: -32602 });
  });
});

describe("subscriptions", () => {
  test("end with unsubscribe and with the connection", async () => {
    const host = await startStandin();
    const [one, two] = [await openLoggedIn(host), await openLoggedIn(host)];
    const id = await one.call("core.subscribe", "core.get_jobs");
    await two.call("core.subscribe", "core.get_jobs");
    await one.call("core.unsubscribe", id);
    await one.job("app.stop", "nothing");
    expect(one.received.filter(({ method }) => method === "collection_update")).toEqual([]);
    expect(two.received.filter(({ method }) => method === "collection_update").length).toBeGreaterThan(2);
  });

  test("app.stats sends every app per interval and refuses an interval below 2", async () => {
    const host = await startStandin({ speed: 1000 });
    const client = await openLoggedIn(host);
    await client.call("core.subscribe", 'app.stats:{"interval":1}');
    const refused = await client.until(({ method }) => method === "notify_unsubscribed");
    expect(at(refused, "params", "collection")).toBe('app.stats:{"interval":1}');
    await client.job("app.create", { app_name: "tailscale", catalog_app: "tailscale", train: "community" });
    await client.call("core.subscribe", 'app.stats:{"interval":2}');
    const sample = await client.until(
      (message) => at(message, "params", "collection") === 'app.stats:{"interval":2}' && message !== refused,
    );
    expect(at(sample, "params", "fields", 0, "app_name")).toBe("tailscale");
  });
});

describe("generations", () => {
  test.each([
    ["25.04", "zfs.snapshot.query", "pool.snapshot.query"],
    ["25.10", "pool.snapshot.query", "zfs.resource.snapshot.query"],
    ["26.0", "zfs.resource.snapshot.query", "zfs.snapshot.query"],
    ["27.0", "zfs.resource.snapshot.query", "zfs.snapshot.query"],
    ["25.04", "service.start", "service.control"],
    ["25.10", "service.control", "zfs.snapshot.clone"],
    ["26.0", "service.control", "service.start"],
    ["26.0", "auth.login_with_api_key", "service.stop"],
    ["27.0", "auth.login_ex", "auth.login_with_api_key"],
  ] as const)("%s has %s and lacks %s", async (generation, present, absent) => {
    const client = await openLoggedIn(await startStandin({ generation }));
    // Without arguments: a method that is there says more than that it is unknown.
    expect(at(await client.answer(present), "error", "code")).not.toBe(-32601);
    expect(await client.failure(absent)).toMatchObject({ code: -32601 });
  });

  test.each([
    ["25.04", "v25.04.2", "v25.10.0"],
    ["25.10", "v25.10.5", "v26.0.0"],
    ["26.0", "v26.0.0", "v26.0.1"],
    ["27.0", "v27.0.0", "v25.04.2"],
  ] as const)("%s offers versions up to %s", async (generation, newest, unknown) => {
    const host = await startStandin({ generation });
    const versions = await fetch(`${host.url.replace(/^ws:(.*)\/api\/current$/, "http:$1")}/api/versions`);
    const offered = z.array(z.string()).parse(await versions.json());
    expect([offered.at(-1), offered.includes(unknown)]).toEqual([newest, false]);
  });

  test.each([
    ["25.10", true],
    ["26.0", false],
    ["27.0", false],
  ] as const)("%s runs a call of a closed connection on: %s", async (generation, runsOn) => {
    const host = await startStandin({ generation, speed: 10, limits: { runningCalls: 1 } });
    const [client, later] = [await openLoggedIn(host), await openLoggedIn(host)];
    const path = "/mnt/tank/Media/late";
    const slow = ["auth.login_ex", { ...login(host), api_key: "1-wrong" }] as const;
    void client.answer(...slow).catch(() => {});
    void client.answer("filesystem.mkdir", { path }).catch(() => {});
    await expect.poll(() => host.control.calls().at(-1)?.method).toBe("filesystem.mkdir");
    client.socket.terminate();
    // Begun later, so that what waited behind the first has had its turn when it ends.
    await later.answer(...slow);
    expect("result" in (await later.answer("filesystem.stat", path))).toBe(runsOn);
  });

  test("26.0 leaves trace.frames out", async () => {
    const [old, now] = await Promise.all(
      (["25.10", "26.0"] as const).map(async (generation) => openLoggedIn(await startStandin({ generation }))),
    );
    const unknown = { username: "bob" };
    expect(at(await old?.failure("user.get_user_obj", unknown), "data", "trace", "frames")).toEqual([]);
    expect(at(await now?.failure("user.get_user_obj", unknown), "data", "trace", "frames")).toBeUndefined();
  });

  test("a session pinned to an older version gets argument errors of jobs directly", async () => {
    const host = await startStandin();
    const client = await openRaw(host.url.replace("current", "v25.04.2"));
    await client.call("auth.login_ex", login(host));
    expect(await client.failure("app.create", { app_name: "Bad" })).toMatchObject({ code: -32602 });
  });
});
