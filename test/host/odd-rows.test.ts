/** One odd row of the host's answer hides no other, and is logged once. */
import { describe, expect, it, onTestFinished } from "vitest";
import type { Json } from "../../src/core/json/json.ts";
import { openClient, recordingLogger } from "../support/host/host-client.ts";
import { startWireHost } from "../support/host/wire-host.ts";

const LAN = "192.168.1.20";

async function open(answers: Readonly<Record<string, Json>>) {
  const host = await startWireHost();
  const logger = recordingLogger();
  const client = openClient(host.url, { logger });
  onTestFinished(async () => {
    await client.close();
    await host.stop();
  });
  const regular: Readonly<Record<string, Json>> = {
    "system.info": { physmem: 1_073_741_824, cores: 2 },
    "system.host_id": "id",
    "interface.websocket_local_ip": LAN,
    "interface.ip_in_use": [{ type: "INET", address: LAN }],
    "app.gpu_choices": {},
    "app.query": [],
  };
  for (const [method, result] of Object.entries({ ...regular, ...answers })) {
    host.on(method, (call) => call.result(result));
  }
  const told = () => logger.lines.filter((line) => line.includes("not understood"));
  return { client, told };
}

const app = (name: string, more: Record<string, Json> = {}): Json => ({
  name,
  state: "RUNNING",
  version: "1.0.0",
  metadata: { name },
  ...more,
});

describe("an odd row among those of", () => {
  it("app.query leaves the others, and itself as far as it can be read", async () => {
    const odd = app("odd", { portals: { Web: 5, Admin: "http://x:90/" }, metadata: "text" });
    const { client, told } = await open({ "app.query": [app("first"), odd, app("last")] });
    expect((await client.apps()).map(({ name, port }) => [name, port])).toEqual([
      ["first", undefined],
      ["odd", 90],
      ["last", undefined],
    ]);
    expect(Object.keys((await client.facts()).apps)).toEqual(["first", "odd", "last"]);
    expect(told()).toHaveLength(1);
    for (const said of ["app.query", '"odd"', "portals.Web", "metadata"]) expect(told()[0]).toContain(said);
  });

  it("app.available leaves the others", async () => {
    const item = (name: string): Json => ({ name, train: "stable", title: name, icon_url: "", latest_version: "1" });
    const { client, told } = await open({ "app.available": [item("a"), { name: "b", train: 5 }, null, item("c")] });
    expect((await client.availableApps()).map(({ catalogApp }) => catalogApp)).toEqual(["a", "c"]);
    expect(told()).toHaveLength(2);
    await client.availableApps();
    expect(told()).toHaveLength(2);
  });

  it("app.gpu_choices, app.used_ports and app.rollback_versions leaves the others", async () => {
    const { client, told } = await open({
      "app.gpu_choices": { "0000:01": { vendor: 5 }, "0000:02": { vendor: "INTEL", pci_slot: "0000:02" } },
      "app.used_ports": [80, "90", 100],
      "app.rollback_versions": ["1.0.0", null],
    });
    expect((await client.facts()).gpus).toEqual([{ slot: "0000:02", vendor: "INTEL" }]);
    expect(await client.usedPorts()).toEqual([80, 100]);
    expect(await client.rollbackVersions("x")).toEqual(["1.0.0"]);
    expect(told()).toHaveLength(3);
  });

  it("interface.ip_in_use leaves a LAN address, and no list of addresses to keep from scripts", async () => {
    const rows = [
      { type: "INET6", address: null },
      { type: "INET", address: LAN },
    ];
    const { client } = await open({ "interface.ip_in_use": rows });
    expect((await client.facts()).lanIp).toBe(LAN);
    await expect(client.addresses()).rejects.toMatchObject({ code: "HOST_PROTOCOL" });
  });

  it("core.get_jobs fails the call: a job that is not seen would be started again", async () => {
    const { client } = await open({ "core.get_jobs": [{ id: "x" }] });
    await expect(client.findJob({ requestId: "r", method: "createApp" })).rejects.toMatchObject({
      code: "HOST_PROTOCOL",
    });
  });
});
