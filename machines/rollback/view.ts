import type { TaskFacts } from "../../src/core/task/task-facts.ts";
import type { LifecycleContext } from "../lifecycle/context.ts";
import { type Step, viewLifecycle } from "../lifecycle/view.ts";
import type { StateValue } from "../state-value.ts";

const FIRST: Readonly<Record<string, Step>> = {
  SNAPSHOTS: { title: "Taking snapshots of the present", from: 1, waitsFor: "host" },
};
const REVERT: Readonly<Record<string, Step>> = {
  WAKING: { title: "Starting the app where it is stopped", from: 5, waitsFor: "host" },
  REVERTING: { title: "Rolling back the app", from: 10, waitsFor: "host" },
};
const RESTORE: Readonly<Record<string, Step>> = {
  STOPPING: { title: "Stopping the app", from: 50, waitsFor: "host" },
  GOING_DOWN: { title: "Waiting until it is stopped", from: 55, waitsFor: "app" },
  RESTORING: { title: "Restoring its datasets", from: 60, waitsFor: "host" },
  STARTING: { title: "Starting the app", from: 80, waitsFor: "host" },
};
const LAST: Readonly<Record<string, Step>> = {
  COMING_UP: { title: "Waiting until it runs", from: 85, waitsFor: "app" },
};

const APP = { untouched: "notRolledBack", changed: "rolledBack", unknown: "unknown" } as const;

/** A rollback as people see it. */
export function viewRollback(value: StateValue, context: LifecycleContext): TaskFacts {
  const { title, reverts, restores } = context.input;
  const { snapshots = [], calls = [], restored = [], setAside = [] } = context.work;
  const planned = [...(reverts?.calls ?? []), ...(restores ?? [])];
  const done = planned.filter((one) => calls.includes(one) || restored.includes(one));
  const marks = [...context.marks, ...setAside.map((dataset) => `setAside: ${dataset}`)];
  return viewLifecycle(
    value,
    { ...context, marks },
    {
      kind: "rollback",
      label: `Roll back ${title}`,
      steps: { ...FIRST, ...(reverts && REVERT), ...(restores && RESTORE), ...LAST },
      progress: (step, from) => (step === "REVERTING" ? from + Math.floor((context.percent * 40) / 100) : from),
      result: () => ({
        app: APP[context.app],
        ...(reverts && { version: reverts.version }),
        restored: [...restored],
        setAside: [...setAside],
        snapshots: [...snapshots],
        done,
        notDone: planned.filter((one) => !done.includes(one)),
      }),
    },
  );
}
