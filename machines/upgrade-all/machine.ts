/**
 * Upgrading several apps, one after another. Which apps, and their order, was decided before the task started; each
 * upgrade is a child with a plan of its own.
 *
 * Invariants:
 * 1. One upgrade has its turn at a time, in the order planned; every one is a row from the first turn on.
 * 2. An upgrade that failed, was refused or can't go on frees the next one, or keeps all later ones from beginning.
 * 3. CANCELLED is reached only when every upgrade has ended, unless a person insists.
 */
import { setup } from "xstate";
import { beginLifecycle, type LifecycleContext } from "../lifecycle/context.ts";
import { createLifecycleActions, lifecycleGuards } from "../lifecycle/implementations.ts";
import type { UpgradeAllEvent, UpgradeAllInput } from "./types.ts";

/** The upgrades of several apps. */
export const upgradeAllMachine = setup({
  types: { context: {} as LifecycleContext, events: {} as UpgradeAllEvent, input: {} as UpgradeAllInput },
  actions: createLifecycleActions<UpgradeAllEvent>(),
  guards: lifecycleGuards,
}).createMachine({
  id: "upgrade-all",
  context: ({ input }) => beginLifecycle(input),
  entry: "planChildren",
  initial: "RUNNING",
  on: {
    "child.changed": { description: "Of an upgrade", actions: { type: "note", params: ({ event }) => event } },
  },
  states: {
    RUNNING: {
      description: "The upgrades, one after another",
      initial: "UPGRADING",
      on: {
        "user.cancel": { description: "A person stops the upgrades; those done stay", target: "CLOSING" },
      },
      states: {
        UPGRADING: {
          description: "Upgrades the next app once the upgrade before it has ended",
          always: [
            {
              description: "One has failed, and no other is to follow",
              guard: "stopsHere",
              target: "#upgrade-all.CLOSING",
            },
            {
              description: "The turn of the next app",
              guard: { type: "isDue", params: { phase: "upgrade" } },
              actions: { type: "startChild", params: { phase: "upgrade" } },
            },
            {
              description: "No app is left",
              guard: { type: "isOver", params: { phase: "upgrade" } },
              target: "#upgrade-all.COMPLETED",
            },
          ],
        },
      },
    },

    CLOSING: {
      description: "Begins no further upgrade, and waits for the end of the one under way",
      entry: "cancelChildren",
      always: { description: "Every upgrade has ended", guard: "isQuiet", target: "CANCELLED" },
      on: {
        "user.cancel": { description: "A person insists: it ends now", target: "CANCELLED", actions: "giveUp" },
      },
    },

    COMPLETED: { description: "Every upgrade has had its turn; the result says which did not succeed", type: "final" },
    CANCELLED: { description: "Stopped by a person or a failed upgrade; the result says what was done", type: "final" },
  },
});
