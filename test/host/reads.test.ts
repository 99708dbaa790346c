import { afterEach, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import type { Json } from "../../src/core/json/json.ts";
import type { Host } from "../../src/engine/ports/host.ts";
import { openClient } from "../support/host/host-client.ts";
import { startWireHost, type WireCall, type WireHost } from "../support/host/wire-host.ts";

let host: WireHost;
let client: Host;

beforeEach(async () => {
  host = await startWireHost();
  client = openClient(host.url, { localRoot: "/srv/host" });
});
afterEach(async () => {
  await client.close();
  await host.stop();
  expect(host.violations).toEqual([]);
});

function answers(table: Readonly<Record<string, Json>>): void {
  for (const [method, result] of Object.entries(table)) host.on(method, (call) => call.result(result));
}

describe("facts", () => {
  const FACTS = {
    "system.info": { physmem: 17_179_869_184, cores: 8, version: "25.10.5" },
    "system.host_id": "5c217ed0",
    "interface.websocket_local_ip": "192.168.1.20",
    "interface.ip_in_use": [{ type: "INET", address: "192.168.1.20", netmask: 24 }],
    "app.gpu_choices": {},
    "app.query": [],
  };

  test("take memory in MB, the address this session reached, and the permanent id", async () => {
    answers(FACTS);
    expect(await client.facts()).toEqual({
      lanIp: "192.168.1.20",
      hostId: "5c217ed0",
      memoryMb: 16_384,
      cores: 8,
      locations: { Performance: "/mnt/tank/apps" },
      gpus: [],
      apps: {},
    });
  });

  test("fall back to the first IPv4 address in use and to the global id", async () => {
    answers({
      ...FACTS,
      "interface.websocket_local_ip": null,
      "interface.ip_in_use": [
        { type: "INET6", address: "fe80::1", netmask: 64 },
        { type: "INET", address: "10.0.0.7", netmask: 24 },
      ],
      "system.global.id": "global-id",
    });
    host.on("system.host_id", (call) => call.error(-32601, "Method does not exist"));
    expect(await client.facts()).toMatchObject({ lanIp: "10.0.0.7", hostId: "global-id" });
  });

  test("list usable graphics cards, with the uuid NVIDIA needs", async () => {
    answers({
      ...FACTS,
      "app.gpu_choices": {
        "0000:01:00.0": {
          vendor: "NVIDIA",
          pci_slot: "0000:01:00.0",
          vendor_specific_config: { uuid: "GPU-1" },
          error: null,
        },
        "0000:00:02.0": { vendor: "INTEL", pci_slot: "0000:00:02.0", vendor_specific_config: {}, error: null },
        "0000:02:00.0": { vendor: "NVIDIA", pci_slot: "0000:02:00.0", error: "no driver" },
      },
    });
    expect((await client.facts()).gpus).toEqual([
      { slot: "0000:01:00.0", vendor: "NVIDIA", uuid: "GPU-1" },
      { slot: "0000:00:02.0", vendor: "INTEL" },
    ]);
  });

  test("are not given while the apps service does not run: an unknown list of apps is no empty one", async () => {
    answers({ ...FACTS, "docker.status": { status: "MIGRATING", description: "" } });
    await expect(client.facts()).rejects.toMatchObject({ code: "HOST_APPS_UNAVAILABLE" });
  });
});

describe("apps", () => {
  const entry = (more: Record<string, Json> = {}): Json => ({
    name: "jellyfin",
    state: "STOPPED",
    version: "1.3.11",
    upgrade_available: true,
    metadata: { name: "jellyfin" },
    ...more,
  });

  test("have their mounts as the containers were given them, with the host's real paths, asked once", async () => {
    const hostPath = (path: string): Json => ({ type: "host_path", host_path_config: { path } });
    const storage = { a: hostPath("/mnt/tank/link"), b: hostPath("/mnt/tank/gone") };
    answers({ "app.query": [entry({ config: { storage } })] });
    host.on("filesystem.stat", (call) => {
      if (call.params[0] !== "/mnt/tank/link") return call.raise(2, "ENOENT", "[ENOENT] Path not found");
      call.result({ realpath: "/mnt/tank/real", type: "SYMLINK", uid: 0, gid: 0 });
    });
    const mounts = [
      { hostPath: "/mnt/tank/link", containerPath: null, realPath: "/mnt/tank/real" },
      { hostPath: "/mnt/tank/gone", containerPath: null },
    ];
    expect((await client.app("jellyfin"))?.mounts).toEqual(mounts);
    expect((await client.apps())[0]?.mounts).toEqual(mounts);
    expect(host.named("filesystem.stat")).toHaveLength(2);
  });

  test("have the real paths of mounts that lie behind a link in the middle, which the host does not resolve", async () => {
    const hostPath = (path: string): Json => ({ type: "host_path", host_path_config: { path } });
    const storage = { a: hostPath("/mnt/tank/link/x/data"), b: hostPath("/mnt/tank/link/y") };
    answers({ "app.query": [entry({ config: { storage } })] });
    host.on("filesystem.stat", (call) => {
      const path = String(call.params[0]);
      const isLink = path === "/mnt/tank/link";
      const own = { type: isLink ? "SYMLINK" : "DIRECTORY", realpath: isLink ? "/mnt/tank/real" : path };
      call.result({ ...own, uid: 0, gid: 0 });
    });
    expect((await client.app("jellyfin"))?.mounts).toEqual([
      { hostPath: "/mnt/tank/link/x/data", containerPath: null, realPath: "/mnt/tank/real/x/data" },
      { hostPath: "/mnt/tank/link/y", containerPath: null, realPath: "/mnt/tank/real/y" },
    ]);
    // The link, the directory it leads to, and what lies in that.
    expect(host.named("filesystem.stat")).toHaveLength(5);
  });

  test("are partial while the host does not say where a mount of theirs lies, which is asked again each time", async () => {
    answers({
      "app.query": [
        entry({ config: { storage: { a: { type: "host_path", host_path_config: { path: "/mnt/tank/x" } } } } }),
      ],
    });
    host.on("filesystem.stat", (call) => {
      if (host.named("filesystem.stat").length === 1) return call.raise(5, "EIO", "[EIO] Input/output error");
      call.result({ realpath: "/mnt/tank/real", type: "SYMLINK", uid: 0, gid: 0 });
    });
    const mount = { hostPath: "/mnt/tank/x", containerPath: null };
    expect(await client.app("jellyfin")).toMatchObject({ isPartial: true, mounts: [mount] });
    const known = await client.app("jellyfin");
    expect(known?.mounts).toEqual([{ ...mount, realPath: "/mnt/tank/real" }]);
    expect(known?.isPartial).toBeUndefined();
  });

  test.each([
    ["HOST_BUSY", (call: WireCall) => call.error(-32000, "Maximum number of concurrent calls (20) has exceeded.")],
    [
      "HOST_SESSION_ENDED",
      (call: WireCall) => call.raise(207, "ENOTAUTHENTICATED", "[ENOTAUTHENTICATED] Not authenticated"),
    ],
    ["HOST_RATE_LIMITED", (call: WireCall) => call.raise(16, "EBUSY", "[EBUSY] Rate Limit Exceeded")],
    ["HOST_ANSWER_LOST", (call: WireCall) => call.cut()],
  ])("are not read while the host has no answer about any path: %s", async (code, refuse) => {
    const storage = { a: { type: "host_path", host_path_config: { path: "/mnt/tank/x" } } };
    answers({ "app.query": [entry({ config: { storage } })] });
    host.on("filesystem.stat", refuse);
    await expect(client.app("jellyfin")).rejects.toMatchObject({ code });
  });

  test("are partial while the host has no answer in time about a path of theirs", async () => {
    const storage = { a: { type: "host_path", host_path_config: { path: "/mnt/tank/x" } } };
    answers({ "app.query": [entry({ config: { storage } })] });
    host.on("filesystem.stat", () => {});
    const patient = openClient(host.url, { timing: { callMs: 300 } });
    onTestFinished(() => patient.close());
    expect(await patient.app("jellyfin")).toMatchObject({ isPartial: true });
  });

  test("are asked for again when the service came up between the list and its state", async () => {
    host.on("app.query", (call) => call.result(host.named("app.query").length === 1 ? [] : [entry()]));
    expect(await client.app("jellyfin")).toMatchObject({ name: "jellyfin" });
  });

  test("come from the stable train first", async () => {
    const item = (train: string): Json => ({
      name: "plex",
      train,
      title: "Plex",
      icon_url: "i",
      latest_version: "1.3.5",
    });
    answers({ "app.available": [item("community"), item("stable")] });
    expect(await client.availableApp("plex")).toEqual({
      catalogApp: "plex",
      train: "stable",
      otherTrains: ["community"],
      title: "Plex",
      icon: "i",
      latestVersion: "1.3.5",
    });
    expect(await client.availableApps()).toEqual([await client.availableApp("plex")]);
  });

  test("show their stored values without the host's own keys", async () => {
    answers({
      "app.config": {
        TZ: "Etc/UTC",
        ix_context: {},
        ix_volumes: {},
        ix_certificates: {},
        ix_certificate_authorities: {},
      },
    });
    expect(await client.appConfig("jellyfin")).toEqual({ TZ: "Etc/UTC" });
  });

  test.each([
    ["Fixes\nand more", { changelog: "Fixes\nand more" }],
    [null, {}],
    [{ text: "not a text" }, {}],
  ])(
    "have an upgrade target with the words of the catalog about it, of which %j is taken as such",
    async (changelog, shown) => {
      const versions = [{ version: "1.2.0", human_version: "v1.2.0" }];
      answers({
        "app.query": [entry()],
        "app.upgrade_summary": { upgrade_version: "1.2.0", available_versions_for_upgrade: versions, changelog },
      });
      expect(await client.upgradeTarget("jellyfin")).toEqual({ version: "1.2.0", available: ["1.2.0"], ...shown });
    },
  );

  test("have no upgrade target when the catalog has nothing newer after all", async () => {
    answers({ "app.query": [entry()] });
    host.on("app.upgrade_summary", (call) => call.raise(14, "EFAULT", "[EFAULT] No upgrade available for 'jellyfin'"));
    expect(await client.upgradeTarget("jellyfin")).toBeNull();
  });
});

describe("the registry of images", () => {
  test.each([
    [{ remaining_pull_limit: 92, error: null }, null],
    [{ remaining_pull_limit: null, error: "Unable to connect with registry" }, "Unable to connect with registry"],
  ])("answering %j", async (answer, fault) => {
    answers({ "app.image.dockerhub_rate_limit": answer });
    expect(await client.imageRegistry?.()).toEqual({ fault });
  });

  test("is not known of a host without the method", async () => {
    expect(await client.imageRegistry?.()).toBeNull();
  });
});

describe("a path of the host", () => {
  test.each([
    ["[Errno 40] Too many levels of symbolic links: '/mnt/tank/x'", { type: "SYMLINK", uid: 0, gid: 0 }],
    ["[Errno 20] Not a directory: '/mnt/tank/x'", null],
    ["[Errno 2] No such file or directory: '/mnt/tank/x'", null],
  ])("that it can't resolve is a link or nothing: %s", async (reason, found) => {
    host.on("filesystem.stat", (call) => call.raise(22, "EINVAL", reason));
    expect(await client.stat("/mnt/tank/x")).toEqual(found);
  });

  test("that it can't read is a fault", async () => {
    host.on("filesystem.stat", (call) => call.raise(22, "EINVAL", "[Errno 5] Input/output error: '/mnt/tank/x'"));
    await expect(client.stat("/mnt/tank/x")).rejects.toMatchObject({ code: "HOST_CALL_FAILED" });
  });
});

describe("paths on this machine", () => {
  test.each([
    ["/mnt/tank/x", "/srv/host/mnt/tank/x"],
    ["/mnt/../../etc/passwd", "/srv/host/etc/passwd"],
    ["mnt/tank", "/srv/host/mnt/tank"],
  ])("%s lies at %s, never outside the root", (path, local) => {
    expect(client.localPath(path)).toBe(local);
  });
});
