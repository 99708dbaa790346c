import { expect, it } from "vitest";
import { renderDecision } from "../../../src/cli/ui/decision-text.ts";
import { renderTask } from "../../../src/cli/ui/task-text.ts";
import { createRequestUncertainFailure, describeRequest } from "../../../src/core/task/uncertain-request.ts";
import type { TaskView } from "../../../src/engine/api.ts";

const at = "2026-01-31T12:00:00.000Z";
const request = { call: 7, method: "POST", url: "http://192.168.1.2:8096/users", at: Date.parse(at) };
const choices = ["retry", "skip", "cancel"] as const;
const asked: TaskView = {
  id: "hook",
  kind: "hook",
  appId: "notes",
  label: "Set up",
  title: "Set up",
  state: "AWAITING_RETRY",
  progress: 40,
  marks: [],
  remarks: [],
  steps: [],
  commands: ["retry", "skip", "cancel"],
  revision: 3,
  waitingFor: { kind: "person", since: at, detail: { choices, request: describeRequest(request) } },
  failure: createRequestUncertainFailure(request),
  checkpoints: [],
  children: [],
  created: at,
  updated: at,
};

it("asks about a request with method, address and time, and says what each answer does with it", () => {
  const { message, choices } = renderDecision(asked);
  expect(message).toBe(
    `Set up: nobody knows whether "POST http://192.168.1.2:8096/users", sent at ${at}, arrived: the engine stopped before the answer came`,
  );
  expect(choices).toEqual([
    { name: "Retry: send it again", value: "retry" },
    { name: "Skip: give the call up", value: "skip" },
    { name: "Cancel", value: "cancel" },
  ]);
});

it("of a whole run or a checkpoint it says the bare choices", () => {
  const failure = { code: "TASK_HOOK_FAILED", message: "no", context: [], retryable: true } as const;
  for (const about of [{}, { checkpoint: "one" }]) {
    const task: TaskView = {
      ...asked,
      failure,
      waitingFor: { kind: "person", since: at, detail: { choices, ...about } },
    };
    expect(renderDecision(task)).toMatchObject({
      message: "Set up: no",
      choices: [{ name: "Retry" }, { name: "Skip" }, { name: "Cancel" }],
    });
  }
});

it("shows a task that asks about a request with what to do", () => {
  expect(renderTask(asked)).toEqual([
    "! Set up: AWAITING_RETRY, waits for person",
    `    TASK_REQUEST_UNCERTAIN: ${asked.failure?.message}`,
    "      hint: look at the app whether it did; retry: send it again, skip: give the call up, so that the script sees an error",
  ]);
});
