import { describe, expect, it } from "vitest";
import type { Task, TaskEvent } from "../../src/web/api/types.ts";
import { summarize } from "../../src/web/state/task-summary.ts";
import { TaskTable } from "../../src/web/state/task-table.ts";

function task(id: string, changes: Partial<Task> = {}): Task {
  return {
    id,
    kind: "install",
    appId: "notes",
    label: id,
    title: id,
    state: "RUNNING",
    children: [],
    checkpoints: [],
    steps: [],
    commands: ["cancel"],
    progress: 0,
    revision: 0,
    marks: [],
    remarks: [],
    created: `2026-01-01T00:00:0${id.length}Z`,
    updated: "2026-01-01T00:00:00Z",
    ...changes,
  };
}

function event(seq: number, taskId: string, changed: Task, type = "task.updated"): TaskEvent {
  const { children: _, ...without } = changed;
  return { seq, at: "2026-01-01T00:00:00Z", taskId, type, task: without };
}

const hook = (changes: Partial<Task> = {}) => task("a.hook", { kind: "hook", parent: "a", ...changes });

describe("the table of tasks", () => {
  it("puts a change at its place in the tree and leaves every other tree as the object it was", () => {
    const table = new TaskTable();
    table.merge([task("a", { children: [hook(), task("a.b", { parent: "a" })] }), task("bb")], 5);
    const [before, other] = [table.get("a"), table.get("bb")];
    expect(table.apply(event(6, "a", hook({ state: "COMPLETED" })))).toBe("applied");
    expect(table.get("a")?.children.map(({ state }) => state)).toEqual(["COMPLETED", "RUNNING"]);
    expect(table.get("a")).not.toBe(before);
    expect(table.get("a")?.children[1]).toBe(before?.children[1]);
    expect(table.get("bb")).toBe(other);
    expect(table.apply(event(7, "a", task("a", { progress: 50 })))).toBe("applied");
    expect(table.get("a")).toMatchObject({ progress: 50, children: [{ state: "COMPLETED" }, { state: "RUNNING" }] });
  });

  it("takes in what is new, and says of what it can't place that it has to be read", () => {
    const table = new TaskTable();
    expect(table.apply(event(1, "a", task("a"), "task.created"))).toBe("applied");
    expect(table.apply(event(2, "a", hook(), "task.created"))).toBe("applied");
    expect(table.get("a")?.children.map(({ id }) => id)).toEqual(["a.hook"]);
    expect(table.apply(event(3, "a", task("deep", { parent: "unheard" })))).toBe("unknown");
    expect(table.apply(event(4, "b", task("b")))).toBe("unknown");
    expect(table.apply(event(5, "c", hook(), "task.created"))).toBe("unknown");
    expect(table.list().map(({ id }) => id)).toEqual(["a"]);
  });

  it("never goes back, whatever order lists and changes come in", () => {
    const table = new TaskTable();
    table.apply(event(8, "a", task("a", { progress: 80 }), "task.created"));
    table.merge([task("a", { progress: 10 }), task("bb")], 5);
    expect(table.apply(event(7, "a", task("a", { progress: 70 })))).toBe("old");
    expect([table.get("a")?.progress, table.get("bb")?.progress]).toEqual([80, 0]);
    expect(table.apply(event(5, "bb", task("bb", { progress: 4 })))).toBe("old");
    table.merge([task("a", { progress: 90 })], 9);
    expect(table.get("a")?.progress).toBe(90);
    expect(table.list().map(({ id }) => id)).toEqual(["bb", "a"]);
  });
});

describe("what a list says of a tree", () => {
  it("is found once for each state of it", () => {
    const root = task("a");
    expect(summarize(root)).toBe(summarize(root));
    expect(summarize({ ...root })).not.toBe(summarize(root));
  });

  it("asks where a task of the tree takes a decision or an input, and names those", () => {
    const asking = hook({ state: "AWAITING_RETRY", commands: ["retry", "skip", "cancel"] });
    const waiting = { kind: "person", since: "2026-01-01T00:00:00Z", detail: { child: "a.hook" } } as const;
    const parent = task("a", { state: "AWAITING_RETRY", waitingFor: waiting, children: [asking] });
    expect(summarize(parent)).toEqual({ group: "asks", asking: [asking], working: [] });
    const failed = task("a", { state: "FAILED", commands: ["retry", "dismiss"] });
    expect(summarize(failed)).toMatchObject({ group: "asks", asking: [failed] });
  });

  it("runs where the innermost tasks run, and is finished with its root", () => {
    const root = task("a", { children: [hook({ state: "COMPLETED" }), task("a.b", { parent: "a" })] });
    expect(summarize(root)).toMatchObject({ group: "runs", working: [{ id: "a.b" }] });
    const link = task("a.l", { parent: "a", kind: "link", state: "FAILED", commands: ["retry", "dismiss"] });
    const done = task("a", { state: "COMPLETED", commands: [], children: [link] });
    expect(summarize(done)).toMatchObject({ group: "finished", asking: [link] });
  });
});
