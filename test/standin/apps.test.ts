import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { isJsonObject, type JsonObject } from "../../src/core/json/json.ts";
import {
  at,
  install,
  openLoggedIn,
  type RawClient,
  startStandin,
  untilState,
} from "../support/engine/standin-client.ts";

const JELLYFIN = { app_name: "jellyfin", catalog_app: "jellyfin", train: "community" };

function failed(errno: number, error: string): JsonObject {
  return { state: "FAILED", error, exc_info: { type: "CallError", errno } };
}

describe("app.create", () => {
  test("registers, deploys and becomes running; the job ends while it is still DEPLOYING", async () => {
    const client = await openLoggedIn(await startStandin());
    await client.call("core.subscribe", "app.query");
    const job = await client.job("app.create", JELLYFIN);
    expect(job["result"]).toMatchObject({ id: "jellyfin", name: "jellyfin", state: "DEPLOYING", version: "1.3.12" });
    await untilState(client, "jellyfin", "RUNNING");
    const states = client.received.flatMap((message) =>
      at(message, "params", "collection") === "app.query"
        ? [`${at(message, "params", "msg")} ${at(message, "params", "fields", "state")}`]
        : [],
    );
    expect(states).toEqual(["added STOPPED", "changed DEPLOYING", "changed DEPLOYING", "changed RUNNING"]);
  });

  test.each([
    ["an unknown app", { ...JELLYFIN, catalog_app: "nope" }, 2],
    ["an app of another train", { ...JELLYFIN, train: "stable" }, 2],
    ["an unknown version", { ...JELLYFIN, version: "0.0.1" }, 2],
  ])("%s is ENOENT and leaves nothing", async (_title, args, errno) => {
    const client = await openLoggedIn(await startStandin());
    expect(await client.job("app.create", args)).toMatchObject({ state: "FAILED", exc_info: { errno } });
    expect(await client.call("app.query")).toEqual([]);
  });

  test("a taken name is EEXIST in the host's words", async () => {
    const client = await openLoggedIn(await startStandin());
    await install(client, JELLYFIN);
    expect(await client.job("app.create", JELLYFIN)).toMatchObject(
      failed(17, "[EEXIST] Application with name jellyfin already exists"),
    );
  });

  test.each([
    ["STOPPED", "[EFAULT] Docker service is not running"],
    ["UNCONFIGURED", "[EFAULT] No pool configured for Docker"],
  ] as const)(
    "with the apps service %s it fails, and queries answer as if nothing were installed",
    async (status, error) => {
      const host = await startStandin();
      const client = await openLoggedIn(host);
      await install(client, JELLYFIN);
      host.control.setDocker(status);
      expect(await client.call("docker.status")).toMatchObject({ status });
      expect(await client.job("app.create", { ...JELLYFIN, app_name: "two" })).toMatchObject(failed(14, error));
      expect(await client.call("app.query")).toEqual([]);
      expect(await client.failure("app.get_instance", "jellyfin")).toMatchObject({
        code: -32602,
        data: { extra: [[null, "App jellyfin does not exist", 2]] },
      });
    },
  );

  test("a host path must exist before", async () => {
    const client = await openLoggedIn(await startStandin());
    const storage = { config: { type: "host_path", host_path_config: { acl_enable: false, path: "/mnt/tank/none" } } };
    expect(await client.job("app.create", { ...JELLYFIN, values: { storage } })).toMatchObject({
      state: "FAILED",
      exc_info: {
        type: "VALIDATION",
        extra: [["storage.config.host_path_config.path", "Value error, Path does not exist", 22]],
      },
    });
  });

  test.each(["/mnt", "/mnt/.ix-apps/app_mounts/x", "/etc"])("the host path %s is refused", async (path) => {
    const client = await openLoggedIn(await startStandin());
    const storage = { config: { type: "host_path", host_path_config: { acl_enable: false, path } } };
    expect(await client.job("app.create", { ...JELLYFIN, values: { storage } })).toMatchObject({
      exc_info: { type: "VALIDATION" },
    });
  });

  test("with acl_enable a path that is not empty needs force", async () => {
    const host = await startStandin();
    const client = await openLoggedIn(host);
    writeFileSync(join(host.localPath("/mnt/tank/Media"), "film.mkv"), "");
    const storage = (force: boolean) => ({
      data: {
        type: "host_path",
        host_path_config: { acl_enable: true, acl: { path: "/mnt/tank/Media", entries: [], options: { force } } },
      },
    });
    expect(await client.job("app.create", { ...JELLYFIN, values: { storage: storage(false) } })).toMatchObject({
      exc_info: { type: "VALIDATION", extra: [["storage.data.host_path_config.acl.path", expect.any(String), 22]] },
    });
    expect(await client.job("app.create", { ...JELLYFIN, values: { storage: storage(true) } })).toMatchObject({
      state: "SUCCESS",
    });
  });

  test("a port in use is a render conflict, after which the instance is removed", async () => {
    const client = await openLoggedIn(await startStandin());
    await install(client, JELLYFIN);
    await client.call("core.subscribe", "app.query");
    await client.call("core.subscribe", "core.get_jobs");
    const job = await client.job("app.create", { ...JELLYFIN, app_name: "second" });
    expect(job).toMatchObject({ state: "FAILED", exc_info: { errno: 14 } });
    expect(job["error"]).toMatch(
      /^\[EFAULT\] Failed to render compose templates: .*The following conflicts have been detected/,
    );
    expect(job["progress"]).toMatchObject({
      percent: 80,
      description: "Failure occurred while installing 'second', cleaning up",
    });
    expect(await client.rows("app.query")).toMatchObject([{ id: "jellyfin" }]);
    await client.until((message) => at(message, "params", "msg") === "removed");
  });

  test("unknown value keys are kept, and defaults refill the rest", async () => {
    const client = await openLoggedIn(await startStandin());
    await install(client, { ...JELLYFIN, values: { tpyo: 1, network: { web_port: { port_number: 30_444 } } } });
    expect(await client.call("app.config", "jellyfin")).toMatchObject({
      TZ: "Etc/UTC",
      tpyo: 1,
      network: { web_port: { bind_mode: "published", port_number: 30_444 }, host_network: false },
      ix_volumes: {},
    });
  });

  test.each([
    ["a missing key", { notes: { admin_user: "a", admin_password: "b" } }, "notes.session_secret", "Field required"],
    [
      "a text for a port",
      { network: { web_port: { port_number: "1" } } },
      "network.web_port.port_number",
      "Input should be a valid integer",
    ],
    ["a zone that is none", { TZ: "Mars/Base" }, "TZ", "Value error, Invalid timezone"],
    [
      "a long text",
      { notes: { admin_user: "x".repeat(1025), admin_password: "b", session_secret: "0123456789abcdef" } },
      "notes.admin_user",
      "String should have at most 1024 characters",
    ],
  ])("the demo's schema refuses %s by its bare path", async (_title, wrong, attribute, message) => {
    const host = await startStandin({ catalogs: ["scripts/demo/catalog"] });
    const client = await openLoggedIn(host);
    const volume = { type: "ix_volume", ix_volume_config: { acl_enable: false, dataset_name: "data" } };
    const values = {
      notes: { admin_user: "a", admin_password: "b", session_secret: "0123456789abcdef" },
      storage: { data: volume },
      ...wrong,
    };
    const args = { app_name: "demo-notes", catalog_app: "demo-notes", train: "community", values };
    expect(await client.job("app.create", args)).toMatchObject({
      state: "FAILED",
      exc_info: { type: "VALIDATION", extra: [[attribute, message, 22]] },
    });
  });

  test("a compose app is named custom-app, takes exactly one compose form, and publishes its ports", async () => {
    const client = await openLoggedIn(await startStandin());
    const compose = { services: { web: { image: "nginx", ports: ["30555:80"] } } };
    const both = {
      app_name: "own",
      custom_app: true,
      custom_compose_config: compose,
      custom_compose_config_string: "{}",
    };
    expect(await client.job("app.create", both)).toMatchObject({ exc_info: { type: "VALIDATION" } });
    const entry = await install(client, { app_name: "own", custom_app: true, custom_compose_config: compose });
    expect(entry).toMatchObject({ custom_app: true, version: "1.0.0", metadata: { name: "custom-app" } });
    expect(await client.call("app.used_ports")).toEqual([30_555]);
  });
});

test("a name every object has is a name like any other", async () => {
  const client = await openLoggedIn(await startStandin());
  expect(await client.failure("app.get_instance", "constructor")).toMatchObject({ code: -32602 });
  expect(await install(client, { ...JELLYFIN, app_name: "constructor" })).toMatchObject({ id: "constructor" });
});

test("two verbs that start one app at a time leave it with one set of listeners", async () => {
  const host = await startStandin();
  const client = await openLoggedIn(host);
  await install(client, JELLYFIN);
  await Promise.all([client.job("app.start", "jellyfin"), client.job("app.redeploy", "jellyfin")]);
  await untilState(client, "jellyfin", "RUNNING");
  expect((await fetch(`http://${host.lanIp}:30013`)).status).toBe(200);
  await client.job("app.stop", "jellyfin");
  await expect(fetch(`http://${host.lanIp}:30013`)).rejects.toThrow();
});

describe("AppEntry", () => {
  test("portals are on 0.0.0.0 in results and on the host's address in queries", async () => {
    const host = await startStandin();
    const client = await openLoggedIn(host);
    const job = await client.job("app.create", JELLYFIN);
    expect(at(job, "result", "portals")).toEqual({ "Web UI": "http://0.0.0.0:30013/" });
    const queried = async (...params: JsonObject[]) =>
      at(await client.call("app.get_instance", "jellyfin", ...params), "portals");
    expect(await queried()).toEqual({ "Web UI": `http://${host.lanIp}:30013/` });
    expect(await queried({ extra: { host_ip: "10.0.0.9" } })).toEqual({ "Web UI": "http://10.0.0.9:30013/" });
  });

  test.each([
    ["minecraft", {}, [25_565]],
    ["tailscale", {}, []],
    ["unifi-controller", { "Web UI": expect.stringMatching(/^https:.*:30072\/$/) }, [30_072]],
  ])("%s shows the portals and published ports of its kind", async (app, portals, ports) => {
    const client = await openLoggedIn(await startStandin());
    const entry = await install(client, { app_name: app, catalog_app: app, train: "community" });
    expect(entry["portals"]).toEqual(portals);
    expect(await client.call("app.used_ports")).toEqual(ports);
  });

  test("ports have a row for IPv4 and one for IPv6, and the helper container has exited with mounts of its own", async () => {
    const client = await openLoggedIn(await startStandin());
    const storage = {
      config: { type: "host_path", host_path_config: { acl_enable: false, path: "/mnt/tank/Documents" } },
      additional_storage: [
        { type: "host_path", mount_path: "/media", host_path_config: { acl_enable: false, path: "/mnt/tank/Media" } },
      ],
    };
    const entry = await install(client, { ...JELLYFIN, values: { storage } });
    expect(at(entry, "active_workloads", "used_ports")).toEqual([
      {
        container_port: 30_013,
        protocol: "tcp",
        host_ports: [
          { host_port: 30_013, host_ip: "0.0.0.0" },
          { host_port: 30_013, host_ip: "::" },
        ],
      },
    ]);
    expect(at(entry, "active_workloads", "container_details")).toMatchObject([
      {
        service_name: "jellyfin",
        state: "running",
        volume_mounts: [
          { source: "/mnt/tank/Documents", destination: "/config", type: "bind" },
          { source: "/mnt/tank/Media", destination: "/media", type: "bind" },
        ],
      },
      {
        state: "exited",
        volume_mounts: [{ destination: "/mnt/permission/config" }, { destination: "/mnt/permission/media" }],
      },
    ]);
  });

  test("a stopped app has no workloads and leaves its port", async () => {
    const client = await openLoggedIn(await startStandin());
    await install(client, JELLYFIN);
    expect(await client.job("app.stop", "jellyfin")).toMatchObject({ state: "SUCCESS", result: null });
    const entry = await client.call("app.get_instance", "jellyfin");
    expect(entry).toMatchObject({
      state: "STOPPED",
      active_workloads: { containers: 0, used_ports: [], container_details: [] },
    });
    expect(await client.call("app.used_ports")).toEqual([]);
    await client.job("app.start", "jellyfin");
    await untilState(client, "jellyfin", "RUNNING");
  });

  test("events of app.query keep portals on 0.0.0.0, show STOPPING, and end with removed", async () => {
    const client = await openLoggedIn(await startStandin());
    await client.call("core.subscribe", "app.query");
    await install(client, JELLYFIN);
    await client.job("app.stop", "jellyfin");
    await client.job("app.delete", "jellyfin", {});
    const removed = await client.until((message) => at(message, "params", "msg") === "removed");
    expect(at(removed, "params")).toEqual({ msg: "removed", collection: "app.query", id: "jellyfin" });
    const entries = client.received.flatMap((message) => {
      const fields = at(message, "params", "fields");
      return at(message, "params", "collection") === "app.query" && isJsonObject(fields) ? [fields] : [];
    });
    expect(entries.map(({ state }) => state).slice(-3)).toEqual(["RUNNING", "STOPPING", "STOPPED"]);
    for (const { portals } of entries) expect(portals).toEqual({ "Web UI": "http://0.0.0.0:30013/" });
    expect((await client.rows("app.query")).map(({ state }) => state)).not.toContain("STOPPING");
  });

  test("events of a failed create end with removed", async () => {
    const client = await openLoggedIn(await startStandin({ faults: ["job-call-error@app.create:60"] }));
    await client.call("core.subscribe", "app.query");
    await client.job("app.create", JELLYFIN);
    const told = client.received.flatMap((message) =>
      at(message, "params", "collection") === "app.query" ? [at(message, "params", "msg")] : [],
    );
    expect([told[0], told.at(-1)]).toEqual(["added", "removed"]);
  });

  test("generations differ in their fields", async () => {
    const entryOf = async (generation: "25.04" | "25.10" | "26.0") =>
      install(await openLoggedIn(await startStandin({ generation })), JELLYFIN);
    const [old, base, next] = await Promise.all([entryOf("25.04"), entryOf("25.10"), entryOf("26.0")]);
    expect(at(old, "active_workloads", "used_host_ips")).toBeUndefined();
    expect(at(base, "active_workloads", "used_host_ips")).toEqual([]);
    expect(base["latest_app_version"]).toBeUndefined();
    expect(next).toMatchObject({ latest_app_version: "10.11.11", action_required: false });
  });
});

describe("app.update", () => {
  test("replaces top-level sections whole, refills defaults, and ignores reserved keys", async () => {
    const client = await openLoggedIn(await startStandin());
    await install(client, {
      ...JELLYFIN,
      values: { network: { web_port: { port_number: 30_444 }, own: 1 }, kept: true },
    });
    const values = { network: { other: 2 }, ix_context: { x: 1 } };
    expect(await client.job("app.update", "jellyfin", { values })).toMatchObject({ state: "SUCCESS" });
    const config = await client.call("app.config", "jellyfin");
    expect(config).toMatchObject({ kept: true, network: { other: 2, web_port: { port_number: 30_013 } } });
    expect(at(config, "network", "own")).toBeUndefined();
    expect(at(config, "ix_context", "x")).toBeUndefined();
  });

  test("saves a stopped app's config without starting it", async () => {
    const client = await openLoggedIn(await startStandin());
    await install(client, JELLYFIN);
    await client.job("app.stop", "jellyfin");
    await client.job("app.update", "jellyfin", { values: { kept: 1 } });
    expect(await client.call("app.get_instance", "jellyfin")).toMatchObject({ state: "STOPPED" });
    expect(await client.call("app.config", "jellyfin")).toMatchObject({ kept: 1 });
  });
});

describe("app.upgrade", () => {
  const OLD = { ...JELLYFIN, version: "1.3.11" };

  test("stops, upgrades and redeploys, taking a snapshot of the old version", async () => {
    const host = await startStandin();
    const client = await openLoggedIn(host);
    await install(client, OLD);
    expect(await client.call("app.upgrade_summary", "jellyfin")).toMatchObject({
      latest_version: "1.3.12",
      upgrade_version: "1.3.12",
      available_versions_for_upgrade: [{ version: "1.3.12", human_version: "10.11.11_1.3.12" }],
    });
    expect(await client.job("app.upgrade", "jellyfin", {})).toMatchObject({
      state: "SUCCESS",
      result: { version: "1.3.12" },
    });
    await untilState(client, "jellyfin", "RUNNING");
    expect(host.control.state().snapshots).toMatchObject([
      { dataset: "tank/ix-apps/app_mounts/jellyfin", name: "1.3.11" },
    ]);
    expect(await client.call("app.rollback_versions", "jellyfin")).toEqual(["1.3.11"]);
    expect(await client.job("app.rollback", "jellyfin", { app_version: "1.3.11" })).toMatchObject({
      state: "SUCCESS",
      result: { version: "1.3.11" },
    });
  });

  test.each([
    ["a stopped app", true, OLD, "[EFAULT] In order to upgrade an app, it must not be in stopped state"],
    ["nothing newer", false, JELLYFIN, "[EFAULT] No upgrade available for 'jellyfin'"],
  ])("%s fails in the host's words", async (_title, stopped, args, error) => {
    const client = await openLoggedIn(await startStandin());
    await install(client, args);
    if (stopped) await client.job("app.stop", "jellyfin");
    expect(await client.job("app.upgrade", "jellyfin", {})).toMatchObject(failed(14, error));
  });

  test("a version that is not newer is a validation error, and a summary without upgrade throws", async () => {
    const client = await openLoggedIn(await startStandin());
    await install(client, OLD);
    expect(await client.job("app.upgrade", "jellyfin", { app_version: "1.0.0" })).toMatchObject({
      exc_info: { type: "VALIDATION", extra: [["options.app_version", expect.any(String), 22]] },
    });
    await client.job("app.upgrade", "jellyfin", {});
    expect(at(await client.failure("app.upgrade_summary", "jellyfin"), "data", "errname")).toBe("EFAULT");
  });

  test("a released version makes an upgrade available", async () => {
    const host = await startStandin();
    const client = await openLoggedIn(host);
    await install(client, JELLYFIN);
    expect(host.control.release("jellyfin")).toBe("1.3.13");
    expect(await client.call("app.get_instance", "jellyfin")).toMatchObject({
      upgrade_available: true,
      latest_version: "1.3.13",
    });
    expect(await client.job("app.upgrade", "jellyfin", {})).toMatchObject({ result: { version: "1.3.13" } });
  });
});

test("app.delete removes the instance, and an unknown one is a validation error", async () => {
  const client = await openLoggedIn(await startStandin());
  await install(client, JELLYFIN);
  expect(await client.job("app.delete", "jellyfin", {})).toMatchObject({ state: "SUCCESS", result: true });
  expect(await client.job("app.delete", "jellyfin", {})).toMatchObject({ exc_info: { type: "VALIDATION" } });
});

test("GPU choices and device info show the cards, with a uuid for those that have one", async () => {
  const gpus = [{ slot: "0000:01:00.0", vendor: "NVIDIA", uuid: "GPU-1" }];
  const client = await openLoggedIn(await startStandin({ gpus }));
  expect(await client.call("app.gpu_choices")).toMatchObject({
    "0000:01:00.0": { vendor: "NVIDIA", vendor_specific_config: { uuid: "GPU-1" }, error: null },
  });
  expect(await client.call("device.get_info", { type: "GPU" })).toMatchObject([
    { addr: { pci_slot: "0000:01:00.0" }, available_to_host: true },
  ]);
});

describe("an installed app over HTTP", () => {
  const until = async (client: RawClient, url: string, status: number): Promise<Response> => {
    for (;;) {
      const response = await fetch(url).catch(() => undefined);
      if (response?.status === status) return response;
      await client.call("core.ping");
    }
  };

  test("connections are cut while the app is starting", async () => {
    const host = await startStandin({ faults: ["app-never-healthy"] });
    const client = await openLoggedIn(host);
    await client.job("app.create", JELLYFIN);
    await expect(fetch(`http://${host.lanIp}:30013`)).rejects.toThrow();
  });

  test("a running app answers any GET, and nothing else without a table", async () => {
    const host = await startStandin();
    await install(await openLoggedIn(host), JELLYFIN);
    const base = `http://${host.lanIp}:30013`;
    expect((await fetch(base)).headers.get("content-type")).toContain("text/html");
    expect(await (await fetch(`${base}/health`)).json()).toMatchObject({ app: "jellyfin", path: "/health" });
    expect((await fetch(`${base}/x`, { method: "POST", body: "{}" })).status).toBe(404);
  });

  test("answers from its table, row by row, and keeps what it was asked", async () => {
    const host = await startStandin({
      answers: {
        jellyfin: {
          warmMs: 5000,
          answers: [
            { path: "/api/login", method: "POST", status: 503, times: 1 },
            { path: "/api/login", method: "POST", headers: { "set-cookie": "sid=1" }, body: { token: "t" } },
            { path: "/files/*", status: 206, body: "text", delayMs: 5 },
          ],
        },
      },
    });
    const client = await openLoggedIn(host);
    await install(client, JELLYFIN);
    const base = `http://${host.lanIp}:30013`;
    expect((await fetch(`${base}/files/a`)).status).toBe(503);
    await until(client, `${base}/files/a`, 206);
    const login = () => fetch(`${base}/api/login?x=1`, { method: "POST", body: "user=a" });
    expect((await login()).status).toBe(503);
    const second = await login();
    expect([second.status, second.headers.get("set-cookie"), await second.json()]).toEqual([
      200,
      "sid=1",
      { token: "t" },
    ]);
    expect(host.control.requests("jellyfin").at(-1)).toMatchObject({
      method: "POST",
      url: "/api/login?x=1",
      body: "user=a",
      status: 200,
    });
  });

  test("stand-ins of different directories publish the same port side by side", async () => {
    const hosts = await Promise.all([startStandin(), startStandin()]);
    for (const host of hosts) await install(await openLoggedIn(host), JELLYFIN);
    expect(new Set(hosts.map(({ lanIp }) => lanIp)).size).toBe(2);
    for (const { lanIp } of hosts) expect((await fetch(`http://${lanIp}:30013`)).status).toBe(200);
  });
});

describe("catalog", () => {
  test("offers the apps of a folder of install scripts in a train, and the generic app", async () => {
    const host = await startStandin({ catalogs: ["scripts/demo/catalog"] });
    const client = await openLoggedIn(host);
    const names = (await client.rows("app.available")).map(({ name, train }) => `${train}/${name}`);
    expect(names).toEqual(
      expect.arrayContaining([
        "community/demo-notes",
        "community/demo-media",
        "stable/ix-app",
        "stable/plex",
        "community/jellyfin",
      ]),
    );
    expect(await client.call("catalog.get_app_details", "demo-notes", { train: "community" })).toMatchObject({
      versions: {
        "1.2.0": { values: { network: { web_port: { port_number: 30_901 } } } },
        "1.3.0": { supported: true },
      },
    });
  });

  test("a folder's broken and custom files are passed over", async () => {
    const host = await startStandin();
    const folder = join(host.dir, "scripts");
    mkdirSync(folder);
    writeFileSync(join(folder, "broken.json"), "{");
    writeFileSync(join(folder, "own.json"), JSON.stringify({ custom: true, app_values: {} }));
    writeFileSync(join(folder, "good@1.json"), JSON.stringify({ app_values: {}, requirements: { ports: [30_600] } }));
    const client = await openLoggedIn(await startStandin({ catalogs: [folder] }));
    const found = await client.rows("app.available", [["name", "in", ["broken", "own", "good"]]]);
    expect(found.map(({ name }) => name)).toEqual(["good"]);
    await install(client, { app_name: "good", catalog_app: "good", train: "community" });
    expect(await client.call("app.used_ports")).toEqual([30_600]);
  });

  test("the generic app listens at its portal on the host network, and at its published ports otherwise", async () => {
    const host = await startStandin();
    const client = await openLoggedIn(host);
    const portals = [{ name: "Web UI", scheme: "http", use_node_ip: true, host: "", port: 9997, path: "/" }];
    const args = (app_name: string, values: JsonObject) => ({
      app_name,
      catalog_app: "ix-app",
      train: "stable",
      values,
    });
    const entry = await install(client, args("on-host", { host_network: true, portals }));
    expect(entry["portals"]).toEqual({ "Web UI": `http://${host.lanIp}:9997/` });
    expect(await client.call("app.used_ports")).toEqual([]);
    expect((await fetch(`http://${host.lanIp}:9997/health`)).status).toBe(200);
    await install(client, args("bridged", { ports: [{ host_port: 9996, container_port: 80, protocol: "tcp" }] }));
    expect((await fetch(`http://${host.lanIp}:9996/`)).status).toBe(200);
  });
});
