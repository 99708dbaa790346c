/** `backup` beside a running engine, `restore` after it was killed, on the embedded host. */
import { existsSync, readdirSync } from "node:fs";
import { userInfo } from "node:os";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { afterAll, describe, expect, it } from "vitest";
import { main } from "../../src/cli/main.ts";
import { rawApp, rawSetup } from "../support/scripts/bad-scripts.ts";
import {
  createSlipwayFolder,
  errorOf,
  type SlipwayFolder,
  slipway,
  startSlipway,
  taskOf,
  untilOutput,
} from "../support/slipway-process.ts";

const SLOW = `export async function run() {\n  await new Promise((resolve) => setTimeout(resolve, 50_000));\n}`;

describe("a backup", () => {
  const folder: SlipwayFolder = createSlipwayFolder({
    "slow.json": rawApp("slow", { hooks: [rawSetup({ scriptContent: SLOW })] }),
  });
  afterAll(() => folder.remove());
  const db = ["--db", folder.db, "--format", "json"] as const;
  const backup = join(folder.path, "backup.db");

  it("made while an engine works is restored once that is gone; what was under way waits for a person", async () => {
    const owner = startSlipway(["install", "slow", ...folder.engine]);
    await untilOutput(owner, "Set up: RUNNING");
    const [made, refused] = [await slipway("backup", backup, ...db), await slipway("restore", backup, ...db)];
    expect(JSON.parse(made.stdout)).toMatchObject({ file: backup, tasks: 1, unfinished: 1 });
    expect([refused.exitCode, errorOf(refused).code]).toEqual([2, "STORE_LOCKED"]);
    owner.kill("SIGKILL");
    await new Promise((resolve) => owner.once("close", resolve));

    const restored = await slipway("restore", backup, "--db", folder.db);
    expect(restored).toMatchObject({ exitCode: 0, stderr: "" });
    expect(restored.stdout).toContain(`The database before it is kept as ${folder.db}.before-`);
    const { tasks } = JSON.parse((await slipway("tasks", ...db)).stdout);
    const [{ id, children }] = tasks;
    const skipped = taskOf(await slipway("skip", id, ...folder.engine, "--format", "json"));
    expect(skipped).toMatchObject({ id, state: "COMPLETED", children: [{ id: children[0].id, state: "SKIPPED" }] });
    const { entries } = JSON.parse((await slipway("audit", ...db)).stdout);
    const actor = { id: `uid ${process.getuid?.()}`, name: userInfo().username, how: "CLI" };
    expect(entries).toMatchObject([
      { method: "skip", actor, taskId: children[0].id },
      { method: "install", actor, taskId: id, appId: "slow" },
    ]);
    const { stdout } = await slipway("audit", "--app", "slow", "--limit", "1", "--db", folder.db);
    expect(stdout).toBe(`2  ${entries[0].at}  ${actor.name} (CLI, ${actor.id})  skip slow ${children[0].id}\n`);
  });

  it("that is interrupted keeps nothing", async () => {
    const [stdout, stderr] = [new PassThrough(), new PassThrough()];
    const other = join(folder.path, "other.db");
    const terminal = { stdout, stderr, stdin: new PassThrough(), signal: AbortSignal.abort(), exitCode: 0 } as const;
    await main(["backup", other, "--db", folder.db], { ...terminal });
    expect(String(stderr.read())).toContain("error CLI_INTERRUPTED: interrupted: no backup was kept");
    expect([existsSync(other), readdirSync(folder.path).filter((name) => name.includes("partial"))]).toEqual([
      false,
      [],
    ]);
  });
});
