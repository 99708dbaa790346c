/** What a scenario expects, held against what came of it. */
import type { Json, JsonPath } from "../../core/json/json.ts";
import type { TaskView } from "../../engine/api.ts";
import { findAnswer } from "../../standin/apps/answers.ts";
import { describeFailure } from "../findings.ts";
import type { AskedRequest } from "../world/faked-io.ts";
import { listTasks } from "../world/see-through.ts";
import { findMismatches } from "./find-mismatch.ts";
import type { Placed } from "./place-findings.ts";
import type { Scenario } from "./scenario-file.ts";

/** What came of a scenario. */
export interface ScenarioEnd {
  /** The install where it came to rest. */
  readonly task: TaskView;
  /** Of the app on the host; empty where there is none. */
  readonly values: Json;
  readonly requests: readonly AskedRequest[];
}

/** Every expectation that is not met, at its place; `path` leads to the scenario. */
export function judgeScenario({ expect }: Scenario, end: ScenarioEnd, path: JsonPath): readonly Placed[] {
  const { task, values, requests } = end;
  const at = [...path, "expect"];
  const tasks = listTasks(task);
  const findHook = (hookId: string) => tasks.findLast((one) => one.hookId === hookId);
  const found: Placed[] = [];
  if (task.state !== expect.state)
    found.push({
      path: [...at, "state"],
      message: `expected is ${expect.state}, and the install is ${describeEnd(task)}`,
    });
  for (const [hookId, state] of Object.entries(expect.hooks)) {
    const hook = findHook(hookId);
    if (hook?.state !== state)
      found.push({ path: [...at, "hooks", hookId], message: `expected is ${state}, and the hook ${sayState(hook)}` });
  }
  for (const [hookId, expected] of Object.entries(expect.checkpoints)) {
    const hook = findHook(hookId);
    for (const [id, state] of Object.entries(expected)) {
      const checkpoint = hook?.checkpoints.find((one) => one.id === id);
      if (checkpoint?.state === state) continue;
      const is =
        hook === undefined ? `the hook ${sayState(hook)}` : `the checkpoint is ${checkpoint?.state ?? "not there"}`;
      found.push({ path: [...at, "checkpoints", hookId, id], message: `expected is ${state}, and ${is}` });
    }
  }
  for (const [index, expected] of expect.requests.entries()) {
    const { times, ...row } = expected;
    const count = requests.filter((asked) => findAnswer([row], asked, new Map()) !== undefined).length;
    if (times === undefined ? count > 0 : count === times) continue;
    const wanted = times === undefined ? "once or more" : `${times} times`;
    const asked = `${expected.method ?? "any method"} ${expected.path}`;
    found.push({
      path: [...at, "requests", index],
      message: `expected is ${asked} ${wanted}, and it was asked ${count} times`,
    });
  }
  return [...found, ...findMismatches(expect.values, values, [...at, "values"])];
}

function sayState(hook: TaskView | undefined): string {
  return hook === undefined ? "did not run" : `is ${describeEnd(hook)}`;
}

function describeEnd(task: TaskView): string {
  return task.failure === undefined ? task.state : `${task.state} (${describeFailure(task)})`;
}
