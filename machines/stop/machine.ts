/**
 * Stopping one installed app: `app.stop` unless it is stopped, then the wait until it is.
 *
 * Invariants:
 * 1. `app.stop` is asked for once per attempt, and only in STOPPING; of a stopped app it is not asked for.
 * 2. COMPLETED is reached only by the host's word that the app is STOPPED.
 * 3. CANCELLED is reached only when no host call of this task is under way, unless a person insists.
 */
import { setup } from "xstate";
import { beginLifecycle, type LifecycleContext } from "../lifecycle/context.ts";
import { createLifecycleActions, lifecycleDelays, lifecycleGuards } from "../lifecycle/implementations.ts";
import type { StopEvent, StopInput } from "./types.ts";

/** The stop of one app. */
export const stopMachine = setup({
  types: { context: {} as LifecycleContext, events: {} as StopEvent, input: {} as StopInput },
  actions: createLifecycleActions<StopEvent>(),
  guards: lifecycleGuards,
  delays: lifecycleDelays,
}).createMachine({
  id: "stop",
  context: ({ input }) => beginLifecycle(input),
  initial: "RUNNING",
  on: {
    "host.*": {
      description: "What became of the app is kept",
      actions: { type: "note", params: ({ event }) => event },
    },
    "engine.failed": { description: "As if it won't stop", actions: { type: "note", params: ({ event }) => event } },
  },
  states: {
    RUNNING: {
      description: "The stop, step by step",
      initial: "STOPPING",
      always: { description: "The host refused to stop it, or it still runs", guard: "hasFailed", target: "FAILED" },
      on: {
        "user.cancel": { description: "A person thinks better of it; the call ends first", target: "CLOSING" },
      },
      states: {
        STOPPING: {
          description: "The host stops the app, unless it is stopped",
          entry: ["callApp", { type: "host.app.stop", params: ({ context }) => ({ appId: context.input.appId }) }],
          always: { description: "Its containers were told to end", guard: "isDone", target: "GOING_DOWN" },
        },
        GOING_DOWN: {
          description: "Waits until the app is stopped",
          entry: { type: "host.app.waitStopped", params: ({ context }) => ({ appId: context.input.appId }) },
          exit: { type: "effect.cancel", params: { name: "host.app.waitStopped" } },
          on: {
            "app.stopped": { description: "It is stopped", target: "#stop.COMPLETED" },
          },
          after: {
            runningDeadline: { description: "It took too long to go down", actions: "failNotStopped" },
          },
        },
      },
    },

    FAILED: {
      description: "The app was not stopped",
      on: {
        "user.retry": { description: "Stops it once more, unless it is", target: "RUNNING", actions: "forgetAttempt" },
        "user.dismiss": { description: "A person puts the stop away", target: "DISMISSED" },
        "user.cancel": { description: "Puts the stop away as well", target: "DISMISSED" },
      },
    },

    CLOSING: {
      description: "Waits for the end of the host call under way, so that the result can say how the app is left",
      always: { description: "Nothing is asked of the host any more", guard: "isQuiet", target: "CANCELLED" },
      on: {
        "user.cancel": { description: "A person insists: the stop ends now", target: "CANCELLED", actions: "giveUp" },
      },
    },

    COMPLETED: { description: "The app is stopped", type: "final" },
    DISMISSED: { description: "A failed stop was put away", type: "final" },
    CANCELLED: { description: "Given up by a person; the result says whether the app was stopped", type: "final" },
  },
});
