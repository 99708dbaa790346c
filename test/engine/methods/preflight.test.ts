import { describe, expect, test } from "vitest";
import type { PlannedDirectory } from "../../../src/core/plan/plan.ts";
import type { Host } from "../../../src/engine/ports/host.ts";
import { type PreflightRequest, refuseUnready, runPreflight } from "../../../src/engine/preflight/preflight.ts";
import { addDataset, addDirectory, faultOf } from "../../support/engine/scripted-world.ts";
import { createScriptedHost } from "../../support/host/scripted-host.ts";

const BASE = "/mnt/tank/apps";

function scripted() {
  return createScriptedHost({
    catalog: { jellyfin: { train: "community", title: "Jellyfin", icon: "", versions: ["1.3.11", "1.3.12"] } },
  });
}

function request(changes: Partial<PreflightRequest> = {}): PreflightRequest {
  return {
    appId: "jellyfin",
    catalogApp: "jellyfin",
    appValues: { network: { web_port: { bind_mode: "published", port_number: 30_013, host_ips: [] } } },
    directories: [directory("jellyfin/config", { owner: { user: "apps", group: "apps" } })],
    locations: { Apps: BASE },
    registry: Promise.resolve(null),
    ...changes,
  };
}

function directory(below: string, more: Partial<PlannedDirectory> = {}): PlannedDirectory {
  return { path: `${BASE}/${below}`, location: "Apps", root: false, share: false, ...more };
}

async function faults(host: Host, changes: Partial<PreflightRequest> = {}) {
  return (await runPreflight(host, request(changes))).faults.map(({ code, message }) => `${code}: ${message}`);
}

async function install(host: Host): Promise<void> {
  const values = request().appValues;
  const call = { method: "createApp", name: "jellyfin", catalogApp: "jellyfin", train: "community", values } as const;
  await host.startJob(call, "r1");
  await host.waitJob(
    { requestId: "r1", method: "createApp" },
    { signal: AbortSignal.timeout(5_000), progress: () => {} },
  );
}

describe("preflight", () => {
  test("of an install that can begin names the pinned version and the room, and changes nothing", async () => {
    const host = scripted();
    const report = await runPreflight(host, request());
    expect(report).toMatchObject({
      faults: [],
      offer: { catalogApp: "jellyfin", train: "community", latestVersion: "1.3.12" },
      room: [{ location: "Apps", dataset: "tank/apps", availableBytes: 1e12 }],
    });
    expect(() => refuseUnready(report, "jellyfin")).not.toThrow();
    expect(host.script.changes()).toEqual([]);
  });

  test("names every fault at once, in its order", async () => {
    const host = scripted();
    await install(host);
    addDirectory(host.script.world, `${BASE}/jellyfin`);
    const found = await runPreflight(
      host,
      request({
        catalogApp: "no-such-app",
        directories: [
          directory("a", { owner: { user: "bob" } }),
          directory("b", { owner: { user: "bob", group: "crowd" } }),
          directory("c", { location: "Elsewhere" }),
        ],
      }),
    );
    expect(found.faults.map(({ code, message }) => `${code}: ${message}`)).toEqual([
      'HOST_NAME_TAKEN: an app named "jellyfin" is installed already',
      'HOST_NOT_FOUND: the host\'s catalog has no app "no-such-app"',
      'HOST_PORT_CONFLICT: the port 30013 is used by the app "jellyfin"',
      'HOST_OWNER_UNKNOWN: the user "bob" does not exist on the host',
      'HOST_OWNER_UNKNOWN: the group "crowd" does not exist on the host',
      'HOST_DIRECTORY_BLOCKED: the location "Elsewhere" is not configured on the host',
    ]);
    expect(() => refuseUnready(found, "jellyfin")).toThrow(
      expect.objectContaining({ code: "HOST_NAME_TAKEN", details: { appId: "jellyfin", faults: found.faults } }),
    );
  });

  test("refuses a directory behind a file, or behind a symlink that leads out of its location", async () => {
    const host = scripted();
    const { paths } = host.script.world;
    paths.set(`${BASE}/file`, { type: "FILE", uid: 0, gid: 0 });
    paths.set("/mnt/other", { type: "DIRECTORY", uid: 0, gid: 0 });
    paths.set(`${BASE}/link`, { type: "SYMLINK", target: "/mnt/other", uid: 0, gid: 0 });
    paths.set(`${BASE}/short`, { type: "SYMLINK", target: `${BASE}/file`, uid: 0, gid: 0 });
    const directories = ["file/x", "link/x", "short/x", "new/x"].map((path) => directory(path));
    const behind = (path: string, target: string, link: string) =>
      `HOST_PATH_LINKED: "${BASE}/${path}" is, or lies behind, a symbolic link: the host finds "${target}" at "${BASE}/${link}"`;
    expect(await faults(host, { directories })).toEqual([
      `HOST_DIRECTORY_BLOCKED: "${BASE}/file" exists and is not a directory`,
      behind("link/x", "/mnt/other", "link"),
      behind("short/x", `${BASE}/file`, "short"),
    ]);
  });

  test("sees a location whose path is gone", async () => {
    const directories = [{ ...directory("x"), path: "/mnt/gone/x" }];
    expect(await faults(scripted(), { directories, locations: { Apps: "/mnt/gone" } })).toEqual([
      'HOST_DIRECTORY_BLOCKED: the path "/mnt/gone" of the location "Apps" does not exist',
    ]);
  });

  test("sees where ACLs are off, unless the directory becomes a dataset", async () => {
    const host = scripted();
    addDataset(host.script.world, "tank/apps", "OFF");
    await host.makeDirectory(`${BASE}/there`);
    const owner = { user: "apps" };
    const directories = ["new", "deep/new", "there/new"].map((path) => directory(path, { owner }));
    expect(await faults(host, { directories })).toEqual([
      `HOST_ACL_UNSUPPORTED: "${BASE}/there/new" cannot be given an owner: ACLs are off on "tank/apps"`,
    ]);
  });

  test("sees a location that is nearly full", async () => {
    const host = scripted();
    const full: Host = {
      ...host,
      datasetOf: async (path) => ({ ...(await host.datasetOf(path)), availableBytes: 5 * 1024 ** 2 }),
    };
    expect(await faults(full)).toEqual([
      'HOST_SPACE_LOW: the location "Apps" (tank/apps) has 5 MB left, 1024 are needed',
    ]);
  });

  test("sees that the host can't reach its registry of images, where it says so", async () => {
    expect(await faults(scripted(), { registry: Promise.resolve({ fault: null }) })).toEqual([]);
    expect(await faults(scripted(), { registry: Promise.resolve({ fault: "Unable to connect" }) })).toEqual([
      "HOST_REGISTRY_UNREACHABLE: the host can't reach its registry of images: Unable to connect",
    ]);
  });

  test("sees that the host does not serve shares, or not after a restart, if the app shares a directory", async () => {
    const host = scripted();
    const directories = [directory("films", { share: true })];
    expect(await faults(host, { directories })).toEqual([]);
    host.script.world.sharesEnabled = false;
    expect(await faults(host, { directories })).toEqual([
      "HOST_SHARES_OFF: the host's SMB service does not start with the host: the install changes that",
    ]);
    host.script.world.sharesServed = false;
    expect(await faults(host, { directories })).toEqual([
      "HOST_SHARES_OFF: the host's SMB service is off: the install starts it, and has it start with the host",
    ]);
    expect(await faults(host)).toEqual([]);
  });

  test("names nobody for a port that no app says it publishes", async () => {
    const host = scripted();
    expect(await faults({ ...host, usedPorts: async () => [30_013] })).toEqual([
      "HOST_PORT_CONFLICT: the port 30013 is used by a running app",
    ]);
  });

  test("of a host that cannot be asked is the host's error, not a report", async () => {
    const host = scripted();
    host.script.setAppsService("INITIALIZING");
    await expect(runPreflight(host, request())).rejects.toMatchObject({ code: "HOST_APPS_UNAVAILABLE" });
    host.script.setAppsService("RUNNING");
    host.script.refuse("app.used_ports", faultOf("HOST_UNREACHABLE", "gone", { retryable: true }), "no");
    await expect(runPreflight(host, request())).rejects.toMatchObject({ code: "HOST_UNREACHABLE" });
  });
});
