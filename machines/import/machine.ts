/**
 * Setting up the apps of another box, one after another, then the links between them and the upgrade policies. Which apps,
 * and their order, was decided before the task started; each is a child with a plan of its own.
 *
 * Invariants:
 * 1. One app or link has its turn at a time, in the order planned; every one is a row from the first turn on.
 * 2. An app that failed keeps no other app from its turn, and every link that needs it from beginning.
 * 3. Policies are set when every app and link has ended, and not at all where a person stops the import.
 * 4. CANCELLED is reached only when every child has ended, unless a person insists.
 */
import { setup } from "xstate";
import { beginLifecycle, type LifecycleContext } from "../lifecycle/context.ts";
import { createLifecycleActions, lifecycleGuards } from "../lifecycle/implementations.ts";
import type { ImportEvent, ImportInput } from "./types.ts";

/** The import of the apps of another box. */
export const importMachine = setup({
  types: { context: {} as LifecycleContext, events: {} as ImportEvent, input: {} as ImportInput },
  actions: createLifecycleActions<ImportEvent>(),
  guards: lifecycleGuards,
}).createMachine({
  id: "import",
  context: ({ input }) => beginLifecycle(input),
  entry: "planChildren",
  initial: "RUNNING",
  on: {
    "child.changed": { description: "Of an app or link", actions: { type: "note", params: ({ event }) => event } },
  },
  states: {
    RUNNING: {
      description: "The import, step by step",
      initial: "INSTALLING",
      on: {
        "user.cancel": { description: "A person stops the import; what is installed stays", target: "CLOSING" },
      },
      states: {
        INSTALLING: {
          description: "Installs or adopts the next app once the one before it has ended",
          always: [
            {
              description: "The turn of the next app",
              guard: { type: "isDue", params: { phase: "import" } },
              actions: { type: "startChild", params: { phase: "import" } },
            },
            {
              description: "No app is left",
              guard: { type: "isOver", params: { phase: "import" } },
              target: "LINKING",
            },
          ],
        },
        LINKING: {
          description: "Runs the links between the apps that are there, one at a time",
          always: [
            {
              description: "An app the next link needs is not there: the link is left out",
              guard: { type: "isStranded", params: { phase: "link" } },
              actions: { type: "strandChild", params: { phase: "link" } },
            },
            {
              description: "The next link, once the one before it has ended",
              guard: { type: "isDue", params: { phase: "link" } },
              actions: { type: "startChild", params: { phase: "link" } },
            },
            {
              description: "No link is left, and policies came with the apps",
              guard: { type: "isOverAndSetsPolicies", params: { phase: "link" } },
              target: "POLICIES",
            },
            {
              description: "No link is left",
              guard: { type: "isOver", params: { phase: "link" } },
              target: "#import.COMPLETED",
            },
          ],
        },
        POLICIES: {
          description: "Sets when upgrades begin by themselves, where nobody has on this box",
          entry: { type: "policies.keep", params: ({ context }) => ({ policies: context.input.policies ?? {} }) },
          exit: { type: "effect.cancel", params: { name: "policies.keep" } },
          on: {
            "policies.kept": { description: "They count from now on", target: "#import.COMPLETED" },
            "engine.failed": {
              description: "Nobody knows whether they were set",
              target: "#import.COMPLETED",
              actions: "markPoliciesUnknown",
            },
          },
        },
      },
    },

    CLOSING: {
      description: "Begins nothing more, and waits for the end of what is under way",
      entry: "cancelChildren",
      always: { description: "Every app and link has ended", guard: "isQuiet", target: "CANCELLED" },
      on: {
        "user.cancel": { description: "A person insists: it ends now", target: "CANCELLED", actions: "giveUp" },
      },
    },

    COMPLETED: { description: "All have had their turn; the result says which did not succeed", type: "final" },
    CANCELLED: { description: "Stopped by a person; the result says what was done", type: "final" },
  },
});
