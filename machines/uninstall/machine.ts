/**
 * Uninstalling one app: `app.delete`, and where its data goes too a snapshot of it, its directories, its answers. No
 * hook fires.
 *
 * Invariants:
 * 1. Nothing of the data is touched before the host has the app no more, and every snapshot of it is taken; another
 *    attempt takes them anew.
 * 2. Only the directories the task was started with are removed, and of these only those a snapshot of the attempt holds.
 * 3. Answers and generated secrets are forgotten only once nothing of the data they fit is left.
 * 4. CANCELLED is reached only when no host call of this task is under way, unless a person insists; the removal of data
 *    stops at once.
 */
import { setup } from "xstate";
import { beginLifecycle, type LifecycleContext } from "../lifecycle/context.ts";
import { createLifecycleActions, lifecycleGuards } from "../lifecycle/implementations.ts";
import type { UninstallEvent, UninstallInput } from "./types.ts";

/** The uninstall of one app. */
export const uninstallMachine = setup({
  types: { context: {} as LifecycleContext, events: {} as UninstallEvent, input: {} as UninstallInput },
  actions: createLifecycleActions<UninstallEvent>(),
  guards: lifecycleGuards,
}).createMachine({
  id: "uninstall",
  context: ({ input }) => beginLifecycle(input),
  initial: "RUNNING",
  on: {
    "host.*": { description: "What is gone is kept in mind", actions: { type: "note", params: ({ event }) => event } },
    "engine.failed": { description: "As if it was refused", actions: { type: "note", params: ({ event }) => event } },
  },
  states: {
    RUNNING: {
      description: "The uninstall, step by step",
      initial: "DELETING",
      always: { description: "The app, a snapshot or the data was refused", guard: "hasFailed", target: "FAILED" },
      on: {
        "user.cancel": { description: "A person stops the uninstall; what is gone stays gone", target: "CLOSING" },
      },
      states: {
        DELETING: {
          description: "The host removes the app, with its own volumes where the data goes too",
          entry: [
            "callApp",
            {
              type: "host.app.delete",
              params: ({ context }) => ({
                appId: context.input.appId,
                withVolumes: context.input.removes !== undefined,
              }),
            },
          ],
          always: [
            { description: "Its data stays", guard: "isDoneWithData", target: "#uninstall.COMPLETED" },
            { description: "It is gone, and lets its data go", guard: "isDone", target: "SNAPSHOTS" },
          ],
        },
        SNAPSHOTS: {
          description: "Takes a snapshot of every dataset that holds a directory to remove",
          entry: [
            "callHost",
            {
              type: "host.snapshots",
              params: ({ context }) => ({
                appId: context.input.appId,
                purpose: "uninstall",
                paths: listRemaining(context),
              }),
            },
          ],
          always: { description: "The data can be gone back to", guard: "isDone", target: "REMOVING" },
        },
        REMOVING: {
          description: "Removes the app's own directories, then forgets its answers; what can't go safely is left",
          entry: [
            "callHost",
            {
              type: "host.directories.remove",
              params: ({ context }) => ({
                appId: context.input.appId,
                paths: [...(context.input.removes ?? [])],
                held: { ...context.work.held },
                ...(context.input.keepsAnswers === true && { keepsAnswers: true }),
              }),
            },
          ],
          always: { description: "What could go is gone", guard: "isDone", target: "#uninstall.COMPLETED" },
          on: {
            "user.cancel": {
              description: "A person stops the uninstall; what is gone stays gone",
              target: "#uninstall.CANCELLED",
              actions: "giveUp",
            },
          },
        },
      },
    },

    FAILED: {
      description: "The host kept the app, or refused a snapshot",
      on: {
        "user.retry": [
          {
            description: "The data may have changed since: snapshots of it first",
            guard: "isDataLeft",
            target: "RUNNING.SNAPSHOTS",
            actions: "forgetFailure",
          },
          { description: "Once more", target: "RUNNING", actions: "forgetFailure" },
        ],
        "user.dismiss": { description: "A person puts the uninstall away", target: "DISMISSED" },
        "user.cancel": { description: "Puts the uninstall away as well", target: "DISMISSED" },
      },
    },

    CLOSING: {
      description: "Waits for the end of the host call under way, so that the result can say how the app is left",
      always: { description: "Nothing more is removed", guard: "isQuiet", target: "CANCELLED" },
      on: {
        "user.cancel": { description: "A person insists: it ends now", target: "CANCELLED", actions: "giveUp" },
      },
    },

    COMPLETED: { description: "The app is gone; the result says what of it is left", type: "final" },
    DISMISSED: { description: "A failed uninstall was put away", type: "final" },
    CANCELLED: { description: "Given up by a person; the result says what is gone", type: "final" },
  },
});

/** The directories an earlier attempt has not removed; a dataset it has emptied may hold something again. */
function listRemaining({ input, work }: LifecycleContext): string[] {
  return (input.removes ?? []).filter((path) => work.removed?.includes(path) !== true);
}
