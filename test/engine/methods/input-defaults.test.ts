import { describe, expect } from "vitest";
import { it, openWorld } from "../../support/engine/engine-test.ts";
import { type EngineWorld, hookTask, settledTask } from "../../support/engine/engine-world.ts";

const asks = (type: string, fallback: unknown, id = "secret") => ({
  type: "question",
  id,
  question: { question: "?", type, key: id, default: fallback },
});
const hook = (inputs: readonly unknown[], more: Record<string, unknown> = {}) => ({
  id: "setup",
  title: "Set up",
  events: ["onAfterInstall"],
  entrypoint: "run",
  scriptContent: `export async function run(ctx) {
    const value = ctx.getInput("secret");
    ctx.log(value.length + " " + [...value].map((letter) => letter.charCodeAt(0)).join("."));
  }`,
  inputs,
  ...more,
});

async function open(script: Record<string, unknown>): Promise<EngineWorld> {
  return openWorld({
    catalog: { demo: script },
    host: { datasets: ["tank", "tank/apps"], deployingFor: 0 },
  });
}

/** What a hook wrote down, once a person has taken every default of the task that asks. */
async function toldBy({ engine, store }: EngineWorld, taskId: string, hookId = "setup"): Promise<string | undefined> {
  const view = await settledTask(engine, taskId);
  const task = view.hookId === hookId ? view : hookTask(view, hookId);
  if (task.state === "AWAITING_INPUT") await engine.input(task.id, {});
  await settledTask(engine, taskId);
  return store.hookLog(task.id, 1)[0]?.line;
}

describe("Macros in defaults of hook inputs", () => {
  it("are resolved, a random string is generated once and kept by app, hook, input and key", async () => {
    const press = { events: ["userAction"], rerun: "converge" };
    const opened = await open({ hooks: [hook([asks("password", "$RANDOM_STRING(12)")], press)] });
    const { engine, log } = opened;
    await settledTask(engine, (await engine.install("demo")).id);
    const first = await toldBy(opened, (await engine.runAction("demo", "setup")).id);
    expect(first).toMatch(/^12 [\d.]+$/);
    expect(first).not.toContain("36.82.65.78");
    const secret = String.fromCharCode(...(first?.split(" ")[1] ?? "").split(".").map(Number));
    const restarted = await opened.restart();
    const { id } = await restarted.engine.runAction("demo", "setup");
    const waiting = await settledTask(restarted.engine, id);
    expect(waiting.waitingFor?.detail).toMatchObject({ inputs: [{ id: "secret", question: { generated: true } }] });
    expect(JSON.stringify([waiting, log])).not.toContain(secret);
    expect(await toldBy(restarted, id)).toBe(first);
    expect(JSON.stringify(restarted.store.setting("demo", "inputRandoms"))).toContain(secret);
  });

  it("of an install see its answers, and the same string comes back where the install is asked for again", async () => {
    const questions = [{ question: "Team?", type: "text", key: "team" }];
    const opened = await open({
      installation_questions: questions,
      app_values: { team: "$QUESTION(team)" },
      hooks: [hook([asks("text", "$QUESTION(team)-$APP_INSTALLED(demo)")])],
    });
    const { engine } = opened;
    const { id } = await engine.install("demo", { answers: { team: "blue" } });
    const waiting = await settledTask(engine, id);
    expect(hookTask(waiting, "setup").waitingFor?.detail).toMatchObject({
      inputs: [{ question: { default: "blue-false" } }],
    });
    expect(await toldBy(opened, id)).toMatch(/^10 98\./);
  });

  it("that can't be resolved refuse the install with their place", async () => {
    const { engine } = await open({ hooks: [hook([asks("number", "$RANDOM_STRING(4)x")])] });
    await expect(engine.install("demo")).rejects.toMatchObject({
      code: "ANSWER_TYPE",
      details: { problems: [{ path: ["hooks", "setup", "inputs", "secret", "secret", "default"] }] },
    });
  });
});

describe("Macros in owner and snapshot.id", () => {
  const entry = (more: Record<string, unknown>) => ({
    requirements: { locations: ["ApplicationsPerformance"], specifications: [], permissions: [], ports: [] },
    installation_questions: [
      { question: "User?", type: "text", key: "user", default: "apps" },
      { question: "Id?", type: "text", key: "id", default: "data" },
    ],
    ensure_directories_exists: [{ path: "$LOCATION(ApplicationsPerformance)/demo", ...more }],
  });

  it("are resolved before the host is asked", async () => {
    const owner = { user: "$QUESTION(user)", group: "$IF(true, docker)" };
    const { engine, host } = await open(entry({ owner, snapshot: { id: "$QUESTION(id)-1" } }));
    await settledTask(engine, (await engine.install("demo")).id);
    expect(host.script.world.paths.get("/mnt/tank/apps/demo")).toMatchObject({ uid: 568, gid: 999 });
    host.script.setApp("demo", { version: "1.0.0", upgradeAvailable: true });
    await settledTask(engine, (await engine.upgrade("demo")).id);
    expect(host.script.world.snapshots.map(({ name }) => name)).toEqual([
      expect.stringMatching(/^platform-app-demo-data-1-\d{8}T\d{6}Z$/),
    ]);
  });

  it("a snapshot.id that is no name is an error of the script where it is literal, else of the plan", async () => {
    const { engine } = await open(entry({ snapshot: { id: "a b" } }));
    await expect(engine.install("demo")).rejects.toMatchObject({
      code: "TASK_SCRIPT_REFUSED",
      details: { problems: expect.arrayContaining([expect.objectContaining({ code: "DIRECTORY_SNAPSHOT_ID" })]) },
    });
    const asked = await open(entry({ snapshot: { id: "$QUESTION(id)" } }));
    await expect(asked.engine.install("demo", { answers: { id: "x".repeat(65) } })).rejects.toMatchObject({
      code: "DIRECTORY_SNAPSHOT_ID",
      details: { problems: [{ path: ["ensure_directories_exists", 0, "snapshot", "id"] }] },
    });
  });
});
