import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { rawApp, rawQuestion, rawSetup } from "../support/scripts/bad-scripts.ts";
import {
  createSlipwayFolder,
  endOf,
  errorOf,
  type SlipwayFolder,
  slipway,
  startSlipway,
  taskOf,
  untilOutput,
} from "../support/slipway-process.ts";

const FAILS = `export async function run(ctx) {
  if (ctx.getInput("go") !== "on") ctx.fail("nobody said on");
}`;
const waits = (ms: number): string =>
  `export async function run() {\n  await new Promise((resolve) => setTimeout(resolve, ${ms}));\n}`;
const GO = [{ id: "go", type: "question", question: rawQuestion("go", "text") }];

describe("a second process", () => {
  const folder: SlipwayFolder = createSlipwayFolder({
    "fails.json": rawApp("fails", { hooks: [rawSetup({ inputs: GO, scriptContent: FAILS })] }),
    "slow.json": rawApp("slow", { hooks: [rawSetup({ scriptContent: waits(50_000) })] }),
    "brief.json": rawApp("brief", { hooks: [rawSetup({ scriptContent: waits(2000) })] }),
    "plain.json": rawApp("plain"),
  });
  beforeAll(async () => {
    await folder.standin();
  });
  afterAll(() => folder.remove());

  const run = (...args: readonly string[]) => slipway(...args, ...folder.engine, "--format", "json");
  const values = (go: string): string => folder.write("values.json", { go });

  it("takes a task that waits for a person to its end: input, retry with other values, skip", async () => {
    const installed = await run("install", "fails");
    expect(installed).toMatchObject({ exitCode: 3, stderr: "" });
    const { id, children } = taskOf(installed);
    expect(children[0]).toMatchObject({ state: "AWAITING_INPUT", waitingFor: { kind: "person" } });

    const wrong = await run("input", id, "--values", values("off"));
    expect(wrong.exitCode).toBe(3);
    expect(taskOf(wrong).children[0]).toMatchObject({
      state: "AWAITING_RETRY",
      failure: { message: "nobody said on" },
    });

    const { revision } = taskOf(wrong).children[0] ?? {};
    const stale = await run("skip", id, "--revision", String(Number(revision) - 1));
    expect(stale.exitCode).toBe(1);
    expect(errorOf(stale)).toMatchObject({ code: "TASK_DECISION_STALE", state: "AWAITING_RETRY", revision });

    const again = await run("retry", id);
    expect(again.exitCode).toBe(3);
    expect(taskOf(again).children[0]).toMatchObject({ state: "AWAITING_RETRY" });

    const right = await run("input", id, "--values", values("on"));
    expect(right).toMatchObject({ exitCode: 0, stderr: "" });
    expect(taskOf(right)).toMatchObject({ id, state: "COMPLETED", progress: 100, children: [{ state: "COMPLETED" }] });
  });

  it("reads the tasks of a running owner, and is told who it is when it wants to write", async () => {
    const owner = startSlipway(["install", "slow", ...folder.engine]);
    await untilOutput(owner, "Set up: RUNNING");
    const [listed, refused] = await Promise.all([
      slipway("tasks", "--db", folder.db, "--format", "json"),
      run("install", "plain"),
    ]);
    const { tasks } = JSON.parse(listed.stdout);
    expect(tasks[0]).toMatchObject({ appId: "slow", state: "RUNNING" });
    const shown = await slipway("task", tasks[0].id, "--db", folder.db, "--format", "json");
    expect(taskOf(shown)).toMatchObject({ id: tasks[0].id, children: [{ hookId: "setup" }] });

    expect(refused.exitCode).toBe(2);
    expect(errorOf(refused)).toMatchObject({
      code: "STORE_LOCKED",
      message: `database "${folder.db}" is in use by process ${owner.pid} ("slipway install")`,
      pid: owner.pid,
      command: "slipway install",
    });
    owner.kill("SIGTERM");
    expect((await endOf(owner)).exitCode).toBe(2);
    const cancelled = await run("cancel", tasks[0].id);
    expect(cancelled).toMatchObject({ exitCode: 0, stderr: "" });
    expect(taskOf(cancelled)).toMatchObject({ state: "CANCELLED" });
  });

  it("goes on with a task whose command was interrupted", async () => {
    const first = startSlipway(["install", "brief", ...folder.engine]);
    await untilOutput(first, "Set up: RUNNING");
    first.kill("SIGINT");
    const interrupted = await endOf(first);
    expect(interrupted.exitCode).toBe(2);
    expect(interrupted.stderr).toMatch(/^error CLI_INTERRUPTED: interrupted while task "\w+" was running\n {2}hint: /);

    const { tasks } = JSON.parse((await slipway("tasks", "--db", folder.db, "--format", "json")).stdout);
    expect(tasks[0]).toMatchObject({ appId: "brief", state: "RUNNING" });
    const resumed = await run("retry", tasks[0].id);
    expect(resumed.exitCode).toBe(0);
    expect(taskOf(resumed)).toMatchObject({ state: "COMPLETED", children: [{ state: "COMPLETED" }] });
  });

  it("goes on with a task whose process was killed", async () => {
    const id = await killed("plain");
    const resumed = await run("retry", id);
    expect(resumed.exitCode).toBe(0);
    expect(taskOf(resumed)).toMatchObject({ id, state: "COMPLETED" });
    expect(folder.traces().apps.filter((name) => name === "plain")).toEqual(["plain"]);
  });

  it("a reader that ends early is no error", async () => {
    const child = startSlipway(["tasks", "--db", folder.db, "--format", "json"]);
    child.stdout.destroy();
    const exit = await new Promise<number | null>((resolve) => child.once("close", resolve));
    expect(exit).toBe(0);
  });

  /** Starts an install and kills its process in the host's job; gives the task's id. */
  async function killed(appId: string): Promise<string> {
    const child = startSlipway(["install", appId, ...folder.engine]);
    await untilOutput(child, "waits for host");
    child.kill("SIGKILL");
    await new Promise((resolve) => child.once("close", resolve));
    const { tasks } = JSON.parse((await slipway("tasks", "--db", folder.db, "--format", "json")).stdout);
    return tasks[0].id;
  }

  describe("beside a running service", () => {
    it("reads and decides over --api, with the errors of the engine", async () => {
      const served = startSlipway(["serve", ...folder.engine, "--listen", "127.0.0.1:0"]);
      const { url } = JSON.parse((await untilOutput(served, /\{"url":.*\}\n/)).match(/\{"url".*\}/)?.[0] ?? "");
      const api = (...args: readonly string[]) => slipway(...args, "--api", url, "--db", folder.db, "--format", "json");
      try {
        const authorization = `Bearer ${readFileSync(`${folder.db}.token`, "utf8").trim()}`;
        await fetch(`${url}/api/apps/fails/upgrade`, { method: "POST", headers: { authorization } });
        const { tasks } = JSON.parse((await api("tasks", "--app", "fails")).stdout);
        const done = tasks.find(({ state }: { state: string }) => state === "COMPLETED");
        expect(taskOf(await api("task", done.id))).toMatchObject({ id: done.id, state: "COMPLETED" });
        const refused = await api("skip", done.id);
        expect(refused.exitCode).toBe(1);
        expect(errorOf(refused)).toMatchObject({ code: "TASK_REFUSED" });
        const unknown = await api("retry", "nothing");
        expect(unknown.exitCode).toBe(2);
        expect(errorOf(unknown)).toMatchObject({ code: "TASK_UNKNOWN" });
      } finally {
        served.kill("SIGTERM");
      }
      expect((await endOf(served)).exitCode).toBe(0);
    });
  });
});
