/** The host is trusted, but what stands in for it on the wire is not: whatever it answers is a value or an error with a code. */
import fc from "fast-check";
import { afterEach, beforeEach, expect, test } from "vitest";
import { isCode } from "../../../src/core/codes/code.ts";
import type { Json } from "../../../src/core/json/json.ts";
import { HostError } from "../../../src/engine/host-error.ts";
import type { Host } from "../../../src/engine/ports/host.ts";
import { fuzz } from "../../support/fuzz.ts";
import { openClient } from "../../support/host/host-client.ts";
import { startWireHost, type WireHost } from "../../support/host/wire-host.ts";

let host: WireHost;
let client: Host;

beforeEach(async () => {
  host = await startWireHost();
  client = openClient(host.url, { timing: { reconnectWaitMs: 200 } });
});
afterEach(async () => {
  await client.close();
  await host.stop();
});

/** What an engine asks, and the methods of the host it is made of. */
const QUESTIONS: Readonly<Record<string, (host: Host) => Promise<unknown>>> = {
  facts: (asked) => asked.facts(),
  apps: (asked) => asked.apps(),
  available: (asked) => asked.availableApps(),
  stat: (asked) => asked.stat("/mnt/tank/apps/a"),
  dataset: (asked) => asked.datasetOf("/mnt/tank/apps/a"),
  user: (asked) => asked.user("apps"),
  ports: (asked) => asked.appPorts(),
  snapshots: (asked) => asked.snapshots("tank/apps", ["a"]),
  snapshotNames: (asked) => asked.snapshotNames("tank/apps"),
  shares: (asked) => asked.shares(),
  config: (asked) => asked.appConfig("a"),
  upgrade: (asked) => asked.upgradeTarget("a"),
  job: (asked) => asked.findJob({ requestId: "r", method: "createApp", id: 1, startedAt: 0 }),
};

const METHODS = [
  "app.query",
  "app.available",
  "app.config",
  "app.get_instance",
  "app.upgrade_summary",
  "core.get_jobs",
  "app.gpu_choices",
  "docker.status",
  "filesystem.stat",
  "filesystem.statfs",
  "interface.ip_in_use",
  "interface.websocket_local_ip",
  "pool.dataset.query",
  "pool.snapshot.query",
  "sharing.smb.query",
  "system.general.config",
  "system.host_id",
  "system.info",
  "user.get_user_obj",
];

/** JSON with the member names an honest answer has, so that it is read further than its first brace. */
const NAMES = fc.constantFrom(
  "id",
  "name",
  "state",
  "version",
  "metadata",
  "active_workloads",
  "used_ports",
  "realpath",
  "source",
  "type",
  "uid",
  "gid",
  "status",
  "physmem",
  "cores",
  "__proto__",
);
const { answer } = fc.letrec<{ answer: Json }>((tie) => ({
  answer: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom<Json>(null, true, 0, -1, 1e308, "", "RUNNING", "/mnt/tank/apps/a", "\u0000"),
    fc.string(),
    fc.array(tie("answer"), { maxLength: 4 }),
    fc.dictionary(NAMES, tie("answer"), { maxKeys: 6 }),
  ),
}));

fuzz("any answer of a host is a value, or an error with a code", 150, () =>
  fc.asyncProperty(
    fc.constantFrom(...Object.values(QUESTIONS)),
    fc.array(answer, { minLength: 1, maxLength: 5 }),
    async (ask, answers) => {
      let next = 0;
      for (const method of METHODS) host.on(method, (call) => call.result(answers[next++ % answers.length] ?? null));
      const outcome = await ask(client).catch((error: unknown) => error);
      if (!(outcome instanceof Error)) return;
      expect(outcome).toBeInstanceOf(HostError);
      expect(outcome).toHaveProperty("code", expect.any(String));
      expect(outcome instanceof HostError && isCode(outcome.code)).toBe(true);
    },
  ),
);

test("what a host says to people turns none of the words around it", async () => {
  const turned = "a\u202eb\u0007";
  const entry = { name: "a", state: "RUNNING", version: "1.0.0", metadata: { title: turned } };
  host.on("app.query", (call) => call.result([{ ...entry, upgrade_available: true }]));
  host.on("app.available", (call) =>
    call.result([{ name: "a", train: "stable", title: turned, latest_version: "1.0.0" }]),
  );
  host.on("app.upgrade_summary", (call) => call.result({ upgrade_version: "2.0.0", changelog: `${turned}\n\tc` }));
  host.on("docker.status", (call) => call.result({ status: "RUNNING", description: turned }));
  host.on("pool.snapshot.query", (call) => call.raise(22, "EINVAL", turned));
  expect(await client.apps()).toMatchObject([{ title: "ab" }]);
  expect(await client.availableApps()).toMatchObject([{ title: "ab" }]);
  expect(await client.upgradeTarget("a")).toMatchObject({ changelog: "ab\n\tc" });
  expect(await client.appsService()).toMatchObject({ description: "ab" });
  await expect(client.snapshotNames("tank/a")).rejects.toMatchObject({ fault: { reason: "ab" } });
});
