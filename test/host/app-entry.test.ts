import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readAppEntry } from "../../src/adapters/host-rpc/apps/app-entry.ts";
import type { Json, JsonObject } from "../../src/core/json/json.ts";
import type { HostApp } from "../../src/engine/ports/host-records.ts";

function app(patch: JsonObject = {}) {
  return readAppEntry(
    {
      id: "jellyfin",
      name: "jellyfin",
      state: "RUNNING",
      version: "1.3.12",
      human_version: "10.11.11_1.3.12",
      metadata: { name: "jellyfin", train: "community", title: "Jellyfin", icon: "https://icons/jellyfin.png" },
      upgrade_available: true,
      latest_version: "1.3.13",
      custom_app: false,
      portals: {},
      active_workloads: { containers: 0, used_ports: [], container_details: [], volumes: [] },
      config: null,
      ...patch,
    },
    "?1",
  ).app;
}

const published = (port_number: number) => ({ bind_mode: "published", port_number, host_ips: [] });
const row = (host_port: number, protocol = "tcp") => ({
  container_port: 80,
  protocol,
  host_ports: [
    { host_port, host_ip: "0.0.0.0" },
    { host_port, host_ip: "::" },
  ],
});
const live = (port_config: JsonObject[], used_ports: JsonObject[] = []) => ({
  active_workloads: { used_ports, container_details: [{ state: "running", port_config, volume_mounts: [] }] },
});
const network = (value: JsonObject) => ({ config: { network: value } });

describe("port and scheme of a live app (docs/host-api.md, section 6)", () => {
  test.each<[string, JsonObject, { port?: number; scheme: string }]>([
    [
      "1: the portal Web UI",
      { portals: { Admin: "http://0.0.0.0:1/", "Web UI": "http://10.0.0.5:8096/web" } },
      { port: 8096, scheme: "http" },
    ],
    [
      "1: else the first http portal",
      { portals: { A: "https://x:2/", B: "http://x:3/" } },
      { port: 3, scheme: "http" },
    ],
    ["1: else the first https portal", { portals: { A: "https://[::]:30443/" } }, { port: 30_443, scheme: "https" }],
    ["1: no port in a portal is 80", { portals: { "Web UI": "http://x/" } }, { port: 80, scheme: "http" }],
    ["1: or 443", { portals: { "Web UI": "https://x/" } }, { port: 443, scheme: "https" }],
    [
      "1: a portal that is no address is passed over",
      { portals: { "Web UI": "http://:8096", B: "http://x:9/" } },
      { port: 9, scheme: "http" },
    ],
    [
      "1 before 2",
      { portals: { "Web UI": "http://x:1/" }, ...network({ web_port: published(2) }) },
      { port: 1, scheme: "http" },
    ],
    [
      "2: web_port, published",
      network({ http_port: published(1), web_port: published(2) }),
      { port: 2, scheme: "http" },
    ],
    ["2: web_port as a bare number", network({ web_port: 3 }), { port: 3, scheme: "http" }],
    [
      "2: else http_port",
      network({ web_port: { ...published(1), bind_mode: "exposed" }, http_port: published(4) }),
      { port: 4, scheme: "http" },
    ],
    [
      "2: else https_port",
      network({ admin_port: published(1), https_port: published(5) }),
      { port: 5, scheme: "https" },
    ],
    [
      "2: else any other in the order declared",
      network({ z_port: published(6), a_port: published(7) }),
      { port: 6, scheme: "http" },
    ],
    ["2 before 3", { ...network({ web_port: published(2) }), ...live([row(9)]) }, { port: 2, scheme: "http" }],
    [
      "3: the first tcp port of the first running container",
      live([row(53, "udp"), row(8080)], [row(1)]),
      { port: 8080, scheme: "http" },
    ],
    ["3: else the first used port", live([], [row(53, "udp"), row(81)]), { port: 81, scheme: "http" }],
    ["4: none, for an app on the host's network", network({ host_network: true }), { scheme: "http" }],
  ])("%s", (_, patch, expected) => {
    const { port, scheme } = app(patch);
    expect({ ...(port !== undefined && { port }), scheme }).toEqual(expected);
  });

  test("published ports are listed once, in order", () => {
    expect(app(live([], [row(8096), row(1900, "udp"), row(8096)])).publishedPorts).toEqual([1900, 8096]);
  });
});

describe("mounts", () => {
  const bind = (source: string, destination: string) => ({ source, destination, mode: "", type: "bind" });

  test("are the running containers' binds, not the helper's and not volumes", () => {
    const { mounts } = app({
      active_workloads: {
        used_ports: [],
        volumes: [bind("/mnt/tank/media", "/mnt/permission/media")],
        container_details: [
          { state: "exited", port_config: [], volume_mounts: [bind("/mnt/tank/media", "/mnt/permission/media")] },
          {
            state: "running",
            port_config: [],
            volume_mounts: [
              bind("/mnt/tank/media", "/media"),
              bind("/mnt/tank/media", "/media"),
              { source: "cache", destination: "/cache", mode: "", type: "volume" },
            ],
          },
        ],
      },
    });
    expect(mounts).toEqual([{ hostPath: "/mnt/tank/media", containerPath: "/media" }]);
  });

  test("of a stopped app come from its stored values, fixed keys without a container path", () => {
    const hostPath = (path: string) => ({ type: "host_path", host_path_config: { acl_enable: false, path } });
    const { mounts } = app({
      state: "STOPPED",
      config: {
        storage: {
          config: hostPath("/mnt/tank/config"),
          cache: { type: "ix_volume", ix_volume_config: { dataset_name: "cache" } },
          additional_storage: [
            { ...hostPath("/mnt/tank/media"), mount_path: "/media", read_only: false },
            {
              type: "host_path",
              mount_path: "/acl",
              host_path_config: { acl_enable: true, acl: { path: "/mnt/tank/acl" } },
            },
          ],
        },
      },
    });
    expect(mounts).toEqual([
      { hostPath: "/mnt/tank/config", containerPath: null },
      { hostPath: "/mnt/tank/media", containerPath: "/media" },
      { hostPath: "/mnt/tank/acl", containerPath: "/acl" },
    ]);
  });
});

describe("identity", () => {
  test("a catalog app is known by its catalog id, whatever its instance is called", () => {
    const { name, appId, custom } = app({ name: "jellyfin-2" });
    expect({ name, appId, custom }).toEqual({ name: "jellyfin-2", appId: "jellyfin", custom: false });
  });

  test.each([
    ["a custom app", { name: "mine", custom_app: true, metadata: { name: "custom-app" } }],
    ["an instance of the generic app", { name: "mine", metadata: { name: "ix-app" } }],
    ["an app without metadata", { name: "mine", metadata: null }],
  ])("%s is known by its instance name", (_, patch) => {
    expect(app(patch)).toMatchObject({ name: "mine", appId: "mine" });
  });

  test("fields a newer or older host lacks or adds do not matter", () => {
    const { app: found, odd } = readAppEntry({ name: "x", state: "ERROR", version: "1", action_required: true }, "?1");
    expect(odd).toEqual([]);
    expect(found).toEqual({
      name: "x",
      appId: "x",
      custom: false,
      state: "ERROR",
      version: "1",
      upgradeAvailable: false,
      scheme: "http",
      publishedPorts: [],
      mounts: [],
    });
  });
});

describe("an entry that is odd", () => {
  const whole = {
    name: "odd",
    state: "RUNNING",
    version: "1.0.0",
    metadata: { name: "odd-app", train: "community", title: "Odd" },
    portals: { "Web UI": "http://x:80/" },
    config: {},
  };
  const mount = (source: Json) => ({ source, destination: "/data", type: "bind" });
  const running = (volume_mounts: Json) => ({
    active_workloads: { container_details: [{ state: "running", volume_mounts }] },
  });

  test.each<[what: string, patch: JsonObject, seen: Partial<HostApp>, odd: RegExp]>([
    ["a portal that is no text", { portals: { A: 5, "Web UI": "http://x:80/" } }, { port: 80 }, /^portals\.A: /],
    ["portals that are a list", { portals: ["http://x:80/"] }, { appId: "odd-app" }, /^portals: /],
    ["metadata that is a text", { metadata: "odd" }, { appId: "odd" }, /^metadata: /],
    [
      "a title that is an object",
      { metadata: { name: "odd-app", title: {} } },
      { appId: "odd-app" },
      /^metadata\.title: /,
    ],
    [
      "a train that is a number",
      { metadata: { name: "odd-app", train: 1 } },
      { appId: "odd-app" },
      /^metadata\.train: /,
    ],
    ["a state that is null", { state: null }, { state: "UNKNOWN", version: "1.0.0" }, /^state: /],
    ["a version that is a number", { version: 1 }, { version: "unknown", state: "RUNNING" }, /^version: /],
    ["a name that is null, known by its id", { name: null, id: "odd" }, { name: "odd", isPartial: true }, /^name: /],
    ["no name at all", { name: null }, { name: "?1", appId: "odd-app", isPartial: true }, /^name: /],
    ["a configuration that is a list", { config: [] }, { mounts: [], isPartial: true }, /^config: /],
    ["workloads that are a text", { active_workloads: "none" }, { isPartial: true }, /^active_workloads: /],
    [
      "a mount without a source",
      running([mount("/mnt/a"), mount(null)]),
      { mounts: [{ hostPath: "/mnt/a", containerPath: "/data" }], isPartial: true },
      /^active_workloads\.container_details\.0\.volume_mounts\.1\.source: /,
    ],
  ])("by %s is read as far as it can be", (_what, patch, seen, odd) => {
    const read = readAppEntry({ ...whole, ...patch }, "?1");
    expect(read.app).toMatchObject(seen);
    expect(read.odd).toHaveLength(1);
    expect(read.odd[0]).toMatch(odd);
    expect(read.app.isPartial ?? false).toBe(seen.isPartial ?? false);
  });

  test.each([null, 5, "odd", []])("as a whole (%j) is still an app, which may mount anything", (row) => {
    expect(readAppEntry(row, "?3").app).toMatchObject({ name: "?3", state: "UNKNOWN", isPartial: true });
  });

  test("of any form at all is read without an error, and a regular one beside it is whole", () => {
    const value = fc.jsonValue();
    const key = fc.constantFrom("name", "state", "version", "metadata", "portals", "active_workloads", "config");
    fc.assert(
      fc.property(fc.dictionary(key, value), (patch) => {
        const { app: read } = readAppEntry({ ...whole, ...patch }, "?1");
        expect(typeof read.name).toBe("string");
        expect(typeof read.appId).toBe("string");
        expect(read.mounts.every(({ hostPath }) => typeof hostPath === "string")).toBe(true);
      }),
    );
    expect(readAppEntry(whole, "?1").odd).toEqual([]);
  });
});
