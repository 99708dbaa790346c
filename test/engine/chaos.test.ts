/**
 * Chaos: the whole engine on the scripted host, with real SQLite and a clock that only the chaos steps move. Whatever
 * people, host, scripts, provider, clock and kills do, in any order and number, the invariants of docs/architecture.md
 * hold.
 */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { machines } from "../../machines/index.ts";
import { isAwaiting, isFinal } from "../../src/core/task-states.ts";
import { replayTask } from "../../src/engine/replay/replay.ts";
import type { RegisteredMachine } from "../../src/engine/runtime/effect.ts";
import { createChaos } from "../support/chaos/chaos.ts";
import { SECRETS } from "../support/chaos/chaos-apps.ts";
import { CALLS, type ChaosStep, JOBS, OPENINGS, type Opening, SWITCHES } from "../support/chaos/chaos-steps.ts";
import { flat, waitsForPerson } from "../support/chaos/task-trees.ts";
import type { EngineWorld } from "../support/engine/engine-world.ts";

const registry: Readonly<Record<string, RegisteredMachine>> = machines;
const seed = Number(process.env["CHAOS_SEED"] ?? Date.now() % 1_000_000_000);
const numRuns = Number(process.env["CHAOS_RUNS"] ?? 150);

const openings = Object.keys(OPENINGS).filter(isOpening);

function isOpening(text: string): text is Opening {
  return text in OPENINGS;
}

const kind = <K extends string>(name: K) => fc.constant(name);
const app = fc.constantFrom("demo", "other");
const task = fc.nat(9);

const STEPS: readonly { readonly weight: number; readonly arbitrary: fc.Arbitrary<ChaosStep> }[] = [
  {
    weight: 4,
    arbitrary: fc.record({ kind: kind("request"), what: fc.constantFrom("install", "upgrade", "update"), app }),
  },
  { weight: 2, arbitrary: fc.record({ kind: kind("switch"), what: fc.constantFrom(...SWITCHES), app }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constantFrom("link", "press") }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constantFrom("upgradeAll", "import") }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constantFrom("adopt", "outside", "erase"), app }) },
  {
    weight: 6,
    arbitrary: fc.record({ kind: kind("decide"), what: fc.constantFrom("retry", "retry", "skip", "skip"), task }),
  },
  { weight: 1, arbitrary: fc.record({ kind: kind("decide"), what: fc.constantFrom("cancel", "dismiss"), task }) },
  { weight: 3, arbitrary: fc.record({ kind: kind("input"), task, sound: fc.boolean() }) },
  {
    weight: 10,
    arbitrary: fc.record({
      kind: kind("script"),
      run: fc.nat(2),
      says: fc.constantFrom("registers", "emits", "skips", "progress", "asks", "completes", "completes", "fails"),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: kind("refuse"), call: fc.constantFrom(...CALLS), silent: fc.boolean() }) },
  { weight: 3, arbitrary: fc.record({ kind: kind("lose"), call: fc.constantFrom(...CALLS), acted: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ kind: kind("end"), call: fc.constantFrom(...JOBS), acted: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ kind: kind("hold"), call: fc.constantFrom(...JOBS) }) },
  { weight: 2, arbitrary: fc.record({ kind: kind("release") }) },
  { weight: 1, arbitrary: fc.record({ kind: kind("hostRestarts"), finish: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ kind: kind("service"), up: fc.boolean() }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: kind("appState"), app, state: fc.constantFrom("STOPPED", "CRASHED", "RUNNING") }),
  },
  { weight: 1, arbitrary: fc.record({ kind: kind("provider"), agrees: fc.boolean() }) },
  { weight: 8, arbitrary: fc.record({ kind: kind("advance"), ms: fc.integer({ min: 1, max: 20_000 }) }) },
  { weight: 1, arbitrary: fc.record({ kind: kind("advance"), ms: fc.integer({ min: 1, max: 4_000_000 }) }) },
  { weight: 1, arbitrary: fc.record({ kind: kind("step"), ms: fc.integer({ min: -1e9, max: 1e9 }) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constantFrom("restart", "crash") }) },
  { weight: 12, arbitrary: fc.record({ kind: kind("wait"), ticks: fc.integer({ min: 1, max: 20 }) }) },
];

/** What holds at every moment (docs/architecture.md, "Invariants"; docs/decisions.md, section 3). */
function check({ store, engine, host, log }: EngineWorld): void {
  const entries = store.logAfter(0, 1_000_000);
  expect(entries.map(({ seq }) => seq)).toEqual(entries.map((_, index) => index + 1));
  const shown = new Map<string, (typeof entries)[number]["task"]>();
  const holders = new Map<string, Set<string>>();
  for (const { task: view, type } of entries) {
    const before = shown.get(view.id);
    expect(view.progress, type).toBeGreaterThanOrEqual(before?.progress ?? 0);
    expect(view.progress === 100, view.state).toBe(view.state === "COMPLETED");
    if (before !== undefined && isFinal(before.state)) expect(view.state).toBe(before.state);
    if (isAwaiting(view.state)) expect(view.waitingFor?.kind).toBe("person");
    shown.set(view.id, view);
    if (view.kind === "hook" || view.kind === "link") continue;
    // What is of no app (all upgrades, an import) goes on beside others of no app.
    const claim = view.appId || view.kind;
    const at = holders.get(claim) ?? new Set();
    if (isFinal(view.state) || view.state === "FAILED" || view.parent !== undefined) at.delete(view.id);
    else at.add(view.id);
    expect(at.size, `lifecycles at work on "${claim}"`).toBeLessThanOrEqual(1);
    holders.set(claim, at);
  }

  const done = host.script.done.map(({ requestId }) => requestId);
  expect(done, "no job's work is done twice").toEqual([...new Set(done)]);
  const { shares } = host.script.world;
  expect(new Set(shares.map(({ path }) => path)).size).toBe(shares.length);

  const rows = engine.tasks().flatMap(({ id }) => store.tree(id));
  for (const row of rows) {
    expect(row.quarantine, row.id).toBeNull();
    expect(replayTask(store, registry, row).difference, row.id).toBeNull();
  }
  const effects = rows.flatMap(({ id }) => store.effectsOf(id));
  const visible = JSON.stringify([entries, rows, effects, log, engine.tasks()]);
  expect(Object.values(SECRETS).filter((secret) => visible.includes(secret))).toEqual([]);
}

/** Nothing is left to do by itself, so whatever has not ended waits for a person. */
function expectNextSteps({ engine, store }: EngineWorld): void {
  for (const { id } of engine.tasks({ unfinished: true })) {
    expect(waitsForPerson(engine, id), `a next step of ${JSON.stringify(engine.task(id))}`).toBe(true);
    expect(store.busy(id)).toBe(false);
  }
}

describe("the engine under chaos", () => {
  it.each(openings)("begins with a task of its kind: %s", async (opening) => {
    const chaos = await createChaos(opening);
    const kinds = chaos.world.engine.tasks().map((begun) => begun.kind);
    await chaos.close();
    expect(kinds).toContain(opening === "link" ? "install" : opening);
  });

  it("throws nothing but refusals, keeps every invariant, leaves no task without a next step", async () => {
    console.log(`chaos seed ${seed} (CHAOS_SEED=${seed} repeats it)`);
    const steps = fc.array(fc.oneof(...STEPS), { minLength: 10, maxLength: 60 });
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...openings), steps, fc.boolean(), async (opening, all, hostComesBack) => {
        const chaos = await createChaos(opening);
        try {
          for (const step of all) await chaos.take(step);
          check(chaos.world);
          if (hostComesBack) {
            await chaos.calm();
            expectNextSteps(chaos.world);
          }
          await chaos.endAll();
          check(chaos.world);
          for (const { id, state } of chaos.world.engine.tasks().flatMap(flat)) expect(isFinal(state), id).toBe(true);
        } finally {
          await chaos.close();
        }
      }),
      { numRuns, seed },
    );
  });

  it("found an update that was asked about for ever after its host had restarted and forgotten the app", async () => {
    const chaos = await createChaos("hook");
    const steps: readonly ChaosStep[] = [
      { kind: "request", what: "update", app: "demo" },
      { kind: "advance", ms: 1 },
      { kind: "hostRestarts", finish: false },
      { kind: "wait", ticks: 1 },
      { kind: "link" },
      { kind: "advance", ms: 1 },
      { kind: "wait", ticks: 1 },
      { kind: "restart" },
    ];
    for (const step of steps) await chaos.take(step);
    await chaos.calm();
    expectNextSteps(chaos.world);
    await chaos.close();
  });
});
