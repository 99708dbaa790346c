import { readdirSync } from "node:fs";
import { expect, test } from "vitest";
import type { Json } from "../../src/core/json/json.ts";
import { createSeededRandom } from "../../src/standin/random.ts";
import type { StandinHost } from "../../src/standin/standin.ts";
import { endOfJob, openLoggedIn, type RawClient, startStandin } from "../support/engine/standin-client.ts";

/** Rounds: `SLIPWAY_SOAK=1000 npx vitest run test/standin/soak.test.ts` for the long run. */
const ROUNDS = Number(process.env["SLIPWAY_SOAK"] ?? 50);

/** Faults a host may show at any moment; each leaves a state the next round must be able to start from. */
const MOMENTS = [
  "drop-mid-job@METHOD:PERCENT",
  "job-call-error@METHOD:PERCENT",
  "job-rate-limit@METHOD:PERCENT",
  "job-aborted@METHOD:PERCENT",
  "service-restart@METHOD:PERCENT",
  "last-event-lost@METHOD",
  "events-duplicated@METHOD",
  "events-reordered@METHOD",
  "drop-before-answer@METHOD",
  "drop-before-call@METHOD",
  "app-crashed",
  "app-never-healthy",
  "upgrade-left-stopped",
  "upgrade-half-up",
  "update-changes-owner",
];

/** Runs a job to its end however often the connection is cut; a job the host has forgotten counts as ended. */
async function drive(host: StandinHost, method: string, args: readonly Json[]): Promise<void> {
  const client = await openLoggedIn(host);
  const id = await client.call(method, ...args).catch(() => undefined);
  client.socket.terminate();
  const later = await reconnect(host);
  if (id !== undefined) await endOfJob(later, id).catch(() => undefined);
  await untilQuiet(host);
  later.socket.terminate();
}

/** A fault may cut this connection too, but no fault strikes for ever. */
async function reconnect(host: StandinHost): Promise<RawClient> {
  return openLoggedIn(host).catch(() => reconnect(host));
}

/** A job that ends without a result for us may still have work in the background. */
async function untilQuiet(host: StandinHost): Promise<void> {
  while (host.control.jobs().some(({ finishedAt }) => finishedAt === null))
    await new Promise((resolve) => setImmediate(resolve));
}

function openFiles(): number {
  return readdirSync("/proc/self/fd").length;
}

test(`${ROUNDS} installs, upgrades and deletions with random faults leave nothing behind`, {
  timeout: 600_000,
}, async () => {
  const seed = Number(process.env["SLIPWAY_SEED"] ?? Date.now() % 1_000_000);
  console.log(`seed ${seed} (SLIPWAY_SEED repeats it)`);
  const random = createSeededRandom(seed);
  const host = await startStandin({ speed: 1000, limits: { ratePerWindow: 1_000_000 } });
  const before = openFiles();
  for (let round = 0; round < ROUNDS; round += 1) {
    const verbs: [string, Json[]][] = [
      ["app.create", [{ app_name: "jellyfin", catalog_app: "jellyfin", train: "community", version: "1.3.11" }]],
      ["app.upgrade", ["jellyfin", {}]],
      ["app.update", ["jellyfin", {}]],
    ];
    for (const [method, args] of verbs) {
      const moment = MOMENTS[Math.floor(random.between(0, MOMENTS.length))] ?? "";
      const percent = [20, 25, 40, 60, 70, 100][Math.floor(random.between(0, 6))] ?? 60;
      host.control.arm(moment.replace("METHOD", method).replace("PERCENT", String(percent)));
      await drive(host, method, args);
      host.control.disarm();
    }
    await drive(host, "app.delete", ["jellyfin", {}]);
    expect(Object.keys(host.control.state().apps), `round ${round}, seed ${seed}`).toEqual([]);
    await expect(fetch(`http://${host.lanIp}:30013`), `round ${round}, seed ${seed}`).rejects.toThrow();
  }
  while (openFiles() > before + 2) await new Promise((resolve) => setImmediate(resolve));
  expect(host.control.jobs().length).toBeLessThanOrEqual(1000);
});
