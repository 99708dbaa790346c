/**
 * Restarting one installed app: stopped, waited for, started, waited for. One that is stopped is started.
 *
 * Invariants:
 * 1. The app is not started before the host has said that it is STOPPED.
 * 2. COMPLETED is reached only by the host's word that the app is RUNNING.
 * 3. CANCELLED is reached only when no host call of this task is under way, unless a person insists; the result says
 *    where the app was left.
 */
import { setup } from "xstate";
import { beginLifecycle, type LifecycleContext } from "../lifecycle/context.ts";
import { createLifecycleActions, lifecycleDelays, lifecycleGuards } from "../lifecycle/implementations.ts";
import type { RestartEvent, RestartInput } from "./types.ts";

/** The restart of one app. */
export const restartMachine = setup({
  types: { context: {} as LifecycleContext, events: {} as RestartEvent, input: {} as RestartInput },
  actions: createLifecycleActions<RestartEvent>(),
  guards: lifecycleGuards,
  delays: lifecycleDelays,
}).createMachine({
  id: "restart",
  context: ({ input }) => beginLifecycle(input),
  initial: "RUNNING",
  on: {
    "host.*": { description: "Where the app stands is kept", actions: { type: "note", params: ({ event }) => event } },
    "engine.failed": { description: "As if a step failed", actions: { type: "note", params: ({ event }) => event } },
  },
  states: {
    RUNNING: {
      description: "The restart, step by step",
      initial: "STOPPING",
      always: {
        description: "It was not stopped, not started, or did not come up",
        guard: "hasFailed",
        target: "FAILED",
      },
      on: {
        "user.cancel": { description: "A person stops the restart; the app stays where it is then", target: "CLOSING" },
      },
      states: {
        STOPPING: {
          description: "The host stops the app; one that is stopped is left so",
          entry: ["callApp", { type: "host.app.stop", params: ({ context }) => ({ appId: context.input.appId }) }],
          always: { description: "Its old containers were told to end", guard: "isDone", target: "GOING_DOWN" },
        },
        GOING_DOWN: {
          description: "Waits until the old containers are gone",
          entry: { type: "host.app.waitStopped", params: ({ context }) => ({ appId: context.input.appId }) },
          exit: { type: "effect.cancel", params: { name: "host.app.waitStopped" } },
          on: {
            "app.stopped": { description: "It is stopped and can be started anew", target: "STARTING" },
          },
          after: {
            runningDeadline: { description: "The old containers took too long to end", actions: "failNotStopped" },
          },
        },
        STARTING: {
          description: "The host starts the app anew",
          entry: [
            "callApp",
            { type: "host.app.start", params: ({ context }) => ({ appId: context.input.appId, wanted: true }) },
          ],
          always: { description: "Its new containers are started", guard: "isDone", target: "COMING_UP" },
        },
        COMING_UP: {
          description: "Waits until the app runs again",
          entry: { type: "host.app.wait", params: ({ context }) => ({ appId: context.input.appId }) },
          exit: { type: "effect.cancel", params: { name: "host.app.wait" } },
          on: {
            "app.running": { description: "It runs again", target: "#restart.COMPLETED" },
            "app.crashed": { description: "It crashed as it came up, or is gone", actions: "failNotRunning" },
          },
          after: {
            runningDeadline: { description: "The new containers took too long", actions: "failNotRunning" },
          },
        },
      },
    },

    FAILED: {
      description: "The app was not restarted; the failure says where it stands",
      on: {
        "user.retry": {
          description: "From the beginning, as the app is now",
          target: "RUNNING",
          actions: "forgetAttempt",
        },
        "user.dismiss": { description: "A person puts the restart away", target: "DISMISSED" },
        "user.cancel": { description: "Puts the restart away as well", target: "DISMISSED" },
      },
    },

    CLOSING: {
      description: "Waits for the end of the host call under way, so that the result can say how the app is left",
      always: { description: "The host is at rest", guard: "isQuiet", target: "CANCELLED" },
      on: {
        "user.cancel": { description: "A person insists: it ends now", target: "CANCELLED", actions: "giveUp" },
      },
    },

    COMPLETED: { description: "The app runs again", type: "final" },
    DISMISSED: { description: "A failed restart was put away", type: "final" },
    CANCELLED: { description: "Given up by a person; the result says where the app was left", type: "final" },
  },
});
