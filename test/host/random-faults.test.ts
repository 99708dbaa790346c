/**
 * Installs and upgrades in a loop, each with a fault of the table at a random moment: none is stuck, none is done twice,
 * and what remains is what the host's state says. `HOST_FAULT_ROUNDS` (50) and `HOST_FAULT_SEED` repeat a run.
 */
import { readdirSync } from "node:fs";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import fc from "fast-check";
import { expect, test } from "vitest";
import { type HostWork, INSTALL, openHostWork, UPGRADE } from "../support/host-work.ts";

const ROUNDS = Number(process.env["HOST_FAULT_ROUNDS"] ?? 50);
const SEED = Number(process.env["HOST_FAULT_SEED"] ?? Date.now() % 2 ** 31);

/** Every row of the table that strikes a call or a job. */
const CALL_FAULTS = ["drop-before-call", "drop-before-answer", "session-expired", "too-many-calls", "slow-answer"];
const JOB_FAULTS = ["drop-mid-job", "job-call-error", "job-rate-limit", "job-aborted", "service-restart"];
const OTHER_FAULTS = ["job-validation", "last-event-lost", "events-duplicated", "events-reordered"];
const UPGRADE_FAULTS = ["upgrade-left-stopped", "upgrade-half-up"];
const READS = ["core.get_jobs", "app.query", "docker.status", "core.subscribe", "auth.login_ex"];

type Moment = { readonly fault: string; readonly drops: number | null };

/** A fault of the job's method at any step, or of any call the work makes, and perhaps a cut some ms later. */
function momentOf(method: string, more: readonly string[]): fc.Arbitrary<Moment> {
  const fault = fc.oneof(
    fc.tuple(fc.constantFrom(...CALL_FAULTS), fc.constantFrom(method, ...READS)).map(([name, at]) => `${name}@${at}`),
    fc
      .tuple(fc.constantFrom(...JOB_FAULTS), fc.integer({ min: 0, max: 100 }))
      .map(([name, at]) => `${name}@${method}:${at}`),
    fc.constantFrom(...OTHER_FAULTS, ...more).map((name) => `${name}@${method}`),
  );
  return fc.record({
    fault: fault.filter((text) => !/^(session-expired|too-many-calls)@auth/.test(text)),
    drops: fc.option(fc.integer({ min: 0, max: 60 })),
  });
}

/** A failure that leaves the work undone or half done; any other end must be the whole work. */
const FAILS = /^(job-|service-restart|upgrade-)/;

test(`${ROUNDS} installs and upgrades with random faults end as the host's state says`, {
  timeout: 600_000,
}, async () => {
  console.info(`HOST_FAULT_SEED=${SEED}`);
  const pairs = fc.sample(fc.tuple(momentOf("app.create", []), momentOf("app.upgrade", UPGRADE_FAULTS)), {
    numRuns: ROUNDS,
    seed: SEED,
  });
  const work = await openHostWork({ speed: 100, client: { timing: { callMs: 1_000, pollMs: 20 } } });
  let before = { descriptors: 0, heapMb: 0 };
  try {
    for (const [round, [create, upgrade]] of pairs.entries()) {
      const shown = `round ${round}: ${JSON.stringify([create, upgrade])}`;
      await reset(work);
      if (round === 10) before = held();

      const installed = await disturbed(work, create, () => work.run(INSTALL));
      const app = await work.host.app("jellyfin");
      if (!FAILS.test(create.fault)) expect(installed, shown).toEqual({ ok: true });
      if (installed.ok) expect(app, shown).toMatchObject({ version: "1.3.11" });
      expect(queued(work, "app.create"), shown).toBeLessThanOrEqual(1);
      if (!installed.ok || create.fault.startsWith("job-")) continue;

      await settle(work);
      const upgraded = await disturbed(work, upgrade, () => work.run(UPGRADE));
      const after = await work.host.app("jellyfin");
      if (!FAILS.test(upgrade.fault)) expect(upgraded, shown).toEqual({ ok: true });
      if (upgraded.ok) expect(after, shown).toMatchObject({ version: "1.3.12" });
      expect(["1.3.11", "1.3.12"], shown).toContain(after?.version);
      expect(queued(work, "app.upgrade"), shown).toBeLessThanOrEqual(1);
    }
    // A socket or two may be closing; what the heap holds grows by nothing that a round leaves behind.
    expect(held().descriptors).toBeLessThan(before.descriptors + 10);
    expect(held().heapMb).toBeLessThan(before.heapMb + 20);
  } finally {
    await work.stop();
  }
});

setFlagsFromString("--expose-gc");
const collectGarbage: unknown = runInNewContext("gc");

/** Open descriptors and live heap of this process, stand-in included. */
function held(): { readonly descriptors: number; readonly heapMb: number } {
  if (typeof collectGarbage === "function") collectGarbage();
  return { descriptors: readdirSync("/proc/self/fd").length, heapMb: process.memoryUsage().heapUsed / 1024 ** 2 };
}

async function reset(work: HostWork): Promise<void> {
  await work.standin.control.reset();
}

/** A restart in the middle of an install can leave the app registered without containers: it is started then. */
async function settle({ host, run }: HostWork): Promise<void> {
  const stateNow = async () => (await host.app("jellyfin"))?.state;
  if ((await stateNow()) === "STOPPED")
    expect(await run({ method: "app.start", name: "jellyfin" })).toEqual({ ok: true });
  await expect.poll(stateNow, { timeout: 20_000 }).toBe("RUNNING");
}

async function disturbed<T>({ standin }: HostWork, { fault, drops }: Moment, run: () => Promise<T>): Promise<T> {
  standin.control.arm(fault);
  const cut = drops === null ? undefined : setTimeout(() => standin.control.dropSockets(), drops);
  try {
    return await run();
  } finally {
    clearTimeout(cut);
    standin.control.disarm();
  }
}

/** Jobs of the method the host took; a restart forgets them, so this counts what it still knows. */
function queued({ standin }: HostWork, method: string): number {
  return standin.control.jobs().filter((job) => job.method === method).length;
}
