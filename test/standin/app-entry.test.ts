/** How the stand-in shows an app: portals, ports, workloads, events, and what differs between generations. */
import { describe, expect, test } from "vitest";
import { isJsonObject, type JsonObject } from "../../src/core/json/json.ts";
import { at, install, JELLYFIN, openLoggedIn, startStandin, untilState } from "../support/engine/standin-client.ts";

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
