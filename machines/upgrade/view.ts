import { UPGRADE_WITHHELD } from "../../src/core/task/remarks.ts";
import type { TaskFacts } from "../../src/core/task/task-facts.ts";
import type { LifecycleContext } from "../lifecycle/context.ts";
import { computeChildProgress, reportWork, type Step, viewLifecycle } from "../lifecycle/view.ts";
import { readStep, type StateValue } from "../state-value.ts";

const STEPS: Readonly<Record<string, Step>> = {
  SNAPSHOTS: { title: "Taking snapshots", from: 1, waitsFor: "host" },
  DIRECTORIES: { title: "Preparing directories", from: 3, waitsFor: "host" },
  BEFORE_HOOKS: { title: "Preparing the upgrade", from: 5 },
  WAKING: { title: "Starting the app where it is stopped", from: 15, waitsFor: "host" },
  UPGRADING: { title: "Upgrading the app", from: 20, waitsFor: "host" },
  STARTING: { title: "Waiting until the new version runs", from: 60, waitsFor: "app" },
  OWNERSHIP: { title: "Repairing owners", from: 70, waitsFor: "host" },
  AFTER_HOOKS: { title: "Setting up the new version", from: 75 },
};

const { DIRECTORIES: _onlyByValues, ...STEPS_OF_A_PACKAGE } = STEPS;

const ONCE_MORE: ReadonlySet<string | null> = new Set(["REPAIRING", "RESTARTING", "RESTARTED"]);

const APP = { untouched: "notUpgraded", changed: "upgraded", unknown: "unknown" } as const;

/** An upgrade as people see it. */
export function viewUpgrade(value: StateValue, context: LifecycleContext): TaskFacts {
  const { snapshots = [], directories = [], shares = [], repaired = [], calls = [] } = context.work;
  const { byValues, isPackage, from, to } = context.input;
  // What is tried until it runs is part of the wait.
  const shown = ONCE_MORE.has(readStep(value, "RUNNING")) ? { RUNNING: "STARTING" } : value;
  // The version the app has now has accepted its values.
  const isShown = (mark: string) => context.app !== "changed" || !mark.startsWith(`${UPGRADE_WITHHELD}: `);
  const known = { ...context, marks: context.marks.filter(isShown) };
  return viewLifecycle(shown, known, {
    kind: "upgrade",
    label: `Upgrade ${context.input.title}`,
    steps: byValues ? STEPS : STEPS_OF_A_PACKAGE,
    progress: (step, start) => {
      if (step === "UPGRADING") return start + Math.floor((context.percent * 40) / 100);
      return step === "AFTER_HOOKS" ? computeChildProgress(context, start, 75, 24) : start;
    },
    result: () => {
      const { done, notDone } = reportWork(
        context,
        byValues && !isPackage ? "app.update" : "app.upgrade",
        context.app === "changed",
      );
      return {
        app: APP[context.app],
        ...(from !== undefined && { from }),
        ...(to !== undefined && { to }),
        snapshots: [...snapshots],
        ...(byValues && { directories: [...directories], shares: [...shares] }),
        repaired: [...repaired],
        // A failed upgrade was followed by a start of the old version.
        done: context.app === "changed" ? done : [...calls, ...done],
        notDone,
      };
    },
  });
}
