import type { TaskFacts } from "../../src/core/task/task-facts.ts";
import type { LifecycleContext } from "../lifecycle/context.ts";
import { computeChildProgress, reportChildren, type Step, viewLifecycle } from "../lifecycle/view.ts";
import type { StateValue } from "../state-value.ts";

const STEPS: Readonly<Record<string, Step>> = { UPGRADING: { title: "Upgrading the apps", from: 0 } };

/** The upgrades of several apps as people see them. */
export function viewUpgradeAll(value: StateValue, context: LifecycleContext): TaskFacts {
  return viewLifecycle(value, context, {
    kind: "upgrade-all",
    label: context.input.title,
    steps: STEPS,
    progress: (_step, from) => computeChildProgress(context, from, 0, 99),
    result: () => reportChildren(context),
  });
}
