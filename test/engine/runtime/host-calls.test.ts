import { expect, test } from "vitest";
import { HOST_CALLS, type HostCall, type HostMethod } from "../../../src/adapters/host-rpc/host-calls.ts";
import { createScriptedHost } from "../../support/host/scripted-host.ts";

const ROWS: readonly (readonly [string, HostCall])[] = Object.entries(HOST_CALLS);

test.each(ROWS)("%s: only what changes the host once has a rule for a lost answer", (_, row) => {
  const changes = row.class === "create" || row.class === "mutate";
  expect((row.reconcile ?? []).length > 0).toBe(changes);
});

test.each(ROWS.filter(([, { reconcile }]) => reconcile !== undefined))(
  "%s: every question of its rule is a read of the port, the job first",
  (_, { reconcile = [], port }) => {
    const reads = ROWS.filter(([, row]) => row.class === "read").flatMap(([, row]) => [...row.port]);
    for (const { ask } of reconcile) expect(reads).toContain(ask);
    expect(reconcile[0]?.ask === "findJob").toBe(port.includes("startJob"));
  },
);

test("every method of the port that asks the host stands in the table", () => {
  const named = new Set<string>(ROWS.flatMap(([, row]) => [...row.port]));
  const { script: _, localPath: __, close: ___, renamesDatasets: ____, ...asking } = createScriptedHost();
  expect(Object.keys(asking).filter((method) => !named.has(method))).toEqual([]);
});

/** Section 1 of docs/host-api.md. Of an app's state `app.query` is asked: `app.get_instance` can't tell "none" from "down". */
const NEEDS: Readonly<Record<string, readonly HostMethod[]>> = {
  install: ["docker.status", "app.query", "app.create"],
  upgrade: ["app.upgrade_summary", "app.upgrade"],
  "change options of an installed app": ["app.config", "app.update"],
  $SERVER_LAN_IP: ["interface.websocket_local_ip", "interface.ip_in_use"],
  $SERVER_HOST_ID: ["system.host_id", "system.global.id"],
  "$MEMORY, CORE specs": ["system.info"],
  "GPU spec": ["app.gpu_choices"],
  "free port check": ["app.used_ports"],
  "directory + owner": [
    "pool.dataset.create",
    "filesystem.mkdir",
    "user.get_user_obj",
    "group.get_group_obj",
    "filesystem.setacl",
  ],
  "dataset that holds a path": ["filesystem.statfs"],
  "snapshot before update": ["pool.snapshot.create"],
  "network share": ["sharing.smb.create", "service.query", "service.control", "service.update"],
};

test.each(Object.entries(NEEDS))("%s: each of its calls is a method of the port", (_, methods) => {
  for (const method of methods) expect(HOST_CALLS[method].port.length).toBeGreaterThan(0);
});
