import type { TaskFacts } from "../../src/core/task/task-facts.ts";
import type { LifecycleContext } from "../lifecycle/context.ts";
import { type Step, viewLifecycle } from "../lifecycle/view.ts";
import type { StateValue } from "../state-value.ts";

const STEPS: Readonly<Record<string, Step>> = {
  ADOPTING: { title: "Taking the app over as it is", from: 10, waitsFor: "host" },
};

const APP = { untouched: "notAdopted", changed: "adopted", unknown: "unknown" } as const;

/** An adoption as people see it; the host is called for nothing that a result could list. */
export function viewAdopt(value: StateValue, context: LifecycleContext): TaskFacts {
  return viewLifecycle(value, context, {
    kind: "adopt",
    label: `Adopt ${context.input.title}`,
    steps: STEPS,
    progress: (_step, from) => from,
    result: () => ({ app: APP[context.app], done: [], notDone: [] }),
  });
}
