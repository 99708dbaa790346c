/**
 * Installing one app: directories, hooks before, `app.create`, wait until it runs, hooks after, missing targets, links.
 * The plan was validated, resolved and frozen before the task started.
 *
 * Invariants:
 * 1. One child has its turn at a time, in the order planned; every planned child is a row from the first turn on.
 * 2. `app.create` is asked for once per attempt, and only in CREATING.
 * 3. A failed or cancelled child never fails the install: it frees the next one.
 * 4. CANCELLED is reached only when no host call of this task is under way and every child has ended, unless a person insists.
 * 5. Values and secrets are in the stored plan; the context holds names, paths and states.
 */
import { setup } from "xstate";
import { beginLifecycle, type LifecycleContext, listDirectories } from "../lifecycle/context.ts";
import { createLifecycleActions, lifecycleDelays, lifecycleGuards } from "../lifecycle/implementations.ts";
import type { InstallEvent, InstallInput } from "./types.ts";

/** The install of one app. */
export const installMachine = setup({
  types: { context: {} as LifecycleContext, events: {} as InstallEvent, input: {} as InstallInput },
  actions: createLifecycleActions<InstallEvent>(),
  guards: lifecycleGuards,
  delays: lifecycleDelays,
}).createMachine({
  id: "install",
  context: ({ input }) => beginLifecycle(input),
  entry: "planChildren",
  initial: "PENDING",
  on: {
    "host.*": { description: "What was made is kept", actions: { type: "note", params: ({ event }) => event } },
    "engine.failed": { description: "As if the host failed", actions: { type: "note", params: ({ event }) => event } },
    "child.changed": {
      description: "Of a hook, link or target",
      actions: { type: "note", params: ({ event }) => event },
    },
  },
  states: {
    PENDING: {
      description: "Planned under another install; its turn has not come",
      always: { description: "A person asked for this install itself", guard: "startsAtOnce", target: "RUNNING" },
      on: {
        "parent.start": { description: "Its turn has come", target: "RUNNING" },
        "parent.cancel": { description: "The install it is planned under was cancelled", target: "CLOSING" },
        "user.cancel": { description: "A person leaves it out beforehand", target: "CLOSING" },
      },
    },

    RUNNING: {
      description: "The install, step by step",
      initial: "DIRECTORIES",
      always: { description: "A directory or the app could not be made", guard: "hasFailed", target: "FAILED" },
      on: {
        "parent.cancel": { description: "The install it is part of was cancelled", target: "CLOSING" },
        "user.cancel": { description: "A person stops the install; what is made stays", target: "CLOSING" },
      },
      states: {
        AGAIN: { description: "The step a failed install stopped in", type: "history", target: "DIRECTORIES" },
        DIRECTORIES: {
          description: "Creates the declared directories with owner and share, below their locations",
          entry: ["callHost", { type: "host.directories", params: ({ context }) => listDirectories(context) }],
          always: { description: "All are there", guard: "isDone", target: "BEFORE_HOOKS" },
        },
        BEFORE_HOOKS: {
          description: "Runs the onBeforeInstall hooks one after another; the app is not created before they ended",
          always: [
            {
              description: "The next hook before the app, once the one before it has ended",
              guard: { type: "isDue", params: { phase: "onBeforeInstall" } },
              actions: { type: "startChild", params: { phase: "onBeforeInstall" } },
            },
            {
              description: "No hook is left before the app",
              guard: { type: "isOver", params: { phase: "onBeforeInstall" } },
              target: "CREATING",
            },
          ],
        },
        CREATING: {
          description: "The host creates the app",
          entry: ["callApp", { type: "host.app.create", params: ({ context }) => ({ appId: context.input.appId }) }],
          always: { description: "Its containers are started, not yet healthy", guard: "isDone", target: "STARTING" },
        },
        STARTING: {
          description: "Waits until the app runs; where it does not, hooks find out for themselves",
          entry: { type: "host.app.wait", params: ({ context }) => ({ appId: context.input.appId }) },
          exit: { type: "effect.cancel", params: { name: "host.app.wait" } },
          on: {
            "app.running": { description: "The app runs", target: "AFTER_HOOKS" },
            "app.crashed": { description: "The app won't run", target: "AFTER_HOOKS", actions: "markNotRunning" },
          },
          after: {
            runningDeadline: { description: "The app took too long", target: "AFTER_HOOKS", actions: "markNotRunning" },
          },
        },
        AFTER_HOOKS: {
          description: "Runs the onAfterInstall hooks one after another; the install is not complete before they ended",
          always: [
            {
              description: "The next hook on the installed app, once the one before it has ended",
              guard: { type: "isDue", params: { phase: "onAfterInstall" } },
              actions: { type: "startChild", params: { phase: "onAfterInstall" } },
            },
            {
              description: "No hook is left on the installed app",
              guard: { type: "isOver", params: { phase: "onAfterInstall" } },
              target: "LINKING",
            },
          ],
        },
        LINKING: {
          description: "Installs missing targets, then runs the selected links, one at a time",
          always: [
            {
              description: "The next target or link, once the one before it has ended",
              guard: { type: "isDue", params: { phase: "link" } },
              actions: { type: "startChild", params: { phase: "link" } },
            },
            {
              description: "The plan is done",
              guard: { type: "isOver", params: { phase: "link" } },
              target: "#install.COMPLETED",
            },
          ],
        },
      },
    },

    FAILED: {
      description: "A directory or the app could not be made; what was made stays, and no other install is in the way",
      on: {
        "user.retry": { description: "Goes on with that step", target: "RUNNING.AGAIN", actions: "forgetFailure" },
        "user.dismiss": { description: "A person puts the install away", target: "CLOSING", actions: "dismiss" },
        "user.cancel": { description: "Puts the install away as well", target: "CLOSING", actions: "dismiss" },
        "parent.cancel": { description: "It goes with its parent", target: "CLOSING", actions: "dismiss" },
      },
    },

    CLOSING: {
      description: "Ends what is under way, so that the result can list what was created and what was not",
      entry: "cancelChildren",
      always: [
        { description: "A failed install was put away", guard: "isQuietAndDismissed", target: "DISMISSED" },
        { description: "No call and no child of the install is under way", guard: "isQuiet", target: "CANCELLED" },
      ],
      on: {
        "user.cancel": { description: "A person insists: the install ends", target: "CANCELLED", actions: "giveUp" },
      },
    },

    COMPLETED: { description: "The app is installed and every required hook has ended", type: "final" },
    DISMISSED: { description: "A failed install was put away", type: "final" },
    CANCELLED: { description: "Stopped by a person; the result says what was and was not made", type: "final" },
  },
});
