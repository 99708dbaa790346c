import { describe, expect } from "vitest";
import type { LifecycleEvent } from "../../../src/core/script/dictionary.ts";
import { it, openWorld } from "../../support/engine/engine-test.ts";
import { type EngineWorld, hookTask, settledTask, until } from "../../support/engine/engine-world.ts";

const firing = (event: string) => ({
  id: event,
  title: event,
  events: [event],
  ...(event === "userAction" && { rerun: "converge" }),
  entrypoint: "run",
  scriptContent: "export async function run(ctx) { ctx.log(ctx.event); }",
});
const EVENTS = ["userAction", "onBeforeInstall", "onAfterInstall", "onBeforeUpgrade", "onAfterUpgrade"];

async function open(): Promise<EngineWorld> {
  return openWorld({ catalog: { demo: { hooks: EVENTS.map(firing) } } });
}

/** Hook events that have fired, in order, as the scripts saw them. */
function fired({ engine, store }: EngineWorld): readonly string[] {
  return engine
    .tasks()
    .toReversed()
    .flatMap((task) => [task, ...task.children])
    .flatMap(({ id }) => store.hookLog(id, 5).map(({ line }) => line));
}

/** Specification, "Hook events (version 6)": what has fired while the host's job is held, and after it succeeded. */
const ROWS: readonly [
  row: string,
  method: "app.create" | "app.upgrade",
  before: LifecycleEvent,
  after: LifecycleEvent,
][] = [
  [
    "onBeforeInstall: before app.create is called; onAfterInstall: after it",
    "app.create",
    "onBeforeInstall",
    "onAfterInstall",
  ],
  [
    "onBeforeUpgrade: before app.upgrade is called; onAfterUpgrade: after it",
    "app.upgrade",
    "onBeforeUpgrade",
    "onAfterUpgrade",
  ],
];

describe("hook events", () => {
  it.each(ROWS)("%s completes successfully", async (_row, method, before, after) => {
    const here = await open();
    const { engine, host } = here;
    if (method === "app.upgrade") {
      await settledTask(engine, (await engine.install("demo")).id);
      host.script.setApp("demo", { version: "1.0.0", upgradeAvailable: true });
    }
    const earlier = fired(here);
    const release = host.script.hold(method);
    const { id } = await (method === "app.create" ? engine.install("demo") : engine.upgrade("demo"));
    await until(engine, () => host.script.changes().some((call) => call.method === method));
    expect(fired(here)).toEqual([...earlier, before]);
    release();
    const view = await settledTask(engine, id);
    expect(view).toMatchObject({ state: "COMPLETED" });
    expect(fired(here)).toEqual([...earlier, before, after]);
  });

  it.each([
    ["app.create", "onAfterInstall"],
    ["app.upgrade", "onAfterUpgrade"],
  ] as const)("a failed %s fires no %s", async (method, after) => {
    const { engine, host } = await open();
    if (method === "app.upgrade") {
      await settledTask(engine, (await engine.install("demo")).id);
      host.script.setApp("demo", { version: "1.0.0", upgradeAvailable: true });
    }
    host.script.endJob(method, { state: "ABORTED" });
    const { id } = await (method === "app.create" ? engine.install("demo") : engine.upgrade("demo"));
    const view = await settledTask(engine, id);
    expect(view).toMatchObject({ state: "FAILED" });
    expect(view.children.find(({ hookId }) => hookId === after)?.state ?? "absent").not.toBe("COMPLETED");
  });

  it("userAction: when a person presses it, and at no lifecycle", async () => {
    const here = await open();
    const { engine, store } = here;
    const view = await settledTask(engine, (await engine.install("demo")).id);
    expect(() => hookTask(view, "userAction")).toThrow();
    const { id } = await engine.runAction("demo", "userAction");
    await settledTask(engine, id);
    expect(store.hookLog(id, 5).map(({ line }) => line)).toEqual(["userAction"]);
  });
});
