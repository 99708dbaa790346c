import { installAndConnect } from "../../src/core/hooks/link-names.ts";
import type { TaskFacts } from "../../src/core/task/task-facts.ts";
import type { LifecycleContext } from "../lifecycle/context.ts";
import { computeChildProgress, reportWork, type Step, viewLifecycle } from "../lifecycle/view.ts";
import type { StateValue } from "../state-value.ts";

const STEPS: Readonly<Record<string, Step>> = {
  DIRECTORIES: { title: "Preparing directories", from: 1, waitsFor: "host" },
  BEFORE_HOOKS: { title: "Preparing the app", from: 5 },
  CREATING: { title: "Creating the app", from: 15, waitsFor: "host" },
  STARTING: { title: "Waiting until the app runs", from: 60, waitsFor: "app" },
  AFTER_HOOKS: { title: "Setting up the app", from: 70 },
  LINKING: { title: "Connecting with other apps", from: 90 },
};

const APP = { untouched: "notCreated", changed: "created", unknown: "unknown" } as const;

/** An install as people see it. */
export function viewInstall(value: StateValue, context: LifecycleContext): TaskFacts {
  const { directories = [], shares = [] } = context.work;
  const { title, waitsForTurn, isImported } = context.input;
  return viewLifecycle(value, context, {
    kind: "install",
    label: waitsForTurn === true && isImported !== true ? installAndConnect(title) : `Install ${title}`,
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
