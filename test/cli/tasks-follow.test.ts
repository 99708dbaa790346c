import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { rawApp, rawSetup } from "../support/scripts/bad-scripts.ts";
import {
  createSlipwayFolder,
  endOf,
  type SlipwayFolder,
  slipway,
  startSlipway,
  untilOutput,
} from "../support/slipway-process.ts";

const SETUP = rawSetup({ scriptContent: "export async function run() {}" });

describe("slipway tasks --follow", () => {
  const folder: SlipwayFolder = createSlipwayFolder({
    "first.json": rawApp("first"),
    "second.json": rawApp("second", { hooks: [SETUP] }),
    "third.json": rawApp("third"),
  });
  beforeAll(async () => {
    await folder.standin();
    expect((await slipway("install", "first", ...folder.engine)).exitCode).toBe(0);
  });
  afterAll(() => folder.remove());

  it("lists what the database holds, then shows every change its owner commits, each once", async () => {
    const child = startSlipway(["tasks", "--follow", "--db", folder.db, "--format", "json"]);
    const listed = untilOutput(child, '"seq":');
    const ended = untilOutput(child, /"task":\{"id":"[^"~]+","kind":"install","appId":"second","state":"COMPLETED"/);
    const whole = endOf(child);
    await listed;
    expect((await slipway("install", "second", ...folder.engine)).exitCode).toBe(0);
    await ended;
    child.kill("SIGINT");
    const { exitCode, stdout } = await whole;
    expect(exitCode).toBe(0);
    const [list, ...changes] = stdout
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(list.tasks.map(({ appId }: { appId: string }) => appId)).toEqual(["first"]);
    const seqs = changes.map(({ seq }) => seq);
    expect(seqs).toEqual(seqs.map((_, index) => list.seq + 1 + index));
    expect(changes.filter(({ task }) => task.hookId === "setup").length).toBeGreaterThan(2);
  });

  it("follows one app of a running service, as lines", async () => {
    const served = startSlipway(["serve", ...folder.engine, "--listen", "127.0.0.1:0"]);
    const { url } = JSON.parse((await untilOutput(served, /\{"url":.*\}\n/)).match(/\{"url".*\}/)?.[0] ?? "");
    onTestFinished(() => void served.kill("SIGTERM"));
    const service = ["--api", url, "--db", folder.db];
    const child = startSlipway(["tasks", "--follow", "--app", "first", "--limit", "1", ...service]);
    const followed = untilOutput(child, /Update .*: COMPLETED/);
    const whole = endOf(child);
    await untilOutput(child, "Install");
    const authorization = `Bearer ${readFileSync(`${folder.db}.token`, "utf8").trim()}`;
    for (const path of ["third/install", "first/update"]) {
      const { status } = await fetch(`${url}/api/apps/${path}`, { method: "POST", headers: { authorization } });
      expect([path, status]).toEqual([path, 202]);
    }
    await followed;
    child.kill("SIGINT");
    const { exitCode, stdout } = await whole;
    expect(exitCode).toBe(0);
    expect(stdout).not.toMatch(/third/i);
  });
});
