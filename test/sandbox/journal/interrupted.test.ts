/** A script that is interrupted anywhere, however often, does what it does uninterrupted (docs/hooks.md, "After a restart"). */
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { CompiledScript, RunOutcome } from "../../../sandbox/contract.ts";
import type { JournalRow } from "../../../sandbox/journal/row.ts";
import { fuzz } from "../../support/fuzz.ts";
import { createWorkbench, type Workbench } from "../workbench.ts";
import { type Arrival, startConductor } from "./conductor.ts";
import { beginLife, compile, type Life } from "./lives.ts";
import { plainName, rehearse } from "./rehearsal.ts";
import { type Step, scriptSteps, writeSteps } from "./script-steps.ts";

let bench: Workbench;
beforeAll(() => {
  bench = createWorkbench(false);
});
afterAll(() => bench[Symbol.asyncDispose]());

/** After so many events of a life, or with this report, it dies, or is stopped for later. */
interface Interruption {
  readonly after: number | string;
  readonly how: "dies" | "suspends";
}

/** What a run came to over its lives. */
interface Trace {
  readonly outcome: unknown;
  readonly lines: readonly string[];
  readonly calls: readonly string[];
  readonly lives: number;
  readonly arrivals: readonly Arrival[];
  readonly decided: number;
  /** Of the last life. */
  readonly events: number;
}

/** A request that the app holds until the next life is asked about. */
const SUSPEND_MS = 200;

const choose = (id: string) => (id.length % 2 === 0 ? "retry" : "skip");

async function play(
  body: string,
  script: CompiledScript,
  seed: string,
  interruptions: readonly Interruption[],
): Promise<Trace> {
  const lines: string[] = [];
  const calls: string[] = [];
  let rows: readonly JournalRow[] = [];
  let lives = 0;
  let decided = 0;
  let events = 0;
  let life: Life | undefined;
  const rank = (name: string) => (Number(name.slice(1)) * 7 + seed.length * 3) % 11;

  const isReached = ({ after }: Interruption) =>
    typeof after === "number" ? events >= after : JSON.stringify(life?.calls).includes(after);
  const pass = () => {
    events += 1;
    const next = interruptions[lives - 1];
    if (life === undefined || life.journal.isDead || next === undefined || !isReached(next)) return;
    if (next.how === "dies") life.die();
    else life.run.suspend(SUSPEND_MS);
  };
  await using conductor = await startConductor(await rehearse(body, seed, choose), rank, pass);
  for (;;) {
    lives += 1;
    events = 0;
    const live = beginLife(bench.sandbox, {
      script,
      port: conductor.port,
      rows,
      seed,
      choose: (about) => {
        if (typeof about === "string") return choose(about);
        decided += 1;
        return "retry";
      },
      event: pass,
      took: (call) => {
        if (call.kind === "updateCheckpointMessage") conductor.took(plainName(call.id));
      },
    });
    life = live;
    const outcome = await live.outcome;
    lines.push(...live.lines);
    calls.push(...live.calls.map((call) => JSON.stringify(call)));
    rows = live.journal.read().rows;
    const isOver = outcome.status === "completed" || outcome.reason !== "stopped";
    if (isOver)
      return { outcome: comparable(outcome), lines, calls, lives, arrivals: conductor.arrivals, decided, events };
  }
}

function comparable(outcome: RunOutcome): unknown {
  const { usage: _, ...rest } = outcome;
  // positions in a stack are the same, but of the engine's own frames
  return JSON.parse(plainName(JSON.stringify({ ...rest, stack: undefined })));
}

/** Counts by what was sent. */
function count(arrivals: readonly Arrival[]): ReadonlyMap<string, readonly Arrival[]> {
  return Map.groupBy(arrivals, ({ name }) => name);
}

/** What is the same however a run came to it. */
function expectSame(trace: Trace, plain: Trace): void {
  expect(trace.outcome).toEqual(plain.outcome);
  expect(trace.lines.map(plainName)).toEqual(plain.lines.map(plainName));
  // when the person was asked is not the same beside requests
  const told = ({ calls }: Trace) => calls.map(plainName).filter((call) => !call.includes("awaitCheckpointRetry"));
  const asked = ({ calls }: Trace) => calls.filter((call) => call.includes("awaitCheckpointRetry")).sort();
  expect(told(trace)).toEqual(told(plain));
  expect(asked(trace)).toEqual(asked(plain));
  const requests = count(trace.arrivals);
  expect(new Set(requests.keys())).toEqual(new Set(count(plain.arrivals).keys()));
  for (const [name, sent] of requests) {
    // a turn that only reads may be lost, and is another one at another time
    const isRead = ["GET", "HEAD", "OPTIONS"].includes(sent[0]?.method ?? "");
    if (!isRead) expect(new Set(sent.map(({ content }) => content)).size, name).toBe(1);
    expect(
      sent.some(({ isLate }) => isLate),
      name,
    ).toBe(false);
    const isOnce = ["POST", "PATCH"].includes(sent[0]?.method ?? "");
    expect(sent.length, name).toBeLessThanOrEqual(isOnce ? 1 + trace.decided : trace.lives);
  }
}

const FETCH = { kind: "fetch", method: "GET", fails: false, awaits: false, timed: false } as const;
/** Of everything one; it ends with a report nobody waits for. */
const EVERYTHING: Step = {
  kind: "seq",
  steps: [
    { ...FETCH, method: "POST", awaits: true, timed: true },
    { kind: "person" },
    { kind: "all", steps: [FETCH, { ...FETCH, method: "PATCH" }, { kind: "sleep", ms: 1 }] },
    { kind: "try", step: { ...FETCH, method: "DELETE", fails: true } },
    { kind: "chance", either: { ...FETCH, method: "PUT" }, or: { ...FETCH, method: "HEAD" } },
    {
      kind: "race",
      steps: [
        { kind: "seq", steps: [{ ...FETCH, method: "POST" }] },
        { kind: "seq", steps: [{ ...FETCH, method: "OPTIONS" }] },
      ],
      aborts: true,
      guards: true,
    },
  ],
};

/** Plays the script of everything once, and once dying at each of these events. */
async function dieAt(pick: (events: number) => readonly (number | string)[]): Promise<void> {
  const body = writeSteps(EVERYTHING);
  const script = await compile(bench.sandbox, `export async function run(ctx: any) {${body}}`);
  const plain = await play(body, script, "seed", []);
  expect(plain).toMatchObject({ lives: 1, outcome: { status: "completed" } });
  // a commit before and after, a request before, after and at the app, a delivery before and after
  expect(plain.events).toBeGreaterThan(40);
  for (const after of pick(plain.events)) {
    const trace = await play(body, script, "seed", [{ after, how: "dies" }]);
    expectSame(trace, plain);
  }
}

test("a script that dies with its last report, behind its end, has ended for its next life too", () =>
  dieAt(() => ["n8 answers"]));

test("a script that is suspended in its last turn tells in its next life what it had to tell", async () => {
  const code = "export async function run(ctx: any) { void ctx.setProgress(1); return 1; }";
  const script = await compile(bench.sandbox, code);
  const first = beginLife(bench.sandbox, { script, port: 1, event: (life) => life.run.suspend(SUSPEND_MS) });
  expect(await first.outcome).toMatchObject({ status: "failed", reason: "stopped" });
  expect(first.calls).toEqual([]);
  const { rows } = first.journal.read();
  const second = beginLife(bench.sandbox, { script, port: 1, rows });
  expect(await second.outcome).toMatchObject({ status: "completed", result: 1 });
  expect(second.calls).toEqual([{ kind: "setProgress", percent: 1 }]);
});

fuzz("a script that dies at any of its events comes to the same", 5, () =>
  fc.asyncProperty(fc.nat(), (at) => dieAt((events) => [1 + (at % (events - 4))])),
);

const interruptions = fc.array(
  fc.record({ after: fc.integer({ min: 1, max: 60 }), how: fc.constantFrom("dies" as const, "suspends" as const) }),
  { minLength: 1, maxLength: 3 },
);

fuzz("a generated script that is interrupted up to three times comes to the same", 6, () =>
  fc.asyncProperty(scriptSteps, fc.string({ maxLength: 8 }), interruptions, async (steps, seed, stops) => {
    const body = writeSteps(steps);
    const script = await compile(bench.sandbox, `export async function run(ctx: any) {${body}}`);
    expectSame(await play(body, script, seed, stops), await play(body, script, seed, []));
  }),
);
