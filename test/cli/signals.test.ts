import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { open } from "node:fs/promises";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { afterAll, describe, expect, it } from "vitest";
import { main } from "../../src/cli/main.ts";
import type { Terminal } from "../../src/cli/ui/terminal.ts";
import { createSlipwayFolder, type SlipwayFolder, slipway, startSlipway } from "../support/slipway-process.ts";

const PLAIN = { version: 4, script: { version: "1.0.0" }, requirements: {}, app_values: {} };

describe("a signal", () => {
  const folder: SlipwayFolder = createSlipwayFolder({ "plain.json": PLAIN });
  afterAll(() => folder.remove());

  it.each(["SIGINT", "SIGTERM"] as const)("ends a command that has nothing to clean up: %s", async (signal) => {
    const pipe = join(folder.path, `${signal}.json`);
    execFileSync("mkfifo", [pipe]);
    const child = startSlipway(["plan", join(folder.catalog, "plain.json"), "--host-facts", pipe]);
    const ended = once(child, "exit");
    // Opens once the command has: it waits for the pipe's content from here on.
    const writer = await open(pipe, "w");
    child.kill(signal);
    expect(await ended).toEqual([null, signal]);
    await writer.close();
  });

  it("that comes before the engine is open begins nothing", async () => {
    const [stdout, stderr] = [new PassThrough(), new PassThrough()];
    const terminal: Terminal = { stdout, stderr, stdin: new PassThrough(), signal: AbortSignal.abort(), exitCode: 0 };
    await main(["install", "plain", ...folder.engine], terminal);
    expect([terminal.exitCode, String(stderr.read())]).toEqual([
      2,
      expect.stringContaining("error CLI_INTERRUPTED: interrupted before anything was begun"),
    ]);
    const { stdout: listed } = await slipway("tasks", "--db", folder.db, "--format", "json");
    expect(JSON.parse(listed)).toEqual({ tasks: [] });
  });
});
