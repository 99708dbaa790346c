import type { TaskFacts } from "../../src/core/task/task-facts.ts";
import type { LifecycleContext } from "../lifecycle/context.ts";
import { reportSwitch } from "../lifecycle/switch-result.ts";
import { type Step, viewLifecycle } from "../lifecycle/view.ts";
import type { StateValue } from "../state-value.ts";

const STEPS: Readonly<Record<string, Step>> = {
  STARTING: { title: "Starting the app", from: 5, waitsFor: "host" },
  COMING_UP: { title: "Waiting until the app runs", from: 50, waitsFor: "app" },
};

/** A start as people see it. */
export function viewStart(value: StateValue, context: LifecycleContext): TaskFacts {
  return viewLifecycle(value, context, {
    kind: "start",
    label: `Start ${context.input.title}`,
    steps: STEPS,
    progress: (_step, from) => from,
    result: () =>
      reportSwitch(value, context, {
        calls: ["app.start"],
        ends: { "app.start": "started" },
        already: "alreadyRunning",
        not: "notStarted",
        wanted: "RUNNING",
      }),
  });
}
