/** Row 6: what a script asks for and waits for is judged by what its entrypoint is sure to do. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createScriptCheck } from "../../src/adapters/catalog/file-check/script-check.ts";
import { createSourceReader } from "../../src/adapters/catalog/script-source.ts";
import { rawHook, rawScript } from "../support/scripts/scripts.ts";

let folder = "";
const reader = createSourceReader();
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "slipway-row6-"));
});
afterAll(async () => {
  await reader.rest();
  rmSync(folder, { recursive: true, force: true });
});

/** What is found in a hook that declares the input `name` and may run for 60 s, as code and the number in it. */
async function found(scriptContent: string, more: Record<string, unknown> = {}): Promise<readonly string[]> {
  const inputs = [{ type: "question", id: "name", question: { question: "Name?", type: "text", key: "name" } }];
  const script = JSON.parse(
    JSON.stringify(rawScript({ hooks: [rawHook({ scriptContent, inputs, timeout: 60, ...more })] })),
  );
  const { kept } = await createScriptCheck(folder, reader.read)(script);
  return kept.map(
    ({ code, message }) =>
      `${code} ${/"(?!connect)(\w+)", which|may wait (\d+)/.exec(message)?.slice(1).join("") ?? ""}`,
  );
}

const LONG = "{ retries: 40, initialDelayMs: 5000 }";
const asks = (id: string) => [`SCRIPT_INPUT_UNDECLARED ${id}`];

describe("a call an entrypoint is sure to make is judged", () => {
  it.each([
    ["written out", `ctx.getInput("gone");`],
    ["in a helper", `await helper(ctx);`],
    ["in a helper that is given the id", `await ask(ctx, "gone");`],
    ["with a constant", `ctx.getInput(GONE);`],
    ["taken out of the context", `const { getInput } = ctx; getInput("gone");`],
    ["in a callback of a helper", `await attempt(() => ctx.getInput("gone"));`],
    ["among others at once", `await Promise.all([ask(ctx, "name"), ask(ctx, "gone")]);`],
    ["behind a loop", `for (const a of []) { ctx.log(a); } ctx.getInput("gone");`],
  ])("%s", async (_, body) => {
    const source = `const GONE = "go" + "ne";
      async function helper(c) { c.log("x"); return c.getInput("gone"); }
      const ask = async (context, id) => context.getInput(id);
      const attempt = async (work) => { await work(); };
      export async function run(ctx) { ${body} }`;
    expect(await found(source)).toEqual(asks("gone"));
  });

  it("in the export that is the entrypoint, under whatever name", async () => {
    expect(await found(`async function main(ctx) { ctx.getInput("gone"); }\nexport { main as run };`)).toEqual(
      asks("gone"),
    );
    expect(await found(`export const run = async ({ getInput }) => getInput("gone");`)).toEqual(asks("gone"));
  });

  it("with options that are constants", async () => {
    const source = `const SECOND = 1000;
      const TRIES = 30;
      export async function run(ctx) {
        await ctx.waitForApp("/", { retries: TRIES, initialDelayMs: 5 * SECOND, maxDelayMs: 5 * SECOND });
      }`;
    expect(await found(source)).toEqual(["SCRIPT_WAIT_TOO_LONG 145"]);
    const object = `const OPTIONS = ${LONG};\nexport async function run(ctx) { try { await ctx.waitForApp("/", OPTIONS); } catch { ctx.log("no"); } }`;
    expect(await found(object)).toEqual([expect.stringMatching(/^SCRIPT_WAIT_TOO_LONG/)]);
  });
});

describe("nothing is said", () => {
  it.each([
    [
      "of another entrypoint of the same file",
      `export async function run(ctx) {}\nexport async function other(ctx) { ctx.getInput("gone"); await ctx.waitForApp("/", ${LONG}); }`,
    ],
    ["of a function nobody calls", `function helper(ctx) { ctx.getInput("gone"); }\nexport async function run(ctx) {}`],
    [
      "of what depends on the event",
      `export async function run(ctx) { if (ctx.event === "userAction") ctx.getInput("gone"); }`,
    ],
    [
      "of what comes behind a return",
      `export async function run(ctx) { if (!("gone" in ctx.inputs)) return; ctx.getInput("gone"); }`,
    ],
    [
      "of what is caught",
      `export async function run(ctx) { let name = ""; try { name = ctx.getInput("gone"); } catch { name = "x"; } ctx.log(name); }`,
    ],
    [
      "of either side of a choice",
      `export async function run(ctx) { const a = ctx.event ? ctx.getInput("gone") : null; const b = a ?? ctx.getInput("gone"); }`,
    ],
    [
      "of another object's getInput",
      `const form = { getInput: (id) => id };\nexport async function run(ctx) { form.getInput("gone"); }`,
    ],
    [
      "of an id that can't be told",
      `export async function run(ctx) { let id = "gone"; ctx.getInput(id); ctx.getInput(ctx.event); }`,
    ],
    [
      "of a name that hides a constant",
      `const ID = "gone";\nexport async function run(ctx) { for (const ID of ["name"]) ctx.getInput(ID); ask(ctx, "name"); }\nfunction ask(ctx, ID) { ctx.getInput(ID); }`,
    ],
    [
      "of options that can't be told",
      `export async function run(ctx) { const tries = ctx.inputs.tries; await ctx.waitForApp("/", { retries: tries }); await ctx.waitForApp("/", { ...ctx.inputs }); }`,
    ],
    [
      "of few tries by a constant",
      `const TRIES = 5;\nexport async function run(ctx) { await ctx.waitForApp("/", { retries: TRIES }); }`,
    ],
    [
      "of functions that call each other for ever",
      `function a(ctx) { b(ctx); }\nfunction b(ctx) { a(ctx); }\nexport async function run(ctx) { a(ctx); a(ctx); }`,
    ],
  ])("%s", async (_, source) => {
    expect(await found(source)).toEqual([]);
  });

  it("of a text that takes too long to follow", async () => {
    const steps = Array.from({ length: 40 }, (_, n) => `function f${n}(ctx) { ${`f${n + 1}(ctx);`.repeat(5)} }`).join(
      "\n",
    );
    const source = `const a0 = "xxxxxxxxxxxxxxxxxxxx";\n${Array.from({ length: 60 }, (_, n) => `const a${n + 1} = a${n} + a${n};`).join("\n")}\n${steps}\nfunction f40(ctx) {}\nexport async function run(ctx) { f0(ctx); ctx.getInput(a60); }`;
    expect(await found(source)).toEqual([]);
  });
});
