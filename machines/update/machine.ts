/**
 * Updating one app's options, or bringing it to a newer script: snapshots, directories, `app.update` with the merged
 * values, ownership. No hook fires.
 *
 * Invariants:
 * 1. Every declared snapshot is taken before anything touches the app.
 * 2. `app.update` is asked for once per attempt, and only in UPDATING.
 * 3. CANCELLED is reached only when no host call of this task is under way, unless a person insists.
 * 4. Values and secrets are in the stored plan; the context holds names, paths and states.
 */
import { setup } from "xstate";
import { beginLifecycle, type LifecycleContext, listMissingDirectories } from "../lifecycle/context.ts";
import { createLifecycleActions, lifecycleGuards } from "../lifecycle/implementations.ts";
import type { UpdateEvent, UpdateInput } from "./types.ts";

/** The update of one app. */
export const updateMachine = setup({
  types: { context: {} as LifecycleContext, events: {} as UpdateEvent, input: {} as UpdateInput },
  actions: createLifecycleActions<UpdateEvent>(),
  guards: lifecycleGuards,
}).createMachine({
  id: "update",
  context: ({ input }) => beginLifecycle(input),
  initial: "RUNNING",
  on: {
    "host.*": { description: "What was set is kept", actions: { type: "note", params: ({ event }) => event } },
    "engine.failed": { description: "As if it was refused", actions: { type: "note", params: ({ event }) => event } },
  },
  states: {
    RUNNING: {
      description: "The update, step by step",
      initial: "SNAPSHOTS",
      always: {
        description: "The values were refused, or a snapshot, a directory or an owner",
        guard: "hasFailed",
        target: "FAILED",
      },
      on: {
        "user.cancel": { description: "A person stops the update; the call under way ends first", target: "CLOSING" },
      },
      states: {
        AGAIN: { description: "The step a failed update stopped in", type: "history", target: "SNAPSHOTS" },
        SNAPSHOTS: {
          description: "Takes a snapshot of every dataset a declared path names, to go back to the old values",
          entry: [
            "callHost",
            {
              type: "host.snapshots",
              params: ({ context }) => ({ appId: context.input.appId, purpose: "update" }),
            },
          ],
          always: { description: "The old values can be gone back to", guard: "isDone", target: "DIRECTORIES" },
        },
        DIRECTORIES: {
          description: "Creates the directories the new values need with owner and share; existing ones are left alone",
          entry: ["callHost", { type: "host.directories", params: ({ context }) => listMissingDirectories(context) }],
          always: { description: "All are there", guard: "isDone", target: "UPDATING" },
        },
        UPDATING: {
          description: "The host takes the merged values",
          entry: ["callApp", { type: "host.app.update", params: ({ context }) => ({ appId: context.input.appId }) }],
          always: { description: "The app has the new values", guard: "isDone", target: "OWNERSHIP" },
        },
        OWNERSHIP: {
          description: "Gives directories of the new values their owners, with a snapshot to go back to",
          entry: ["callHost", { type: "host.ownership", params: ({ context }) => ({ appId: context.input.appId }) }],
          always: { description: "The owners are the declared ones", guard: "isDone", target: "#update.COMPLETED" },
        },
      },
    },

    FAILED: {
      description: "The host refused the values, or a snapshot or an owner",
      on: {
        "user.retry": { description: "The same values once more", target: "RUNNING.AGAIN", actions: "forgetFailure" },
        "user.dismiss": { description: "A person puts the update away", target: "DISMISSED" },
        "user.cancel": { description: "Puts the update away as well", target: "DISMISSED" },
      },
    },

    CLOSING: {
      description: "Waits for the end of the host call under way, so that the result can say how the app is left",
      always: { description: "The call has ended", guard: "isQuiet", target: "CANCELLED" },
      on: {
        "user.cancel": { description: "A person insists: the update ends now", target: "CANCELLED", actions: "giveUp" },
      },
    },

    COMPLETED: { description: "The app has its new values and its owners", type: "final" },
    DISMISSED: { description: "A failed update was put away", type: "final" },
    CANCELLED: { description: "Stopped by a person; the result says which values the app has", type: "final" },
  },
});
