import type { TaskFacts } from "../src/core/task/task-facts.ts";
import type { UpgradeContext } from "./upgrade.ts";
import { childProgress, type Step, viewLifecycle, workDone } from "./view-lifecycle.ts";
import type { StateValue } from "./view-state.ts";

const STEPS: Readonly<Record<string, Step>> = {
  SNAPSHOTS: { from: 1, waitsFor: "host" },
  BEFORE_HOOKS: { from: 5 },
  WAKING: { from: 15, waitsFor: "host" },
  UPGRADING: { from: 20, waitsFor: "host" },
  STARTING: { from: 60, waitsFor: "app" },
  OWNERSHIP: { from: 70, waitsFor: "host" },
  AFTER_HOOKS: { from: 75 },
};

/** An upgrade as people see it. */
export function viewUpgrade(value: StateValue, context: UpgradeContext): TaskFacts {
  const { app, snapshots, repaired } = context;
  return viewLifecycle(value, context, {
    kind: "upgrade",
    label: `Upgrade ${context.input.title}`,
    steps: STEPS,
    progress: (step, from) => {
      if (step === "UPGRADING") return from + Math.floor((context.percent * 40) / 100);
      return step === "AFTER_HOOKS" ? childProgress(context, from, 75, 24) : from;
    },
    result: () => ({
      app,
      snapshots: [...snapshots],
      repaired: [...repaired],
      ...workDone(context, "app.upgrade", app === "upgraded"),
    }),
  });
}
