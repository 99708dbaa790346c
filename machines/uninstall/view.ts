import type { TaskFacts } from "../../src/core/task/task-facts.ts";
import type { LifecycleContext } from "../lifecycle/context.ts";
import { reportWork, type Step, viewLifecycle } from "../lifecycle/view.ts";
import type { StateValue } from "../state-value.ts";

const DELETING: Readonly<Record<string, Step>> = {
  DELETING: { title: "Removing the app", from: 5, waitsFor: "host" },
};

const STEPS: Readonly<Record<string, Step>> = {
  ...DELETING,
  SNAPSHOTS: { title: "Taking snapshots", from: 50, waitsFor: "host" },
  REMOVING: { title: "Removing its directories", from: 60, waitsFor: "host" },
};

const APP = { untouched: "notUninstalled", changed: "uninstalled", unknown: "unknown" } as const;

/** An uninstall as people see it. */
export function viewUninstall(value: StateValue, context: LifecycleContext): TaskFacts {
  const { removes } = context.input;
  const { removed = [], emptied = [], left = [], snapshots = [] } = context.work;
  return viewLifecycle(value, context, {
    kind: "uninstall",
    label: `Uninstall ${context.input.title}`,
    steps: removes === undefined ? DELETING : STEPS,
    progress: (step, from) => (step === "DELETING" ? from + Math.floor((context.percent * 40) / 100) : from),
    result: () => ({
      app: APP[context.app],
      removed: [...removed],
      emptied: [...emptied],
      left: [...left],
      snapshots: [...snapshots],
      answers: context.work.forgotten === true ? "forgotten" : "kept",
      ...reportWork(context, "app.delete", context.app === "changed"),
    }),
  });
}
