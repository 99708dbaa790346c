import type { TaskFacts } from "../../src/core/task/task-facts.ts";
import type { LifecycleContext } from "../lifecycle/context.ts";
import { reportWork, type Step, viewLifecycle } from "../lifecycle/view.ts";
import type { StateValue } from "../state-value.ts";

const STEPS: Readonly<Record<string, Step>> = {
  SNAPSHOTS: { title: "Taking snapshots", from: 1, waitsFor: "host" },
  DIRECTORIES: { title: "Preparing directories", from: 5, waitsFor: "host" },
  UPDATING: { title: "Setting the new values", from: 10, waitsFor: "host" },
  OWNERSHIP: { title: "Repairing owners", from: 80, waitsFor: "host" },
};

const APP = { untouched: "notUpdated", changed: "updated", unknown: "unknown" } as const;

/** An update as people see it. */
export function viewUpdate(value: StateValue, context: LifecycleContext): TaskFacts {
  const { snapshots = [], directories = [], shares = [], repaired = [] } = context.work;
  return viewLifecycle(value, context, {
    kind: "update",
    label: `Update ${context.input.title}`,
    steps: STEPS,
    progress: (step, from) => (step === "UPDATING" ? from + Math.floor((context.percent * 70) / 100) : from),
    result: () => ({
      app: APP[context.app],
      snapshots: [...snapshots],
      directories: [...directories],
      shares: [...shares],
      repaired: [...repaired],
      ...reportWork(context, "app.update", context.app === "changed"),
    }),
  });
}
