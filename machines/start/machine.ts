/**
 * Starting one installed app: `app.start` unless it is up, then the wait until it runs.
 *
 * Invariants:
 * 1. `app.start` is asked for once per attempt, and only in STARTING; of an app that is up it is not asked for.
 * 2. COMPLETED is reached only by the host's word that the app is RUNNING.
 * 3. CANCELLED is reached only when no host call of this task is under way, unless a person insists.
 */
import { setup } from "xstate";
import { beginLifecycle, type LifecycleContext } from "../lifecycle/context.ts";
import { createLifecycleActions, lifecycleDelays, lifecycleGuards } from "../lifecycle/implementations.ts";
import type { StartEvent, StartInput } from "./types.ts";

/** The start of one app. */
export const startMachine = setup({
  types: { context: {} as LifecycleContext, events: {} as StartEvent, input: {} as StartInput },
  actions: createLifecycleActions<StartEvent>(),
  guards: lifecycleGuards,
  delays: lifecycleDelays,
}).createMachine({
  id: "start",
  context: ({ input }) => beginLifecycle(input),
  initial: "RUNNING",
  on: {
    "host.*": { description: "How the app is now is kept", actions: { type: "note", params: ({ event }) => event } },
    "engine.failed": { description: "As if it won't start", actions: { type: "note", params: ({ event }) => event } },
  },
  states: {
    RUNNING: {
      description: "The start, step by step",
      initial: "STARTING",
      always: {
        description: "The host refused to start it, or it did not come up",
        guard: "hasFailed",
        target: "FAILED",
      },
      on: {
        "user.cancel": { description: "A person stops waiting; the call under way ends first", target: "CLOSING" },
      },
      states: {
        STARTING: {
          description: "The host starts the app, unless it is up or on its way",
          entry: [
            "callApp",
            { type: "host.app.start", params: ({ context }) => ({ appId: context.input.appId, wanted: true }) },
          ],
          always: { description: "Its containers are started", guard: "isDone", target: "COMING_UP" },
        },
        COMING_UP: {
          description: "Waits until the app runs",
          entry: { type: "host.app.wait", params: ({ context }) => ({ appId: context.input.appId }) },
          exit: { type: "effect.cancel", params: { name: "host.app.wait" } },
          on: {
            "app.running": { description: "It runs", target: "#start.COMPLETED" },
            "app.crashed": { description: "It crashed, or is gone", actions: "failNotRunning" },
          },
          after: {
            runningDeadline: { description: "It took too long to come up", actions: "failNotRunning" },
          },
        },
      },
    },

    FAILED: {
      description: "The app was not started, or did not come up",
      on: {
        "user.retry": {
          description: "Starts it once more, unless it runs",
          target: "RUNNING",
          actions: "forgetAttempt",
        },
        "user.dismiss": { description: "A person puts the start away", target: "DISMISSED" },
        "user.cancel": { description: "Puts the start away as well", target: "DISMISSED" },
      },
    },

    CLOSING: {
      description: "Waits for the end of the host call under way, so that the result can say how the app is left",
      always: { description: "The call has ended", guard: "isQuiet", target: "CANCELLED" },
      on: {
        "user.cancel": { description: "A person insists: the start ends now", target: "CANCELLED", actions: "giveUp" },
      },
    },

    COMPLETED: { description: "The app runs", type: "final" },
    DISMISSED: { description: "A failed start was put away", type: "final" },
    CANCELLED: { description: "Given up by a person; the result says whether the app was started", type: "final" },
  },
});
