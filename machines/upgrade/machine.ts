/**
 * Upgrading one app: snapshots, hooks before, `app.upgrade`, wait until it runs, ownership, hooks after. A version that
 * does not come up has its owners repaired and is started once more before the upgrade fails. Which hooks fire was decided
 * from both versions before the task started. A custom app is upgraded by the values of its newer script: directories they
 * need, and `app.update` in place of `app.upgrade`.
 *
 * Invariants:
 * 1. Every declared snapshot is taken before anything touches the app.
 * 2. `app.upgrade` is asked for once per attempt, and only in UPGRADING.
 * 3. A failed or cancelled child never fails the upgrade: it frees the next one.
 * 4. CANCELLED is reached only when no host call of this task is under way and every child has ended, unless a person insists.
 * 5. A version that does not come up fails the upgrade: hooks meet it only if a person says so.
 *    It is never started again before its owners were repaired: a wrong one may be what keeps it down.
 * 6. Values and secrets are in the stored plan; the context holds names, paths and states.
 */
import { setup } from "xstate";
import { beginLifecycle, type LifecycleContext, listMissingDirectories } from "../lifecycle/context.ts";
import { createLifecycleActions, lifecycleDelays, lifecycleGuards } from "../lifecycle/implementations.ts";
import type { UpgradeEvent, UpgradeInput } from "./types.ts";

/** The upgrade of one app. */
export const upgradeMachine = setup({
  types: { context: {} as LifecycleContext, events: {} as UpgradeEvent, input: {} as UpgradeInput },
  actions: createLifecycleActions<UpgradeEvent>(),
  guards: lifecycleGuards,
  delays: lifecycleDelays,
}).createMachine({
  id: "upgrade",
  context: ({ input }) => beginLifecycle(input),
  entry: "planChildren",
  initial: "PENDING",
  on: {
    "host.*": { description: "What was changed is kept", actions: { type: "note", params: ({ event }) => event } },
    "engine.failed": { description: "As if the step failed", actions: { type: "note", params: ({ event }) => event } },
    "child.changed": { description: "Of a hook", actions: { type: "note", params: ({ event }) => event } },
  },
  states: {
    PENDING: {
      description: "Planned with the upgrades of other apps; its turn has not come",
      always: { description: "A person asked for this upgrade itself", guard: "startsAtOnce", target: "RUNNING" },
      on: {
        "parent.start": { description: "The upgrades before it have ended", target: "RUNNING" },
        "parent.cancel": { description: "No further app is to be upgraded", target: "CLOSING" },
        "user.cancel": { description: "A person leaves this app out", target: "CLOSING" },
      },
    },

    RUNNING: {
      description: "The upgrade, step by step",
      initial: "SNAPSHOTS",
      always: { description: "A step of the upgrade could not be done", guard: "hasFailed", target: "FAILED" },
      on: {
        "parent.cancel": { description: "The upgrades it is one of were cancelled", target: "CLOSING" },
        "user.cancel": { description: "A person stops the upgrade; what is done stays", target: "CLOSING" },
      },
      states: {
        AGAIN: { description: "The step a failed upgrade stopped in", type: "history", target: "SNAPSHOTS" },
        SNAPSHOTS: {
          description: "Takes a snapshot of every dataset a declared path names, to go back to the old version",
          entry: [
            "callHost",
            { type: "host.snapshots", params: ({ context }) => ({ appId: context.input.appId, purpose: "upgrade" }) },
          ],
          always: [
            {
              description: "The new version comes by values of a newer script",
              guard: "isDoneByValues",
              target: "DIRECTORIES",
            },
            { description: "The old version can be gone back to", guard: "isDone", target: "BEFORE_HOOKS" },
          ],
        },
        DIRECTORIES: {
          description: "Creates the directories the new values need with owner and share; existing ones are left alone",
          entry: ["callHost", { type: "host.directories", params: ({ context }) => listMissingDirectories(context) }],
          always: { description: "All are there", guard: "isDone", target: "BEFORE_HOOKS" },
        },
        BEFORE_HOOKS: {
          description: "Runs the onBeforeUpgrade hooks one after another; the app is not upgraded before they ended",
          always: [
            {
              description: "The next hook on the old version, once the one before it has ended",
              guard: { type: "isDue", params: { phase: "onBeforeUpgrade" } },
              actions: { type: "startChild", params: { phase: "onBeforeUpgrade" } },
            },
            {
              description: "No hook is left on the old version",
              guard: { type: "isOver", params: { phase: "onBeforeUpgrade" } },
              target: "WAKING",
            },
          ],
        },
        WAKING: {
          description: "The host upgrades running apps only: a stopped one is started first, and a mark says so",
          entry: ["callHost", { type: "host.app.start", params: ({ context }) => ({ appId: context.input.appId }) }],
          always: { description: "It is not stopped, or no longer", guard: "isDone", target: "UPGRADING" },
        },
        UPGRADING: {
          description: "The host upgrades the app",
          entry: ["callApp", { type: "host.app.upgrade", params: ({ context }) => ({ appId: context.input.appId }) }],
          always: [
            { description: "Containers of the new version are started", guard: "isDone", target: "STARTING" },
            {
              description: "The app has its new version, which could not be started",
              guard: "isChangedAndFailed",
              target: "REPAIRING",
              actions: "forgetFailure",
            },
          ],
        },
        STARTING: {
          description: "Waits until the new version runs",
          entry: { type: "host.app.wait", params: ({ context }) => ({ appId: context.input.appId }) },
          exit: { type: "effect.cancel", params: { name: "host.app.wait" } },
          on: {
            "app.running": { description: "The new version runs", target: "OWNERSHIP" },
            "app.crashed": { description: "The new version won't run", target: "REPAIRING" },
          },
          after: {
            runningDeadline: { description: "The new version took too long", target: "REPAIRING" },
          },
        },
        REPAIRING: {
          description: "Repairs owners before the new version is started again: a wrong one may be what keeps it down",
          entry: [
            "markDown",
            "callHost",
            { type: "host.ownership", params: ({ context }) => ({ appId: context.input.appId }) },
          ],
          always: { description: "Every declared owner is in place", guard: "isDone", target: "RESTARTING" },
        },
        RESTARTING: {
          description: "The host starts the new version once more",
          entry: [
            "callHost",
            { type: "host.app.start", params: ({ context }) => ({ appId: context.input.appId, wanted: true }) },
          ],
          always: { description: "Its containers are started", guard: "isDone", target: "RESTARTED" },
        },
        RESTARTED: {
          description: "Waits until the new version runs, with its owners in place",
          entry: { type: "host.app.wait", params: ({ context }) => ({ appId: context.input.appId }) },
          exit: { type: "effect.cancel", params: { name: "host.app.wait" } },
          on: {
            "app.running": { description: "The new version runs", target: "OWNERSHIP", actions: "markUp" },
            "app.crashed": { description: "The new version won't run", actions: "failNotRunning" },
          },
          after: {
            runningDeadline: { description: "The new version took too long again", actions: "failNotRunning" },
          },
        },
        OWNERSHIP: {
          description: "Repairs owners the new version changed, with a snapshot to go back to",
          entry: ["callHost", { type: "host.ownership", params: ({ context }) => ({ appId: context.input.appId }) }],
          always: { description: "Every declared owner is in place", guard: "isDone", target: "AFTER_HOOKS" },
        },
        AFTER_HOOKS: {
          description: "Runs the onAfterUpgrade hooks one after another; the upgrade is not complete before they ended",
          always: [
            {
              description: "The next hook on the new version, once the one before it has ended",
              guard: { type: "isDue", params: { phase: "onAfterUpgrade" } },
              actions: { type: "startChild", params: { phase: "onAfterUpgrade" } },
            },
            {
              description: "No hook is left on the new version",
              guard: { type: "isOver", params: { phase: "onAfterUpgrade" } },
              target: "#upgrade.COMPLETED",
            },
          ],
        },
      },
    },

    FAILED: {
      description: "A step could not be done, or the new version does not run; what was noted is there to go back to",
      on: {
        "user.retry": [
          {
            description: "Owners are repaired and the new version is started once more",
            guard: "isDown",
            target: "RUNNING.REPAIRING",
            actions: "forgetFailure",
          },
          { description: "Tries that step again", target: "RUNNING.AGAIN", actions: "forgetFailure" },
        ],
        "user.skip": {
          description: "Goes on although the new version does not run: hooks find out for themselves",
          guard: "isDown",
          target: "RUNNING.AFTER_HOOKS",
          actions: ["markNotRunning", "forgetFailure"],
        },
        "user.rollback": {
          description: "A rollback to before the upgrade has begun in its place",
          guard: "canGoBack",
          target: "DISMISSED",
          actions: ["markRolledBack", "cancelChildren"],
        },
        "user.dismiss": { description: "A person puts the upgrade away", target: "CLOSING", actions: "dismiss" },
        "user.cancel": { description: "Puts the upgrade away as well", target: "CLOSING", actions: "dismiss" },
      },
    },

    CLOSING: {
      description: "Ends what is under way, so that the result can say which version the app has",
      entry: "cancelChildren",
      always: [
        { description: "A failed upgrade was put away", guard: "isQuietAndDismissed", target: "DISMISSED" },
        { description: "No call and no hook of the upgrade is under way", guard: "isQuiet", target: "CANCELLED" },
      ],
      on: {
        "user.cancel": { description: "A person insists: the upgrade ends", target: "CANCELLED", actions: "giveUp" },
      },
    },

    COMPLETED: { description: "The app is upgraded and every required hook has ended", type: "final" },
    DISMISSED: { description: "A failed upgrade was put away", type: "final" },
    CANCELLED: { description: "Stopped by a person; the result says which version the app has", type: "final" },
  },
});
