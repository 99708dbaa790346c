/** What the stand-in offers to install, and the cards an app may use. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../src/core/json/json.ts";
import { install, openLoggedIn, startStandin } from "../support/engine/standin-client.ts";

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

describe("the portals of the generic app", () => {
  const shown = async (portal: JsonObject, others: JsonObject = { host_network: true }) => {
    const host = await startStandin();
    const client = await openLoggedIn(host);
    const values = { ...others, portals: [{ name: "P", scheme: "http", path: "/", ...portal }] };
    const entry = await install(client, { app_name: "own", catalog_app: "ix-app", train: "stable", values });
    return { portals: entry["portals"], lanIp: host.lanIp };
  };

  test.each<[string, JsonObject]>([
    ["port", { port: "9200/x" }],
    ["host", { port: 9995, use_node_ip: false, host: "x:9200/" }],
    ["scheme", { port: 9995, scheme: "http://x:9200/?" }],
    ["path", { port: 920, path: "0/" }],
  ])("name no port the app does not take, whatever their %s holds", async (_, portal) => {
    expect((await shown(portal)).portals).toEqual({});
  });

  test("name only ports it publishes", async () => {
    const ports = [{ host_port: 9995, container_port: 80, protocol: "tcp" }];
    expect((await shown({ port: 9200 }, { ports })).portals).toEqual({});
    const { portals, lanIp } = await shown({ port: 9995 }, { ports });
    expect(portals).toEqual({ P: `http://${lanIp}:9995/` });
  });

  test("keep the name of the host that was chosen", async () => {
    const named = { port: 9995, use_node_ip: false, host: "nas.local" };
    expect((await shown(named)).portals).toEqual({ P: "http://nas.local:9995/" });
  });
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
