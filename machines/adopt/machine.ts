/**
 * Adopting one app that was installed by other means: it is looked at once more, and what its configuration tells is kept. The
 * host is asked and never told anything; no hook fires.
 *
 * Invariants:
 * 1. Nothing is kept of an app that is not as it was shown.
 * 2. CANCELLED is reached only when the look has ended, unless a person insists; the result says whether the app is kept.
 */
import { setup } from "xstate";
import { beginLifecycle, type LifecycleContext } from "../lifecycle/context.ts";
import { createLifecycleActions, lifecycleGuards } from "../lifecycle/implementations.ts";
import type { AdoptEvent, AdoptInput } from "./types.ts";

/** The adoption of one app. */
export const adoptMachine = setup({
  types: { context: {} as LifecycleContext, events: {} as AdoptEvent, input: {} as AdoptInput },
  actions: createLifecycleActions<AdoptEvent>(),
  guards: lifecycleGuards,
}).createMachine({
  id: "adopt",
  context: ({ input }) => beginLifecycle(input),
  initial: "PENDING",
  on: {
    "host.*": { description: "What was found is kept", actions: { type: "note", params: ({ event }) => event } },
    "engine.failed": { description: "As if it was refused", actions: { type: "note", params: ({ event }) => event } },
  },
  states: {
    PENDING: {
      description: "Planned under an import; its turn has not come",
      always: { description: "A person asked for this adoption itself", guard: "startsAtOnce", target: "RUNNING" },
      on: {
        "parent.start": { description: "The apps before it have ended", target: "RUNNING" },
        "parent.cancel": { description: "The import was cancelled", target: "CANCELLED" },
        "user.cancel": { description: "A person leaves this app out", target: "CANCELLED" },
      },
    },

    RUNNING: {
      description: "The adoption, step by step",
      initial: "ADOPTING",
      always: { description: "The app is gone, or not as it was shown", guard: "hasFailed", target: "FAILED" },
      on: {
        "parent.cancel": { description: "The import was cancelled", target: "CLOSING" },
        "user.cancel": { description: "A person stops the adoption", target: "CLOSING" },
      },
      states: {
        ADOPTING: {
          description: "Looks at the app once more, and keeps what its configuration tells",
          entry: ["callApp", { type: "host.app.adopt", params: ({ context }) => ({ appId: context.input.appId }) }],
          always: { description: "It is as it was shown", guard: "isDone", target: "#adopt.COMPLETED" },
        },
      },
    },

    FAILED: {
      description: "The app was not adopted; the failure says what is other than was shown",
      on: {
        "user.retry": { description: "Looks at it again", target: "RUNNING", actions: "forgetFailure" },
        "user.dismiss": { description: "A person puts the adoption away", target: "DISMISSED" },
        "user.cancel": { description: "Puts the adoption away as well", target: "DISMISSED" },
      },
    },

    CLOSING: {
      description: "Waits for the end of the look under way, so that the result can say whether the app is kept",
      always: { description: "The look has ended", guard: "isQuiet", target: "CANCELLED" },
      on: {
        "user.cancel": { description: "A person insists: it ends now", target: "CANCELLED", actions: "giveUp" },
      },
    },

    COMPLETED: { description: "The app is one of those this engine looks after", type: "final" },
    DISMISSED: { description: "A failed adoption was put away", type: "final" },
    CANCELLED: { description: "Given up by a person; the result says whether the app is kept", type: "final" },
  },
});
