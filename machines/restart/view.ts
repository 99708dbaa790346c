import type { TaskFacts } from "../../src/core/task/task-facts.ts";
import type { LifecycleContext } from "../lifecycle/context.ts";
import { reportSwitch } from "../lifecycle/switch-result.ts";
import { type Step, viewLifecycle } from "../lifecycle/view.ts";
import type { StateValue } from "../state-value.ts";

const STEPS: Readonly<Record<string, Step>> = {
  STOPPING: { title: "Stopping the app", from: 5, waitsFor: "host" },
  GOING_DOWN: { title: "Waiting until the app is stopped", from: 35, waitsFor: "app" },
  STARTING: { title: "Starting the app", from: 40, waitsFor: "host" },
  COMING_UP: { title: "Waiting until the app runs", from: 65, waitsFor: "app" },
};

/** A restart as people see it. */
export function viewRestart(value: StateValue, context: LifecycleContext): TaskFacts {
  const wasUp = context.work.calls?.includes("app.stop") === true;
  return viewLifecycle(value, context, {
    kind: "restart",
    label: `Restart ${context.input.title}`,
    steps: STEPS,
    progress: (_step, from) => from,
    result: () =>
      reportSwitch(value, context, {
        calls: ["app.stop", "app.start"],
        ends: { "app.stop": "stopped", "app.start": wasUp ? "restarted" : "started" },
        already: "alreadyRunning",
        not: "notRestarted",
        wanted: "RUNNING",
      }),
  });
}
