import type { TaskFacts } from "../../src/core/task/task-facts.ts";
import type { LifecycleContext } from "../lifecycle/context.ts";
import { computeChildProgress, reportWork, type Step, viewLifecycle } from "../lifecycle/view.ts";
import type { StateValue } from "../state-value.ts";

const STEPS: Readonly<Record<string, Step>> = {
  SNAPSHOTS: { from: 1, waitsFor: "host" },
  DIRECTORIES: { from: 3, waitsFor: "host" },
  BEFORE_HOOKS: { from: 5 },
  WAKING: { from: 15, waitsFor: "host" },
  UPGRADING: { from: 20, waitsFor: "host" },
  STARTING: { from: 60, waitsFor: "app" },
  OWNERSHIP: { from: 70, waitsFor: "host" },
  AFTER_HOOKS: { from: 75 },
};

const APP = { untouched: "notUpgraded", changed: "upgraded", unknown: "unknown" } as const;

/** An upgrade as people see it. */
export function viewUpgrade(value: StateValue, context: LifecycleContext): TaskFacts {
  const { snapshots = [], directories = [], shares = [], repaired = [] } = context.work;
  const { byValues } = context.input;
  return viewLifecycle(value, context, {
    kind: "upgrade",
    label: `Upgrade ${context.input.title}`,
    steps: STEPS,
    progress: (step, from) => {
      if (step === "UPGRADING") return from + Math.floor((context.percent * 40) / 100);
      return step === "AFTER_HOOKS" ? computeChildProgress(context, from, 75, 24) : from;
    },
    result: () => ({
      app: APP[context.app],
      snapshots: [...snapshots],
      ...(byValues && { directories: [...directories], shares: [...shares] }),
      repaired: [...repaired],
      ...reportWork(context, byValues ? "app.update" : "app.upgrade", context.app === "changed"),
    }),
  });
}
