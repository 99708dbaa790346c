import type { TaskFacts } from "../../src/core/task/task-facts.ts";
import type { LifecycleContext } from "../lifecycle/context.ts";
import { reportSwitch } from "../lifecycle/switch-result.ts";
import { type Step, viewLifecycle } from "../lifecycle/view.ts";
import type { StateValue } from "../state-value.ts";

const STEPS: Readonly<Record<string, Step>> = {
  STOPPING: { title: "Stopping the app", from: 5, waitsFor: "host" },
  GOING_DOWN: { title: "Waiting until the app is stopped", from: 90, waitsFor: "app" },
};

/** A stop as people see it. */
export function viewStop(value: StateValue, context: LifecycleContext): TaskFacts {
  return viewLifecycle(value, context, {
    kind: "stop",
    label: `Stop ${context.input.title}`,
    steps: STEPS,
    progress: (_step, from) => from,
    result: () =>
      reportSwitch(value, context, {
        calls: ["app.stop"],
        ends: { "app.stop": "stopped" },
        already: "alreadyStopped",
        not: "notStopped",
        wanted: "STOPPED",
      }),
  });
}
