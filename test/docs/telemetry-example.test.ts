/** The program and the commands of docs/operating.md that show traces and metrics without a collector, run as they stand there. */
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, expect, it } from "vitest";
import { z } from "zod";
import { readPart } from "../../scripts/documents/document-part.ts";
import { readReady } from "../../src/standin/ready.ts";
import { codeBlock } from "../support/document.ts";
import { DEMO_CATALOG } from "../support/engine/served-engine.ts";
import { mainScript, untilOutput } from "../support/slipway-process.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

const Line = z.object({
  traceId: z.string(),
  spanId: z.string(),
  parentId: z.string(),
  name: z.string(),
  attributes: z.record(z.string(), z.unknown()),
});
const Served = z.object({ url: z.string(), metrics: z.string() });

const folder = createEmbedderFolder();
afterAll(() => {
  const pid = readReady(join(folder, "slipway.db.standin"))?.pid;
  if (pid !== undefined) process.kill(pid, "SIGTERM");
  rmSync(folder, { recursive: true });
});

/** A folder as an embedder has it, with the demo's catalog. Its `slipway` leads to the sources: Node strips no types in node_modules. */
function createEmbedderFolder(): string {
  const path = mkdtempSync(join(tmpdir(), "slipway-traced-"));
  const slipway = join(path, "node_modules", "slipway");
  mkdirSync(slipway, { recursive: true });
  writeFileSync(join(slipway, "package.json"), JSON.stringify({ type: "module", exports: "./index.js" }));
  writeFileSync(join(slipway, "index.js"), `export * from ${JSON.stringify(join(ROOT, "src/index.ts"))};\n`);
  symlinkSync(join(ROOT, "node_modules/@opentelemetry"), join(path, "node_modules/@opentelemetry"));
  cpSync(DEMO_CATALOG, join(path, "catalog"), { recursive: true });
  return path;
}

/** The lines of a code block of the page. */
function linesOf(name: string): readonly string[] {
  return codeBlock(readPart({ file: "docs/operating.md", name }))
    .trim()
    .split("\n");
}

/** Every line of an indented tree after those it stands below, without durations: `task install > turn xstate.init`. */
function listTreePaths(lines: readonly string[]): readonly string[] {
  const above: string[] = [];
  return lines.flatMap((line) => {
    const [, indent = "", name = ""] = /^((?: {2})*)(.+?)(?: {2}\d+ ms)?$/.exec(line) ?? [];
    above.splice(indent.length / 2, above.length, name);
    return name === "..." ? [] : [above.join(" > ")];
  });
}

it("the program prints the trace of an install, each span below what it belongs to", async () => {
  writeFileSync(join(folder, "trace-install.ts"), `${linesOf("trace-program").join("\n")}\n`);
  const { stdout } = await promisify(execFile)(process.execPath, ["trace-install.ts"], { cwd: folder });
  const printed = listTreePaths(stdout.trimEnd().split("\n"));
  expect(printed).toEqual(expect.arrayContaining([...listTreePaths(linesOf("trace-output"))]));

  const spans = readFileSync(join(folder, "spans.jsonl"), "utf8").trim().split("\n");
  const lines = spans.map((line) => Line.parse(JSON.parse(line)));
  expect(printed).toHaveLength(lines.length);
  expect(new Set(lines.map(({ traceId }) => traceId)).size).toBe(1);
  const pathOf = ({ name, parentId }: z.infer<typeof Line>): string => {
    const parent = lines.find(({ spanId }) => spanId === parentId);
    return parent === undefined ? name : `${pathOf(parent)} > ${name}`;
  };
  expect(lines.map(pathOf).toSorted()).toEqual(printed.toSorted());
  const install = "task install";
  const hook = `${install} > task hook`;
  expect(printed).toEqual(
    expect.arrayContaining([
      install,
      `${install} > turn xstate.init`,
      `${install} > effect host.app.create`,
      `${install} > effect host.app.create > createApp`,
      `${install} > effect host.app.create > waitJob`,
      hook,
      `${hook} > effect hook.run`,
      `${hook} > effect hook.run > hook run`,
      `${hook} > turn run.completed`,
      `${hook} > task checkpoint > turn script.completed`,
    ]),
  );
  const run = lines.find(({ name }) => name === "hook run");
  expect(run?.attributes).toMatchObject({ "slipway.app.id": "demo-notes", "slipway.run.end": "completed" });
});

it("the commands print the metrics of a restart of what the program installed", async () => {
  const [serve = "", , post = "", scrape = ""] = linesOf("metrics-commands");
  expect(serve).toMatch(/^npx slipway serve .*--metrics$/);
  // Both ports may be taken here, so others are listened on than those of the page.
  const options = [...serve.replace("npx slipway ", "").split(" "), "0", "--listen", "127.0.0.1:0"];
  const served = spawn(process.execPath, [mainScript(), ...options], {
    cwd: folder,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const exited = once(served, "exit");
  try {
    const line = /\{"url".*\}/.exec(await untilOutput(served, /\{"url":.*\}\n/))?.[0] ?? "";
    const { url, metrics } = Served.parse(JSON.parse(line));
    const [, posted = ""] = /^curl -X POST http:\/\/127\.0\.0\.1:8765(\S+)$/.exec(post) ?? [];
    expect((await fetch(`${url}${posted}`, { method: "POST" })).status).toBe(202);
    const [, pattern = ""] = /^curl -s http:\/\/127\.0\.0\.1:9464\/metrics \| grep -E '(.+)'$/.exec(scrape) ?? [];
    const wanted = new RegExp(pattern);
    const print = async () => (await (await fetch(metrics)).text()).split("\n").filter((one) => wanted.test(one));
    // How large the file is, and whether a process waits warm, is its own affair.
    const stable = (lines: readonly string[]) =>
      lines.map((one) => one.replace(/^(slipway_(?:database_size|sandbox_children)) \d+$/, "$1 N")).toSorted();
    const shown = stable(linesOf("metrics-output"));
    expect(shown).toContainEqual(expect.stringMatching(/^slipway_task_ended_total.*"restart".* 1$/));
    // What there was of the task while it went on is told as none since.
    const told = async () => stable(await print()).filter((one) => !/^slipway_task_count.* 0$/.test(one));
    await expect.poll(told).toEqual(shown);
  } finally {
    served.kill("SIGTERM");
    await exited;
  }
});
