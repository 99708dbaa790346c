import { PassThrough } from "node:stream";
import { text } from "node:stream/consumers";
import { expect, it } from "vitest";
import { createTaskDisplay } from "../../../src/cli/ui/live-tree.ts";
import type { Terminal } from "../../../src/cli/ui/terminal.ts";
import type { TaskView } from "../../../src/engine/api.ts";

const at = "2026-11-21T10:00:00.000Z";
const hook: TaskView = {
  id: "hook",
  kind: "hook",
  appId: "notes",
  label: "Notebook",
  title: "Notebook",
  state: "COMPLETED",
  progress: 100,
  marks: [],
  remarks: [],
  steps: [],
  commands: [],
  revision: 1,
  checkpoints: [{ id: "made", message: "Made it", state: "COMPLETED", created: at, updated: at }],
  children: [],
  created: at,
  updated: at,
};
const ended: TaskView = {
  ...hook,
  id: "install",
  kind: "install",
  label: "Install",
  checkpoints: [],
  children: [hook],
};
const running: TaskView = {
  ...ended,
  state: "RUNNING",
  progress: 70,
  children: [{ ...hook, state: "PENDING", checkpoints: [] }],
};

/** What a pipe is given when a task was looked at so often. */
async function printed(looks: readonly TaskView[]): Promise<readonly string[]> {
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
  const terminal: Terminal = { stdin, stdout, stderr, signal: new AbortController().signal, exitCode: 0 };
  const display = await createTaskDisplay(terminal);
  for (const task of looks) display.show(task);
  stdout.end();
  return (await text(stdout)).trimEnd().split("\n");
}

it("prints the end of a task after the ends of its parts, however many changes one look saw", async () => {
  const ends = ["    completed: Made it", "  ✓ Notebook: COMPLETED", "✓ Install: COMPLETED"];
  expect(await printed([ended])).toEqual(ends);
  expect(await printed([running, ended])).toEqual(["▸ Install: RUNNING 70 %", "  · Notebook: PENDING", ...ends]);
  expect(await printed([running, { ...running, children: [hook] }, ended])).toEqual([
    "▸ Install: RUNNING 70 %",
    "  · Notebook: PENDING",
    ...ends,
  ]);
});
