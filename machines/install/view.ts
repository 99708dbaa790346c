import { installAndConnect } from "../../src/core/hooks/link-names.ts";
import type { TaskFacts } from "../../src/core/task/task-facts.ts";
import type { LifecycleContext } from "../lifecycle/context.ts";
import { computeChildProgress, reportWork, type Step, viewLifecycle } from "../lifecycle/view.ts";
import type { StateValue } from "../state-value.ts";

const STEPS: Readonly<Record<string, Step>> = {
  DIRECTORIES: { from: 1, waitsFor: "host" },
  BEFORE_HOOKS: { from: 5 },
  CREATING: { from: 15, waitsFor: "host" },
  STARTING: { from: 60, waitsFor: "app" },
  AFTER_HOOKS: { from: 70 },
  LINKING: { from: 90 },
};

const APP = { untouched: "notCreated", changed: "created", unknown: "unknown" } as const;

/** An install as people see it. */
export function viewInstall(value: StateValue, context: LifecycleContext): TaskFacts {
  const { directories = [], shares = [] } = context.work;
  return viewLifecycle(value, context, {
    kind: "install",
    label: context.input.waitsForTurn ? installAndConnect(context.input.title) : `Install ${context.input.title}`,
    steps: STEPS,
    progress: (step, from) => {
      if (step === "CREATING") return from + Math.floor((context.percent * 45) / 100);
      return step === "AFTER_HOOKS" || step === "LINKING" ? computeChildProgress(context, from, 70, 29) : from;
    },
    result: () => ({
      app: APP[context.app],
      directories: [...directories],
      shares: [...shares],
      ...reportWork(context, "app.create", context.app === "changed"),
    }),
  });
}
