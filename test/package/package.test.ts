import { execFile } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readPart } from "../../scripts/document-part.ts";
import { codeBlock } from "../support/document.ts";
import { DEMO_CATALOG } from "../support/engine/served-engine.ts";

const run = promisify(execFile);
const ROOT = fileURLToPath(new URL("../..", import.meta.url));

describe("the packed package in an empty folder", () => {
  const folder = mkdtempSync(join(tmpdir(), "slipway-package-"));

  beforeAll(async () => {
    const { stdout } = await run("npm", ["pack", "--silent", "--pack-destination", folder], { cwd: ROOT });
    const file = stdout.trim().split("\n").at(-1) ?? "";
    writeFileSync(join(folder, "package.json"), JSON.stringify({ name: "embedder", private: true, type: "module" }));
    await run("npm", ["install", "--ignore-scripts", "--no-audit", "--no-fund", join(folder, file)], { cwd: folder });
    cpSync(DEMO_CATALOG, join(folder, "catalog"), { recursive: true });
  }, 180_000);
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it("runs the README's embedding example, in at most 20 lines of code", async () => {
    const example = codeBlock(readPart({ file: "README.md", name: "embed" }));
    expect(example.split("\n").filter((line) => line.trim() !== "").length).toBeLessThanOrEqual(20);
    writeFileSync(join(folder, "embed.ts"), example);
    const { stdout } = await run(process.execPath, ["embed.ts"], { cwd: folder, timeout: 60_000 });
    expect(stdout.trim().split("\n")).toEqual([
      "Install Demo Notes COMPLETED",
      "  COMPLETED Waiting for Demo Notes",
      '  COMPLETED Created the notebook "Logbook"',
    ]);
  });

  it("carries its own programs built, and the licenses of what is bundled in", () => {
    const dist = join(folder, "node_modules", "slipway", "dist");
    for (const program of [
      "sandbox/child/child",
      "sandbox/compile/bundler/program",
      "src/adapters/script-io/sqlite-query-process",
    ]) {
      expect(existsSync(join(dist, `${program}.built.js`)), program).toBe(true);
    }
    const licenses = readFileSync(join(dist, "THIRD-PARTY-LICENSES.txt"), "utf8");
    for (const name of ["zod", "hono", "commander"]) expect(licenses).toContain(`${name}\n\n`);
  });

  it("has a command line", async () => {
    const command = join(folder, "node_modules", "slipway", "dist", "src", "cli", "bin.js");
    const { stdout } = await run(process.execPath, [command, "tasks", "--db", "slipway.db", "--format", "json"], {
      cwd: folder,
    });
    expect(JSON.parse(stdout)).toMatchObject({ tasks: [{ appId: "demo-notes", state: "COMPLETED" }] });
  });
});
