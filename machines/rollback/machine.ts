/**
 * Rolling one app back to what a task noted before it changed the app: a snapshot of the present, the version and the
 * values by the host, then the datasets that are the app's own.
 *
 * Invariants:
 * 1. Nothing is changed before the snapshot of the present is taken and the host shows it, unless a person said to go
 *    on without.
 * 2. No dataset is touched before the host has said that the app is STOPPED.
 * 3. The newer version never meets the older data, which it would change again: the version goes back first.
 * 4. COMPLETED is reached only by the host's word that the app is RUNNING.
 * 5. CANCELLED is reached only when no host call of this task is under way, unless a person insists; the result says
 *    what is back and what is not.
 */
import { setup } from "xstate";
import { beginLifecycle, type LifecycleContext } from "../lifecycle/context.ts";
import { createLifecycleActions, lifecycleDelays, lifecycleGuards } from "../lifecycle/implementations.ts";
import type { RollbackEvent, RollbackInput } from "./types.ts";

/** The rollback of one app. */
export const rollbackMachine = setup({
  types: { context: {} as LifecycleContext, events: {} as RollbackEvent, input: {} as RollbackInput },
  actions: createLifecycleActions<RollbackEvent>(),
  guards: lifecycleGuards,
  delays: lifecycleDelays,
}).createMachine({
  id: "rollback",
  context: ({ input }) => beginLifecycle(input),
  initial: "RUNNING",
  on: {
    "host.*": { description: "What is back is kept in mind", actions: { type: "note", params: ({ event }) => event } },
    "engine.failed": { description: "As if a step failed", actions: { type: "note", params: ({ event }) => event } },
  },
  states: {
    RUNNING: {
      description: "The rollback, step by step",
      initial: "SNAPSHOTS",
      always: { description: "A step was refused, or the app did not come up", guard: "hasFailed", target: "FAILED" },
      on: {
        "user.cancel": { description: "A person stops the rollback; what is back stays", target: "CLOSING" },
      },
      states: {
        AGAIN: { description: "The step a failed rollback stopped in", type: "history", target: "SNAPSHOTS" },
        SNAPSHOTS: {
          description: "Takes a snapshot of each dataset to restore as it is now, and notes how the app is now",
          entry: [
            "callHost",
            { type: "host.snapshots", params: ({ context }) => ({ appId: context.input.appId, purpose: "rollback" }) },
          ],
          always: [
            { description: "Version or values go back first", guard: "isDoneAndReverts", target: "WAKING" },
            { description: "Version and values stay", guard: "isDone", target: "STOPPED" },
          ],
        },
        WAKING: {
          description: "The host rolls running apps back only: a stopped one is started first, and a mark says so",
          entry: ["callHost", { type: "host.app.start", params: ({ context }) => ({ appId: context.input.appId }) }],
          always: { description: "It is not stopped, or no longer", guard: "isDone", target: "REVERTING" },
        },
        REVERTING: {
          description: "The host brings back the version, with its own volumes, and the values; the engine the answers",
          entry: ["callApp", { type: "host.app.rollback", params: ({ context }) => ({ appId: context.input.appId }) }],
          always: [
            { description: "There are datasets to restore", guard: "isDoneAndRestores", target: "STOPPED" },
            { description: "No dataset is to be restored", guard: "isDone", target: "COMING_UP" },
          ],
        },
        STOPPED: {
          description: "The app is down while its datasets change places: a retry stops one that was started since",
          initial: "STOPPING",
          states: {
            STOPPING: {
              description: "The host stops the app, so that nothing writes to its datasets",
              entry: ["callHost", { type: "host.app.stop", params: ({ context }) => ({ appId: context.input.appId }) }],
              always: { description: "Its containers were told to end", guard: "isDone", target: "GOING_DOWN" },
            },
            GOING_DOWN: {
              description: "Waits until the app is stopped",
              entry: { type: "host.app.waitStopped", params: ({ context }) => ({ appId: context.input.appId }) },
              exit: { type: "effect.cancel", params: { name: "host.app.waitStopped" } },
              on: {
                "app.stopped": { description: "Nothing of it writes any more", target: "RESTORING" },
              },
              after: {
                runningDeadline: { description: "Its containers took too long to end", actions: "failNotStopped" },
              },
            },
            RESTORING: {
              description: "Puts what the snapshots hold in the place of each dataset, and the present aside",
              entry: [
                "callApp",
                { type: "host.datasets.restore", params: ({ context }) => ({ appId: context.input.appId }) },
              ],
              always: { description: "The data is back", guard: "isDone", target: "#rollback.RUNNING.STARTING" },
            },
          },
        },
        STARTING: {
          description: "The host starts the app on its old data",
          entry: [
            "callHost",
            { type: "host.app.start", params: ({ context }) => ({ appId: context.input.appId, wanted: true }) },
          ],
          always: { description: "Its containers are started", guard: "isDone", target: "COMING_UP" },
        },
        COMING_UP: {
          description: "Waits until the app runs",
          entry: { type: "host.app.wait", params: ({ context }) => ({ appId: context.input.appId }) },
          exit: { type: "effect.cancel", params: { name: "host.app.wait" } },
          on: {
            "app.running": { description: "It runs as it did", target: "#rollback.COMPLETED" },
            "app.crashed": { description: "It crashed as it came up, or is gone", actions: "failNotRunning" },
          },
          after: {
            runningDeadline: { description: "It took too long to come up", actions: "failNotRunning" },
          },
        },
      },
    },

    FAILED: {
      description: "A step could not be done; the failure says which, the result what is back",
      on: {
        "user.retry": [
          {
            description: "All is back: the app is started once more",
            guard: "isNotUp",
            target: "RUNNING.STARTING",
            actions: "forgetFailure",
          },
          { description: "That step once more", target: "RUNNING.AGAIN", actions: "forgetFailure" },
        ],
        "user.dismiss": { description: "A person puts the rollback away", target: "DISMISSED" },
        "user.cancel": { description: "Puts the rollback away as well", target: "DISMISSED" },
      },
    },

    CLOSING: {
      description: "Waits for the end of the host call under way, so that the result can say what is back",
      always: { description: "The host is at rest", guard: "isQuiet", target: "CANCELLED" },
      on: {
        "user.cancel": { description: "A person insists: it ends now", target: "CANCELLED", actions: "giveUp" },
      },
    },

    COMPLETED: { description: "The app runs as it did then; the result says what is back", type: "final" },
    DISMISSED: { description: "A failed rollback was put away", type: "final" },
    CANCELLED: { description: "Given up by a person; the result says what is back", type: "final" },
  },
});
