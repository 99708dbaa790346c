/** `slipway check --watch`: what a changed file touches is checked again, and nothing else. */
import { once } from "node:events";
import { mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { z } from "zod";
import { rawApp, rawInstallHook } from "../support/check/apps.ts";
import { runCommand } from "../support/command-line.ts";
import { isAlive, listDescendants } from "../support/descendants.ts";
import { rawHook, rawScript } from "../support/scripts/scripts.ts";
import { endOf, startSlipway, untilOutput } from "../support/slipway-process.ts";
import { CTRL_C, hasTerminal, openTerminal } from "../support/terminal-session.ts";
import { useTestFolder } from "../support/test-folder.ts";

const folder = useTestFolder();
const catalog = () => join(folder.path, "catalog");
const write = (name: string, content: unknown) => folder.write(join("catalog", name), content);

/** Saves in one step, as a busy machine may rest between those of another save for longer than between two saves. */
function save(name: string, content: unknown): void {
  mkdirSync(dirname(join(catalog(), name)), { recursive: true });
  renameSync(folder.write("saved", content), join(catalog(), name));
}

const Line = z.union([
  z.object({ appId: z.string(), level: z.number() }),
  z.object({ removed: z.string() }),
  z.object({ summary: z.object({ apps: z.number(), reached: z.number(), failed: z.number() }) }),
]);
type Told = z.infer<typeof Line>;

/** A check that goes on; `rest` gives what it told until it waited for changes again. */
function startWatch(...args: readonly string[]) {
  const child = startSlipway(["check", "--catalog", catalog(), "--watch", "--format", "json", ...args]);
  onTestFinished(() => void child.kill("SIGKILL"));
  const ended = once(child, "exit");
  const lines: Told[] = [];
  let rest = "";
  child.stdout.on("data", (chunk: Buffer) => {
    const parts = (rest + chunk).split("\n");
    rest = parts.pop() ?? "";
    lines.push(...parts.map((line) => Line.parse(JSON.parse(line))));
  });
  return {
    child,
    ended,
    lines,
    async rest(): Promise<readonly Told[]> {
      await expect.poll(() => lines.findIndex((line) => "summary" in line)).not.toBe(-1);
      return lines.splice(0, lines.findIndex((line) => "summary" in line) + 1);
    },
    async end(): Promise<unknown> {
      child.kill("SIGINT");
      return (await ended)[0];
    },
  };
}

const report = (appId: string, level: number) => expect.objectContaining({ appId, level });
const summary = (apps: number, reached: number) => ({ summary: { apps, reached, failed: apps - reached } });

it("checks what a saved file touches, however it is saved", async () => {
  const hook = rawHook({ scriptContent: undefined, script: "a/set-up.ts" });
  write("a/shared.ts", "export const one = 1;");
  write("a/set-up.ts", 'import { one } from "./shared";\nexport async function run() { return one; }');
  write("a.json", rawScript({ hooks: [hook] }));
  write("b.json", rawScript());
  const watch = startWatch("--level", "2", "--jobs", "1");
  expect(await watch.rest()).toEqual([report("a", 2), report("b", 2), summary(2, 2)]);

  save("b.json", rawScript({ app_values: { v: "$NONE(1)" } }));
  expect(await watch.rest()).toEqual([report("b", 0), summary(2, 1)]);
  // as editors do that keep what was there until all is written
  const swap = write(".b.json.swp", rawScript());
  renameSync(swap, join(catalog(), "b.json"));
  expect(await watch.rest()).toEqual([report("b", 2), summary(2, 2)]);

  save("a/shared.ts", "export const two = 2;");
  expect(await watch.rest()).toEqual([report("a", 0), summary(2, 1)]);
  save("a/shared.ts", "export const one = 2;");
  expect(await watch.rest()).toEqual([report("a", 2), summary(2, 2)]);
  save("standin/b.json", []);
  expect(await watch.rest()).toEqual([report("b", 2), summary(2, 2)]);
  save("a.check.json", { scenarios: [] });
  expect(await watch.rest()).toEqual([report("a", 2), summary(2, 2)]);
  save("a.check.ts", 'import "./a-names";');
  expect(await watch.rest()).toEqual([report("a", 2), summary(2, 2)]);
  save("a-names.ts", "export const name = 1;");
  expect(await watch.rest()).toEqual([report("a", 2), summary(2, 2)]);

  save("c.json", rawScript());
  expect(await watch.rest()).toEqual([report("c", 2), summary(3, 3)]);
  rmSync(join(catalog(), "b.json"));
  expect(await watch.rest()).toEqual([{ removed: "b" }, summary(2, 2)]);
  save("README.md", "nobody's");
  save("c.json", rawScript());
  expect(await watch.rest()).toEqual([report("c", 2), summary(2, 2)]);
  expect(await watch.end()).toBe(0);
});

it("a script in a folder that comes later, and one that was missing, are found", async () => {
  write("a.json", rawScript({ hooks: [rawHook({ scriptContent: undefined, script: "late/set-up.ts" })] }));
  const watch = startWatch("--level", "2");
  expect(await watch.rest()).toEqual([report("a", 0), summary(1, 0)]);
  save("late/set-up.ts", "export async function run() {}");
  expect(await watch.rest()).toEqual([report("a", 2), summary(1, 1)]);
  save("late/set-up.ts", "export async function walk() {}");
  expect(await watch.rest()).toEqual([report("a", 0), summary(1, 0)]);
  expect(await watch.end()).toBe(0);
});

it("a burst of saves is one run, and a change while an app is played begins it anew", async () => {
  const hangs = rawInstallHook("export async function run() { await new Promise(() => {}); }");
  write("slow.json", rawApp({ hooks: [hangs] }));
  write("standin/slow.json", []);
  const watch = startWatch("--level", "4", "--jobs", "1", "--limit", "600");
  const { child } = watch;
  // the sandbox's child is there: the hook is being run
  await expect.poll(() => listDescendants(child.pid ?? 0).length).toBeGreaterThan(0);
  const saves = Array.from({ length: 50 }, (_, at) => folder.write(`saves/${at}`, rawApp({ hooks: [] })));
  for (const file of saves) renameSync(file, join(catalog(), "slow.json"));
  expect(await watch.rest()).toEqual([report("slow", 4), summary(1, 1)]);
  expect(await watch.end()).toBe(0);
  expect(watch.lines).toEqual([]);
});

it("Ctrl-C in the middle ends everything at once", async () => {
  const hangs = rawInstallHook("export async function run(ctx) { ctx.log('on'); await new Promise(() => {}); }");
  for (const [index, appId] of ["a", "b"].entries()) {
    const port = 30111 + index;
    const network = { web_port: { bind_mode: "published", port_number: port } };
    write(`${appId}.json`, rawApp({ hooks: [hangs], requirements: { ports: [port] }, app_values: { network } }));
    write(`standin/${appId}.json`, []);
  }
  const { child, ended } = startWatch("--level", "4", "--limit", "600");
  await expect.poll(() => listDescendants(child.pid ?? 0).length).toBeGreaterThan(1);
  const started = listDescendants(child.pid ?? 0);
  child.kill("SIGINT");
  expect(await ended).toEqual([0, null]);
  await expect.poll(() => started.filter(isAlive)).toEqual([]);
});

it("without a terminal it prints apps as they end, then that it waits", async () => {
  write("good.json", rawScript());
  const child = startSlipway(["check", "--catalog", catalog(), "--watch", "--level", "2"]);
  const ended = endOf(child);
  await untilOutput(child, "1 app, 1 at level 2 or above; waiting for changes\n");
  // in two steps: the first leaves nothing in it
  const changed = untilOutput(child, "1 app, 0 at level 2 or above; waiting for changes\n");
  write("good.json", "[]");
  await changed;
  child.kill("SIGTERM");
  expect(await ended).toMatchObject({
    exitCode: 0,
    stderr: "",
    stdout: expect.stringMatching(/^✓ good 1\.0\.0: level 2 .*\n.*\n✗ good: level 0 /),
  });
});

it.skipIf(!hasTerminal)("in a terminal the table stays, and Ctrl-C leaves it standing", async () => {
  write("good.json", rawScript());
  const session = openTerminal(["check", "--catalog", catalog(), "--watch", "--level", "2"]);
  await session.answer("waiting for changes", "");
  write("bad.json", "{");
  await session.answer("2 apps, 1 at level 2 or above; waiting for changes", CTRL_C);
  const { exitCode, shown } = await session.end();
  expect(exitCode).toBe(0);
  expect(shown).toMatch(/✗ bad: level 0 [\s\S]*✓ good 1\.0\.0: level 2 /);
});

it("a catalog that goes away ends it with a clear line", async () => {
  write("good.json", rawScript());
  const child = startSlipway(["check", "--catalog", catalog(), "--watch", "--level", "2"]);
  const ended = endOf(child);
  await untilOutput(child, "waiting for changes");
  renameSync(catalog(), join(folder.path, "elsewhere"));
  expect(await ended).toMatchObject({ exitCode: 2, stderr: expect.stringContaining("error CATALOG_UNREADABLE: ") });
});

it("a folder that comes in the catalog's place is read anew", async () => {
  write("good.json", rawScript());
  const watch = startWatch("--level", "2");
  await watch.rest();
  const next = join(folder.path, "next");
  mkdirSync(next);
  writeFileSync(join(next, "other.json"), JSON.stringify(rawScript()));
  rmSync(catalog(), { recursive: true });
  renameSync(next, catalog());
  await expect.poll(() => watch.lines).toEqual(expect.arrayContaining([{ removed: "good" }, report("other", 2)]));
  await watch.rest();
  write("other.json", "{");
  await expect.poll(() => watch.lines).toEqual(expect.arrayContaining([report("other", 0)]));
  expect(await watch.end()).toBe(0);
});

it.each([
  [["--format", "junit"], "--watch shows a table"],
  [["--format", "json", "--out", "report"], "it writes no file"],
  [["none"], 'has no app "none"'],
])("refuses %j", async (args, message) => {
  write("good.json", rawScript());
  expect(await runCommand("check", "--catalog", catalog(), "--watch", ...args)).toMatchObject({
    exitCode: 2,
    stdout: args[1] === "json" ? expect.stringContaining(message) : "",
    stderr: args[1] === "json" ? "" : expect.stringContaining(message),
  });
});

it("a catalog that is not there is refused", async () => {
  expect(await runCommand("check", "--catalog", join(folder.path, "none"), "--watch")).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining("error CATALOG_UNREADABLE: "),
  });
});
