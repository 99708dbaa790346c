import type { TaskFacts } from "../../src/core/task/task-facts.ts";
import type { LifecycleContext } from "../lifecycle/context.ts";
import { computeChildProgress, reportChildren, type Step, viewLifecycle } from "../lifecycle/view.ts";
import type { StateValue } from "../state-value.ts";

const STEPS: Readonly<Record<string, Step>> = {
  INSTALLING: { title: "Setting up the apps", from: 0 },
  LINKING: { title: "Linking the apps", from: 0 },
  POLICIES: { title: "Setting the upgrade policies", from: 99 },
};

/** The import of the apps of another box as people see it. */
export function viewImport(value: StateValue, context: LifecycleContext): TaskFacts {
  return viewLifecycle(value, context, {
    kind: "import",
    label: context.input.title,
    steps: STEPS,
    progress: (_step, from) => computeChildProgress(context, from, 0, 99),
    result: () => reportChildren(context),
  });
}
