/** A script that was changed: what it does otherwise than it did is named, and nothing live happens before that. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type JournalRow, sealRows } from "../../../sandbox/journal/row.ts";
import { type AppServer, startApp } from "../app-server.ts";
import { createWorkbench, type Workbench } from "../workbench.ts";
import { cutAfter } from "./kept-runs.ts";
import { beginLife, compile, type LifeOptions } from "./lives.ts";

/** Two requests, two reports, a question, a line and a wait; then one that is under way when the process dies. */
const SCRIPT = `
import { statSync } from "node:fs";
export async function run(ctx: any) {
  await ctx.registerCheckpoints([{ id: "a", message: "A" }]);
  const one = await fetch(ctx.baseUrl + "/one");
  await ctx.setProgress(10);
  const random = crypto.randomUUID();
  const two = await fetch(ctx.baseUrl + "/two", { method: "POST", body: "body" });
  ctx.log("told");
  await Promise.all([ctx.sleep(1), ctx.updateCheckpointMessage("a", "B")]);
  const held = await fetch(ctx.baseUrl + "/held");
  // takes the end along when it is kept
  void ctx.setProgress(50);
  return one.status + two.status + held.status;
}
`;

let bench: Workbench;
let app: AppServer;
let isHeld = true;
/** Died at /held. */
let interrupted: readonly JournalRow[];
/** Played to its end. */
let complete: readonly JournalRow[];
let arrived = () => {};

beforeAll(async () => {
  bench = createWorkbench(false);
  app = await startApp({
    "GET /one": () => ({ body: "one" }),
    "POST /two": () => ({ body: "two" }),
    "GET /held": () => {
      arrived();
      return isHeld ? null : { body: "held" };
    },
  });
  const first = await begin(SCRIPT);
  arrived = () => first.die();
  await first.outcome;
  interrupted = first.journal.read().rows;
  isHeld = false;
  arrived = () => {};
  const second = await begin(SCRIPT);
  expect(await second.outcome).toMatchObject({ status: "completed", result: 600 });
  complete = second.journal.read().rows;
});
afterAll(async () => {
  await app[Symbol.asyncDispose]();
  await bench[Symbol.asyncDispose]();
});

async function begin(code: string, options: Partial<LifeOptions> = {}) {
  return beginLife(bench.sandbox, { script: await compile(bench.sandbox, code), port: app.port, ...options });
}

/** Replaces one piece of the script, which has to be there. */
function changed(from: string, to: string): string {
  expect(SCRIPT).toContain(from);
  return SCRIPT.replace(from, to);
}

const ONE = 'const one = await fetch(ctx.baseUrl + "/one");';
const TWO = 'const two = await fetch(ctx.baseUrl + "/two", { method: "POST", body: "body" });';
const BESIDE = '[ctx.sleep(1), ctx.updateCheckpointMessage("a", "B")]';

const ROWS: readonly (readonly [title: string, from: string, to: string, message: string])[] = [
  [
    "another call",
    "ctx.setProgress(10)",
    'ctx.skipCheckpoint("a")',
    'call 3 is skipCheckpoint "a", and was a "report"',
  ],
  ["a call of another class", "ctx.setProgress(10)", "ctx.sleep(5)", 'call 3 is timer of 5 ms, and was a "report"'],
  [
    "another order",
    `${ONE}\n  await ctx.setProgress(10);`,
    `await ctx.setProgress(10);\n  ${ONE}`,
    'call 2 is setProgress, and was a "read"',
  ],
  [
    "another order side by side",
    BESIDE,
    '[ctx.updateCheckpointMessage("a", "B"), ctx.sleep(1)]',
    'call 5 is updateCheckpointMessage "a", and was a "timer"',
  ],
  ["another address", "/one", "/one?more", 'call 2 is GET /one, and was a "read"'],
  ["another body", 'body: "body"', 'body: "BODY"', 'call 4 is POST /two, and was a "once"'],
  ["another header", 'body: "body" }', 'body: "body", headers: { a: "b" } }', 'call 4 is POST /two, and was a "once"'],
  ["another text", '"B"', '"C"', 'call 6 is updateCheckpointMessage "a", and was a "report"'],
  ["another time to sleep", "ctx.sleep(1)", "ctx.sleep(2)", 'call 5 is timer of 2 ms, and was a "timer"'],
  ["one call more", TWO, `await ctx.setProgress(20); ${TWO}`, 'call 4 is setProgress, and was a "once"'],
  [
    "one call more side by side",
    BESIDE,
    BESIDE.replace("]", ", ctx.setProgress(9)]"),
    "call 7 is setProgress, and was none",
  ],
  ["one call less", ONE, "const one = { status: 200 };", 'call 2 is setProgress, and was a "read"'],
  ["one call less side by side", BESIDE, "[ctx.sleep(1)]", 'call 6, a "report" is missing'],
  ["an earlier end", TWO, "return 1;\n  const two = one;", "the script ended early"],
  ["another question", "crypto.randomUUID()", 'statSync("/etc")', 'a question is "fs.stat", and was another'],
  [
    "one question more",
    "crypto.randomUUID()",
    "[crypto.randomUUID(), crypto.randomUUID()]",
    'a question is "random", and was another',
  ],
  ["one question less", "crypto.randomUUID()", "0", "what it asked or logged is missing"],
  ["one line more", 'ctx.log("told")', 'ctx.log("told"); ctx.log("more")', "it logs more than it did"],
  ["one line less", 'ctx.log("told")', "", "what it asked or logged is missing"],
];

async function playChanged(code: string, rows: readonly JournalRow[]) {
  const before = app.received.length;
  const life = await begin(code, { rows });
  const outcome = await life.outcome;
  return {
    outcome: "message" in outcome ? { ...outcome, message: outcome.message.replace(app.url, "") } : outcome,
    lines: life.lines,
    calls: life.calls,
    requests: app.received.slice(before).map(({ path }) => path),
  };
}

describe("a change of what was played", () => {
  test.each(ROWS)("%s is named", async (_, from, to, message) => {
    expect(await playChanged(changed(from, to), interrupted)).toMatchObject({
      outcome: { status: "failed", reason: "replay_diverged", message },
      lines: [],
      calls: [],
      requests: [],
    });
  });

  const END = "return one.status + two.status + held.status;";
  test.each([
    ["a later end", `await ctx.setProgress(99);\n  ${END}`, "call 9 is setProgress, and was none"],
    ["an end that does not come", `await new Promise(() => {});\n  ${END}`, "the script did not end"],
  ])("%s is named", async (_, to, message) => {
    expect(await playChanged(changed(END, to), complete)).toMatchObject({
      outcome: { status: "failed", reason: "replay_diverged", message },
      calls: [],
      requests: [],
    });
  });
});

describe("no divergence is", () => {
  test.each([
    ["the script as it was", SCRIPT],
    ["a change behind the recorded part", changed("return one.status", "await ctx.setProgress(99); return one.status")],
    ["another text that does the same", changed(ONE, `/* more */ const one = await fetch(\`\${ctx.baseUrl}/one\`);`)],
  ])("%s", async (_, code) => {
    expect(await playChanged(code, interrupted)).toMatchObject({
      outcome: { status: "completed", result: 600 },
      lines: [],
      requests: ["/held"],
    });
  });

  test("another script, guest and Node than the journal was made by, which it names", async () => {
    const { sha256 } = await compile(bench.sandbox, SCRIPT);
    const [node] = process.versions.node.split(".");
    const made = { script: sha256, guest: expect.stringMatching(/^[0-9a-f]{64}$/), node };
    expect(JSON.parse(interrupted[0]?.text ?? "").records[0]).toMatchObject({ is: "start", made });
    const { rows } = sealRows(
      interrupted.map((row) => ({
        ...row,
        text: row.text.replace(/"made":\{[^}]*\}/, '"made":{"script":"0","guest":"0","node":"20"}'),
      })),
    );
    expect(rows[0]?.text).toContain('"node":"20"');
    expect(await playChanged(SCRIPT, rows)).toMatchObject({ outcome: { result: 600 }, requests: ["/held"] });
    const outcome = { reason: "replay_diverged", message: 'call 2 is setProgress, and was a "read"' };
    expect(await playChanged(changed(ONE, "const one = {};"), rows)).toMatchObject({ outcome, requests: [] });
  });

  test("another result", async () => {
    const code = changed("return one.status +", "return 1_000 + one.status +");
    expect(await playChanged(code, complete)).toMatchObject({ outcome: { result: 1_600 }, requests: [] });
  });
});

test("a delivery that had not ended and asks less the second time is noticed before the next one", async () => {
  const DRAW = "crypto.randomUUID();";
  const code = (first: string) => `
    export async function run(ctx: any) {
      const before = ${first}
      await ctx.sleep(1);
      const drawn = crypto.randomUUID();
      await fetch(ctx.baseUrl + "/two", { method: "POST", body: drawn });
      return before !== drawn;
    }`;
  const whole = await begin(code(DRAW));
  expect(await whole.outcome).toMatchObject({ result: true });
  const { rows, head } = cutAfter(whole.journal, "answer");
  const received = app.received.length;
  const again = await begin(code("null;"), { rows, head });
  expect(await again.outcome).toMatchObject({
    status: "failed",
    reason: "replay_diverged",
    message: "what it asked is missing",
  });
  expect(app.received.length).toBe(received);
});
