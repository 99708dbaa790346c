/** Lines of scripts that trials came to: what is counted, and that counting changes nothing. */
import { runInNewContext } from "node:vm";
import { expect, it } from "vitest";
import { instrument, TOLD } from "../../src/check/lines/instrument.ts";
import { LineCount } from "../../src/check/lines/line-count.ts";
import { rawApp, rawInstallHook } from "../support/check/apps.ts";
import { playApp, readOne, worlds } from "../support/check/play.ts";
import { useTestFolder } from "../support/test-folder.ts";

const folder = useTestFolder();

const HOOK = `import { save } from "./shared.ts";
import type { HookContext } from "slipway/hook-api";

/** Never called by the hook. */
export function unused() {
  return 1;
}

export async function run(ctx: HookContext): Promise<void> {
  console.log("of the author");
  const answer = await fetch(ctx.baseUrl + "/api").catch(() =>
    ctx.fail("No answer"),
  );
  if (answer.status === 404) {
    ctx.log("gone");
    ctx.fail("Gone");
  } else
    await save(ctx);
  for (let at = 0; at < 2; at += 1)
    if (at > 5)
      ctx.fail("Too many");
}
`;
const SHARED = `export async function save(ctx) {
  const twice = (n) => n * 2;
  if (twice(2) === 4) return;
  ctx.fail("Not twice");
}
`;

it("lines not reached are told by the author's own files and numbers", async () => {
  const hooks = [rawInstallHook("", { scriptContent: undefined, script: "app/hook.ts" })];
  folder.write("app.json", rawApp({ hooks }));
  folder.write("app/hook.ts", HOOK);
  folder.write("app/shared.ts", SHARED);
  folder.write("standin/app.json", [{ path: "/api" }]);
  const { level, coverage } = await playApp(folder.path, "app", 4);
  const missed = ["app/hook.ts:12", "app/hook.ts:15-16", "app/hook.ts:21", "app/shared.ts:4"];
  expect([level, coverage.find(({ of }) => of === "lines")?.missed.toSorted()]).toEqual([4, missed]);
});

it("a script's own log lines are as without counting", async () => {
  folder.write("app.json", rawApp({ hooks: [rawInstallHook(SHOWN)] }));
  const { dictionary, ...subject } = await readOne(folder.path, "app");
  if (dictionary === null) throw new Error("the script is refused");
  const logOf = async (lines?: LineCount) => {
    const world = await worlds.open({ ...subject, dictionary }, { answers: [] }, lines === undefined ? {} : { lines });
    try {
      const { id } = await world.engine.install("app");
      const { children } = await world.engine.settled(id);
      return children.map((child) => world.engine.log(child.id).map(({ line }) => line));
    } finally {
      await world.close();
    }
  };
  const lines = new LineCount();
  const counted = await logOf(lines);
  expect(counted).toEqual(await logOf());
  expect(counted.flat()).toContain("two");
  expect(lines.coverage()).toMatchObject({ reached: 3, all: 3 });
});

const SHOWN = `export async function run(ctx) {
  console.log("one");
  await ctx.sleep(1);
  ctx.log("two");
}`;

it.each([
  [
    "if and else without braces",
    "(a) => { if (a > 1) return 'many'; else if (a > 0) return 'one'; else return 'none'; }",
  ],
  [
    "loops",
    "(a) => { let s = 0; for (let i = 0; i < a; i++) s += i; for (const k in {x: 1}) s += k.length; while (s < 9) s++; do s--; while (s > 5); for (const v of [1]) if (v) s += v; return s; }",
  ],
  [
    "labels",
    "(a) => { let s = 0; outer: for (;;) { for (;;) { if (s++ > a) break outer; continue outer; } } return s; }",
  ],
  ["switch", "(a) => { switch (a) { case 0: return 'z'; case 1: { return 'o'; } default: const b = a; return b; } }"],
  ["arrows", "(a) => [1, 2].map((n) => ({ n: n + a })).map(({ n }) => () => n).map((f) => f())"],
  [
    "try",
    "(a) => { try { if (a) throw new Error('x'); return 1; } catch (e) { return e.message; } finally { a = 2; } }",
  ],
  [
    "directives and hoisting",
    "(a) => { 'use strict'; return later(a); function later(n) { 'use strict'; return n + 1; } }",
  ],
  [
    "classes",
    "(a) => { class A { #n = a; static s = 2; get n() { return this.#n; } } return [new A().n, A.s, A.name]; }",
  ],
  ["generators", "(a) => { function* g() { for (let i = 0; i <= a; i++) yield i; } return [...g()]; }"],
  [
    "names of functions",
    "(a) => { const named = () => a; const other = function () {}; return [named.name, other.name]; }",
  ],
])("%s give the same, on the same lines", async (_name, source) => {
  const code = `var made = (() => {\n  return ${source};\n})();`;
  const told: string[] = [];
  const play = (text: string, argument: number): unknown =>
    runInNewContext(`"use strict"; ${text}\nmade(argument)`, {
      argument,
      console: { log: (line: string) => told.push(line) },
    });
  const instrumented = instrument(code);
  if (instrumented === null) throw new Error("not instrumented");
  for (const argument of [0, 1, 2]) expect(play(instrumented.code, argument)).toEqual(play(code, argument));
  expect(instrumented.code.split("\n").length).toBe(code.split("\n").length);
  await expect.poll(() => told.length).toBe(3);
  expect(told.every((line) => line.startsWith(TOLD))).toBe(true);
});

it.each([
  ["too long", `//${"x".repeat(600_000)}`],
  ["nested too deeply", `(() => () => ${"(".repeat(200_000)}1${")".repeat(200_000)})`],
  ["not JavaScript", "var a = ;"],
])("a script that is %s is left as it is", (_name, code) => {
  expect(instrument(code)).toBeNull();
});
