import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Sandbox } from "../../../sandbox/contract.ts";
import { getLimits } from "../../../sandbox/limits.ts";
import { Slot } from "../../../sandbox/run/slots.ts";
import { createSandbox } from "../../../sandbox/sandbox.ts";
import { SLOWNESS } from "../../support/slowness.ts";
import { ATTACKS, attack, endOf } from "./attacks.ts";
import { openTarget, type Target } from "./attacks-target.ts";

/** The machine of the tests is shared: times may be this much longer than promised (the bench shows the exact ones). */
const SLACK = 3 * SLOWNESS;
/**
 * Computing time, ms, shorter than the real one, which the bench uses: most attacks use up all of it. Those that are to
 * end by memory or by another limit keep the real one.
 */
const SHORT = { sliceMs: 500, cpuMs: 1_500 };
const shortLimits = (kind: "hook" | "widget") => ({ ...getLimits(kind), ...SHORT });
/** Highest resident size of a child, MB. */
const PEAK_MB = 300;

/** Two attacks at once: each computes alone, or waits, until it is ended. */
const places = new Slot(2);
/** These are ended by what they take, which is looked at now and then: nothing else may delay that. */
const ALONE: ReadonlySet<string> = new Set(["memory", "flood"]);

let target: Target;
let sandbox: Sandbox;
let patient: Sandbox;

beforeAll(async () => {
  target = await openTarget();
  sandbox = createSandbox({ allowWeakSandbox: true, scriptIo: target.scriptIo, limits: shortLimits });
  patient = createSandbox({ allowWeakSandbox: true, scriptIo: target.scriptIo });
});

afterAll(async () => {
  await Promise.all([sandbox.close(), patient.close()]);
  await target.close();
});

test("the table has at least 90 attacks, each with a name of its own", () => {
  expect(ATTACKS.length).toBeGreaterThanOrEqual(90);
  expect(new Set(ATTACKS.map(({ class: kind, name }) => `${kind} ${name}`)).size).toBe(ATTACKS.length);
});

describe.each([...new Set(ATTACKS.map((row) => row.class))])("a hostile script of the class %s", (kind) => {
  const play = ALONE.has(kind) ? test : test.concurrent;
  play.each(ATTACKS.filter((row) => row.class === kind))("$name", async (row) => {
    await places.enter(new AbortController().signal);
    const isPatient = ALONE.has(kind) || row.ends.some((end) => end.startsWith("quota_"));
    const report = isPatient ? attack(patient, row, target) : attack(sandbox, row, target, shortLimits);
    const { outcome, tookMs, allowedMs } = await report.finally(() => places.leave());
    expect(row.ends, JSON.stringify(outcome)).toContain(endOf(outcome));
    if (outcome.status === "completed" && row.result !== undefined) expect(outcome.result).toBe(row.result);
    expect(tookMs).toBeLessThan(allowedMs * SLACK);
    expect(outcome.usage.peakMb).toBeLessThanOrEqual(PEAK_MB);
  });
});
