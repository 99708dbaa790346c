/** `app.create` of the stand-in: what it checks first, what it registers, and what a failure leaves. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import {
  at,
  failed,
  install,
  JELLYFIN,
  openLoggedIn,
  startStandin,
  untilState,
} from "../support/engine/standin-client.ts";

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

  test("the demo's apps keep what is sent as their questions convert it, and answer these questions", async () => {
    const client = await openLoggedIn(await startStandin({ catalogs: ["scripts/demo/catalog"] }));
    const values = {
      notes: { admin_user: "a", admin_password: "b", session_secret: "0123456789abcdef", tpyo: "1" },
      network: { web_port: { port_number: "30444" } },
      storage: { data: { type: "ix_volume", ix_volume_config: { acl_enable: "false", dataset_name: "data" } } },
    };
    await install(client, { app_name: "demo-notes", catalog_app: "demo-notes", train: "community", values });
    expect(await client.call("app.config", "demo-notes")).toMatchObject({
      notes: { tpyo: "1" },
      network: { web_port: { port_number: 30_444 } },
      storage: { data: { ix_volume_config: { acl_enable: false } }, additional_storage: [] },
    });
    const details = await client.call("catalog.get_app_details", "demo-notes", { train: "community" });
    expect(JSON.stringify(details)).toContain('{"variable":"session_secret","schema":{"type":"string","required":true');
  });

  test.each([
    ["a missing key", { notes: { admin_user: "a", admin_password: "b" } }, "notes.session_secret", "Field required"],
    [
      "a text for a port",
      { network: { web_port: { port_number: "one" } } },
      "network.web_port.port_number",
      "Input should be a valid integer, unable to parse string as an integer",
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
