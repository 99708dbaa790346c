/**
 * Upgrading one app: snapshots, hooks before, `app.upgrade`, wait until it runs, ownership, hooks after
 * (docs/decisions.md, section 4). Which hooks fire was decided from both versions before the task started.
 *
 * Invariants:
 * 1. Every declared snapshot is taken before anything touches the app.
 * 2. `app.upgrade` is asked for once per attempt, and only in UPGRADING.
 * 3. A failed or cancelled child never fails the upgrade: it frees the next one.
 * 4. CANCELLED is reached only when no host call of this task is under way and every child has ended, unless a person insists.
 * 5. Values and secrets are in the stored plan; the context holds names, paths and states.
 */
import { assign, setup } from "xstate";
import type { Failure } from "../src/core/codes/problems.ts";
import type { Json } from "../src/core/json/json.ts";
import { appAfter, crashLoop, effectUnknown, type WorkDone } from "../src/core/task/task-failures.ts";
import { allEnded, type ChildEnd, childOfTurn, type PlannedChild, turnHasEnded, union } from "./planned-child.ts";

/** What an upgrade is started with; JSON, no secrets. */
export type UpgradeInput = {
  readonly appId: string;
  /** Name of the app for people. */
  readonly title: string;
  readonly children: readonly PlannedChild[];
  /** Marks known from the start, e.g. hooks that were dropped. */
  readonly marks: readonly string[];
  /** How long the app may take until it runs, in ms. */
  readonly runningDeadlineMs: number;
};

/** What the machine remembers; JSON, no secrets. */
export interface UpgradeContext {
  readonly input: UpgradeInput;
  /** Children created so far. */
  readonly started: number;
  /** Index of the child whose turn it is. */
  readonly turn: number;
  /** How children ended, by id. */
  readonly ended: Readonly<Record<string, string>>;
  /** A child waits for a person. */
  readonly childWaits: boolean;
  /** Taken by this task, as `dataset@name`. */
  readonly snapshots: readonly string[];
  /** Paths whose ownership was repaired. */
  readonly repaired: readonly string[];
  readonly app: "notUpgraded" | "upgraded" | "unknown";
  readonly appState: string | null;
  /** Of the host's job. */
  readonly percent: number;
  readonly ending: "CANCELLED" | "DISMISSED";
  /** The host can't be asked at the moment; every result of an effect says it can again. */
  readonly hostSilent: boolean;
  readonly failure: Failure | null;
  readonly marks: readonly string[];
}

export type UpgradeEvent =
  | {
      readonly type: "host.snapshots.done";
      readonly snapshots: readonly string[];
      readonly marks: readonly string[];
    }
  | { readonly type: "host.snapshots.failed"; readonly failure: Failure }
  | { readonly type: "host.silent" }
  | { readonly type: "host.answers" }
  | { readonly type: "host.app.progress"; readonly percent: number }
  /** `done`: the host did it, and what had to follow failed. */
  | { readonly type: "host.app.failed"; readonly failure: Failure; readonly done?: WorkDone }
  | { readonly type: "host.ownership.done"; readonly repaired: readonly string[]; readonly marks: readonly string[] }
  | { readonly type: "host.ownership.failed"; readonly failure: Failure }
  | { readonly type: "host.app.started"; readonly wasStopped: boolean }
  | { readonly type: "host.app.upgraded" }
  | { readonly type: "host.app.seen"; readonly state: string }
  | { readonly type: "host.app.running" }
  | { readonly type: "host.app.crashed"; readonly state: string }
  | { readonly type: "child.ended"; readonly from: string; readonly state: string; readonly marks: readonly string[] }
  | { readonly type: "child.waiting"; readonly from: string }
  | { readonly type: "child.resumed"; readonly from: string }
  | { readonly type: "task.refused"; readonly id: string; readonly holder: string }
  | { readonly type: "task.quarantined"; readonly from: string }
  | { readonly type: "user.cancel" }
  | { readonly type: "user.retry" }
  | { readonly type: "user.dismiss" }
  | { readonly type: "engine.crashLoop"; readonly lives: number }
  | { readonly type: "engine.effectUnknown"; readonly effect: string };

const NO_INPUT: UpgradeInput = { appId: "", title: "", children: [], marks: [], runningDeadlineMs: 0 };

export const upgradeMachine = setup({
  types: { context: {} as UpgradeContext, events: {} as UpgradeEvent, input: {} as UpgradeInput },
  delays: {
    runningDeadline: ({ context }) => context.input.runningDeadlineMs,
  },
  guards: {
    hasUnstarted: ({ context }) => context.started < context.input.children.length,
    isOver: ({ context }) => context.turn >= context.input.children.length,
    turnHasEnded: ({ context }) => turnHasEnded(context),
    turnIs: ({ context }, p: { phase: PlannedChild["phase"] }) =>
      context.input.children[context.turn]?.phase === p.phase,
    allEnded: ({ context }) => allEnded(context),
    allEndedDismissed: ({ context }) => context.ending === "DISMISSED" && allEnded(context),
  },
  actions: {
    "host.snapshots": (_, _params: { appId: string; purpose: string }) => {},
    "host.app.start": (_, _params: { appId: string }) => {},
    "host.app.upgrade": (_, _params: { appId: string }) => {},
    "host.app.wait": (_, _params: { appId: string }) => {},
    "host.ownership": (_, _params: { appId: string }) => {},
    "task.start": (_, _params: { [key: string]: Json }) => {},
    "task.tell": (_, _params: { to: string; event: { type: string; [key: string]: Json } }) => {},
    "effect.cancel": (_, _params: { name: string }) => {},

    countStarted: assign({ started: ({ context }) => context.started + 1 }),
    nextTurn: assign({ turn: ({ context }) => context.turn + 1, childWaits: false }),
    noteEnd: assign({
      ended: ({ context }, p: ChildEnd) => ({ ...context.ended, [p.child]: p.state }),
      childWaits: false,
      marks: ({ context }, p: ChildEnd) => union(context.marks, p.marks),
    }),
    childWaits: assign({ childWaits: true }),
    childGoesOn: assign({ childWaits: false }),
    noteSnapshots: assign({
      hostSilent: false,
      snapshots: ({ context }, p: { snapshots: readonly string[] }) => union(context.snapshots, p.snapshots),
    }),
    noteRepaired: assign({
      hostSilent: false,
      repaired: ({ context }, p: { repaired: readonly string[] }) => union(context.repaired, p.repaired),
    }),
    noteApp: assign({ hostSilent: false, app: (_, p: { app: UpgradeContext["app"] }) => p.app }),
    noteFailed: assign({
      hostSilent: false,
      app: ({ context }, p: { done: WorkDone }) => appAfter(p.done, context.app, "upgraded", "notUpgraded"),
    }),
    /** Nobody waits for the call under way any more; what was done before it is known. */
    loseSight: assign({
      hostSilent: false,
      app: ({ context }) => (context.app === "upgraded" ? "upgraded" : "unknown"),
    }),
    noteAppState: assign({ hostSilent: false, appState: (_, p: { state: string }) => p.state }),
    notePercent: assign({ hostSilent: false, percent: (_, p: { percent: number }) => p.percent }),
    markNotRunning: assign({
      hostSilent: false,
      marks: ({ context }) => [
        ...context.marks.filter((mark) => !mark.startsWith("notRunning: ")),
        `notRunning: ${context.appState ?? "unknown"}`,
      ],
    }),
    mark: assign({
      marks: ({ context }, p: { marks: readonly string[] }) => union(context.marks, p.marks),
    }),
    endAs: assign({ ending: (_, p: { ending: UpgradeContext["ending"] }) => p.ending }),
    setFailure: assign({ hostSilent: false, failure: (_, p: { failure: Failure }) => p.failure }),
    forgetFailure: assign({ failure: null, percent: 0 }),
    hostIsSilent: assign({ hostSilent: true }),
    hostAnswers: assign({ hostSilent: false }),
    crashed: assign({ failure: (_, p: { lives: number }) => crashLoop(p.lives) }),
    unknown: assign({
      failure: (_, p: { effect: string }) => effectUnknown(p.effect),
      app: ({ context }, p: { effect: string }) => (p.effect === "host.app.upgrade" ? "unknown" : context.app),
    }),
  },
}).createMachine({
  id: "upgrade",
  context: ({ input }) => ({
    input: input ?? NO_INPUT,
    started: 0,
    turn: 0,
    ended: {},
    childWaits: false,
    snapshots: [],
    repaired: [],
    app: "notUpgraded",
    appState: null,
    percent: 0,
    ending: "CANCELLED",
    hostSilent: false,
    failure: null,
    marks: input?.marks ?? [],
  }),
  initial: "PLANNING",
  on: {
    "host.silent": { description: "The host can't be asked", actions: "hostIsSilent" },
    "host.answers": { description: "The host answers again", actions: "hostAnswers" },
    "child.ended": {
      description: "A child came to its end",
      actions: {
        type: "noteEnd",
        params: ({ event }) => ({ child: event.from, state: event.state, marks: event.marks }),
      },
    },
    "task.refused": {
      description: "A child could not be made: another task works on its app",
      actions: {
        type: "noteEnd",
        params: ({ event }) => ({ child: event.id, state: "REFUSED", marks: [`refused: ${event.id}`] }),
      },
    },
    "task.quarantined": {
      description: "A child can't be loaded any more; it is shown and the rest goes on",
      actions: {
        type: "noteEnd",
        params: ({ event }) => ({ child: event.from, state: "QUARANTINED", marks: [`quarantined: ${event.from}`] }),
      },
    },
    "child.waiting": { description: "A child waits for a person", actions: "childWaits" },
    "child.resumed": { description: "A child goes on", actions: "childGoesOn" },
  },
  states: {
    PLANNING: {
      description: "Creates a row for every planned child, so that the whole checklist is visible from the start",
      always: [
        {
          description: "One child after the other",
          guard: "hasUnstarted",
          target: "PLANNING",
          reenter: true,
          actions: [
            {
              type: "task.start",
              params: ({ context }) => {
                const { phase: _, ...child } = context.input.children[context.started] ?? { phase: "" };
                return child;
              },
            },
            "countStarted",
          ],
        },
        { description: "The checklist is complete", target: "RUNNING" },
      ],
    },

    RUNNING: {
      description: "The lifecycle, step by step",
      on: {
        "engine.crashLoop": {
          description: "The engine died several times in a row in this step",
          target: "FAILED",
          actions: { type: "crashed", params: ({ event }) => ({ lives: event.lives }) },
        },
        "engine.effectUnknown": {
          description: "The database was rolled back",
          target: "FAILED",
          actions: { type: "unknown", params: ({ event }) => ({ effect: event.effect }) },
        },
      },
      initial: "SNAPSHOTS",
      states: {
        AGAIN: {
          description: "The step a failed attempt stopped in",
          type: "history",
          history: "shallow",
          target: "SNAPSHOTS",
        },
        SNAPSHOTS: {
          description: "Takes a snapshot of every dataset a declared path names",
          entry: {
            type: "host.snapshots",
            params: ({ context }) => ({ appId: context.input.appId, purpose: "pre-upgrade" }),
          },
          on: {
            "host.snapshots.done": {
              description: "Every declared dataset has its snapshot",
              target: "BEFORE_HOOKS",
              actions: [
                { type: "noteSnapshots", params: ({ event }) => ({ snapshots: event.snapshots }) },
                { type: "mark", params: ({ event }) => ({ marks: event.marks }) },
              ],
            },
            "host.snapshots.failed": {
              description: "The host refused or failed",
              target: "#upgrade.FAILED",
              actions: { type: "setFailure", params: ({ event }) => ({ failure: event.failure }) },
            },
            "user.cancel": {
              description: "Waits for the call under way, so that the result can say what was done",
              target: "#upgrade.CLOSING.HOST",
            },
          },
        },
        BEFORE_HOOKS: {
          description: "Runs the onBeforeUpgrade hooks one after another; the app is not upgraded before they ended",
          on: {
            "user.cancel": { description: "A person stops the upgrade before it began", target: "#upgrade.CLOSING" },
          },
          initial: "NEXT",
          states: {
            NEXT: {
              description: "Whose turn is it",
              always: [
                {
                  description: "This one has ended already",
                  guard: "turnHasEnded",
                  target: "NEXT",
                  reenter: true,
                  actions: "nextTurn",
                },
                {
                  description: "The next hook's turn",
                  guard: { type: "turnIs", params: { phase: "before" } },
                  target: "WAITING",
                  actions: {
                    type: "task.tell",
                    params: ({ context }) => ({ to: childOfTurn(context), event: { type: "parent.start" } }),
                  },
                },
                { description: "No more hooks before the upgrade", target: "#upgrade.RUNNING.WAKING" },
              ],
            },
            WAITING: {
              description: "A hook has its turn",
              always: { description: "It has ended", guard: "turnHasEnded", target: "NEXT" },
            },
          },
        },
        WAKING: {
          description: "The host upgrades running apps only: a stopped one is started first",
          entry: { type: "host.app.start", params: ({ context }) => ({ appId: context.input.appId }) },
          on: {
            "host.app.started": [
              {
                description: "It was stopped and runs now",
                guard: ({ event }) => event.wasStopped,
                target: "UPGRADING",
                actions: { type: "mark", params: { marks: ["started"] } },
              },
              { description: "It was not stopped", target: "UPGRADING" },
            ],
            "host.app.failed": {
              description: "The host refused or failed",
              target: "#upgrade.FAILED",
              actions: { type: "setFailure", params: ({ event }) => ({ failure: event.failure }) },
            },
            "user.cancel": {
              description: "Waits for the call under way, so that the result can say what was done",
              target: "#upgrade.CLOSING.HOST",
            },
          },
        },
        UPGRADING: {
          description: "The host upgrades the app",
          entry: { type: "host.app.upgrade", params: ({ context }) => ({ appId: context.input.appId }) },
          on: {
            "host.app.progress": {
              description: "The host's job gets on",
              actions: { type: "notePercent", params: ({ event }) => ({ percent: event.percent }) },
            },
            "host.app.upgraded": {
              description: "The containers of the new version are started",
              target: "STARTING",
              actions: { type: "noteApp", params: { app: "upgraded" } },
            },
            "host.app.failed": {
              description: "The host refused or failed",
              target: "#upgrade.FAILED",
              actions: [
                { type: "noteFailed", params: ({ event }) => ({ done: event.done ?? false }) },
                { type: "setFailure", params: ({ event }) => ({ failure: event.failure }) },
              ],
            },
            "user.cancel": {
              description: "Waits for the call under way, so that the result can say what was done",
              target: "#upgrade.CLOSING.HOST",
            },
          },
        },
        STARTING: {
          description: "Waits until the app runs again",
          entry: { type: "host.app.wait", params: ({ context }) => ({ appId: context.input.appId }) },
          exit: { type: "effect.cancel", params: { name: "host.app.wait" } },
          on: {
            "host.app.seen": {
              description: "The app's state changed",
              actions: { type: "noteAppState", params: ({ event }) => ({ state: event.state }) },
            },
            "host.app.running": {
              description: "The app runs",
              target: "OWNERSHIP",
              actions: { type: "noteAppState", params: { state: "RUNNING" } },
            },
            "host.app.crashed": {
              description: "It won't run; hooks find out for themselves",
              target: "OWNERSHIP",
              actions: [{ type: "noteAppState", params: ({ event }) => ({ state: event.state }) }, "markNotRunning"],
            },
            "user.cancel": { description: "A person stops the rest", target: "#upgrade.CLOSING" },
          },
          after: {
            runningDeadline: {
              description: "It took too long; hooks find out for themselves",
              target: "OWNERSHIP",
              actions: "markNotRunning",
            },
          },
        },
        OWNERSHIP: {
          description: "Checks the declared owners and repairs them, with a snapshot to go back to",
          entry: { type: "host.ownership", params: ({ context }) => ({ appId: context.input.appId }) },
          on: {
            "host.ownership.done": {
              description: "Every declared owner is in place",
              target: "AFTER_HOOKS",
              actions: [
                { type: "noteRepaired", params: ({ event }) => ({ repaired: event.repaired }) },
                { type: "mark", params: ({ event }) => ({ marks: event.marks }) },
              ],
            },
            "host.ownership.failed": {
              description: "The host refused or failed",
              target: "#upgrade.FAILED",
              actions: { type: "setFailure", params: ({ event }) => ({ failure: event.failure }) },
            },
            "user.cancel": {
              description: "Waits for the call under way, so that the result can say what was done",
              target: "#upgrade.CLOSING.HOST",
            },
          },
        },
        AFTER_HOOKS: {
          description: "Runs the onAfterUpgrade hooks one after another; the upgrade is not complete before they ended",
          on: {
            "user.cancel": { description: "A person stops the rest; the app is upgraded", target: "#upgrade.CLOSING" },
          },
          initial: "NEXT",
          states: {
            NEXT: {
              description: "Whose turn is it",
              always: [
                {
                  description: "This one has ended already",
                  guard: "turnHasEnded",
                  target: "NEXT",
                  reenter: true,
                  actions: "nextTurn",
                },
                {
                  description: "The next hook's turn",
                  guard: { type: "turnIs", params: { phase: "after" } },
                  target: "WAITING",
                  actions: {
                    type: "task.tell",
                    params: ({ context }) => ({ to: childOfTurn(context), event: { type: "parent.start" } }),
                  },
                },
                { description: "No more hooks", target: "#upgrade.COMPLETED" },
              ],
            },
            WAITING: {
              description: "A hook has its turn",
              always: { description: "It has ended", guard: "turnHasEnded", target: "NEXT" },
            },
          },
        },
      },
    },

    FAILED: {
      description: "The host refused or failed; a new attempt goes on with the step that failed",
      on: {
        "user.retry": { description: "A new attempt", target: "RUNNING.AGAIN", actions: "forgetFailure" },
        "user.dismiss": {
          description: "A person puts the failure away",
          target: "CLOSING",
          actions: { type: "endAs", params: { ending: "DISMISSED" } },
        },
        "user.cancel": {
          description: "The same as dismiss",
          target: "CLOSING",
          actions: { type: "endAs", params: { ending: "DISMISSED" } },
        },
      },
    },

    CLOSING: {
      description: "Ends what is under way, so that the result can say what was and was not done",
      initial: "CHILDREN",
      states: {
        HOST: {
          description: "Waits for the end of the host call under way",
          on: {
            "host.snapshots.done": {
              description: "The snapshots were taken",
              target: "CHILDREN",
              actions: [
                { type: "noteSnapshots", params: ({ event }) => ({ snapshots: event.snapshots }) },
                { type: "mark", params: ({ event }) => ({ marks: event.marks }) },
              ],
            },
            "host.snapshots.failed": {
              description: "A snapshot was not taken",
              target: "CHILDREN",
              actions: { type: "setFailure", params: ({ event }) => ({ failure: event.failure }) },
            },
            "host.app.started": [
              {
                description: "The app was stopped and runs now; it stays as it is",
                guard: ({ event }) => event.wasStopped,
                target: "CHILDREN",
                actions: { type: "mark", params: { marks: ["started"] } },
              },
              { description: "The app was not stopped", target: "CHILDREN" },
            ],
            "host.app.upgraded": {
              description: "The app was upgraded after all",
              target: "CHILDREN",
              actions: { type: "noteApp", params: { app: "upgraded" } },
            },
            "host.app.failed": {
              description: "The host did not do it",
              target: "CHILDREN",
              actions: [
                { type: "noteFailed", params: ({ event }) => ({ done: event.done ?? false }) },
                { type: "setFailure", params: ({ event }) => ({ failure: event.failure }) },
              ],
            },
            "host.ownership.done": {
              description: "The owners are in place",
              target: "CHILDREN",
              actions: [
                { type: "noteRepaired", params: ({ event }) => ({ repaired: event.repaired }) },
                { type: "mark", params: ({ event }) => ({ marks: event.marks }) },
              ],
            },
            "host.ownership.failed": {
              description: "An owner could not be repaired",
              target: "CHILDREN",
              actions: { type: "setFailure", params: ({ event }) => ({ failure: event.failure }) },
            },
            "host.app.progress": {
              description: "The host's job gets on",
              actions: { type: "notePercent", params: ({ event }) => ({ percent: event.percent }) },
            },
            "user.cancel": {
              description: "A person insists: nobody waits for the host any more",
              target: "CHILDREN",
              actions: [
                "loseSight",
                { type: "effect.cancel", params: { name: "host.snapshots" } },
                { type: "effect.cancel", params: { name: "host.app.start" } },
                { type: "effect.cancel", params: { name: "host.app.upgrade" } },
                { type: "effect.cancel", params: { name: "host.ownership" } },
              ],
            },
            "engine.crashLoop": {
              description: "The engine died several times in a row in this step",
              target: "CHILDREN",
              actions: ["loseSight", { type: "crashed", params: ({ event }) => ({ lives: event.lives }) }],
            },
            "engine.effectUnknown": {
              description: "The database was rolled back",
              target: "CHILDREN",
              actions: { type: "unknown", params: ({ event }) => ({ effect: event.effect }) },
            },
          },
        },
        CHILDREN: {
          description: "Tells every child that has not ended to end",
          always: [
            { description: "All were told", guard: "isOver", target: "WAITING" },
            {
              description: "This one has ended already",
              guard: "turnHasEnded",
              target: "CHILDREN",
              reenter: true,
              actions: "nextTurn",
            },
            {
              description: "One child after the other",
              target: "CHILDREN",
              reenter: true,
              actions: [
                {
                  type: "task.tell",
                  params: ({ context }) => ({
                    to: childOfTurn(context),
                    event: { type: "parent.cancel" },
                  }),
                },
                "nextTurn",
              ],
            },
          ],
        },
        WAITING: {
          description: "Waits until every child has ended",
          always: [
            { description: "A failed upgrade was put away", guard: "allEndedDismissed", target: "#upgrade.DISMISSED" },
            { description: "Nothing is under way any more", guard: "allEnded", target: "#upgrade.CANCELLED" },
          ],
          on: {
            "user.cancel": {
              description: "A person insists: nobody waits for the children any more",
              target: "#upgrade.CANCELLED",
            },
          },
        },
      },
    },

    COMPLETED: { description: "The app is upgraded and every required hook has ended", type: "final" },
    DISMISSED: { description: "A failed upgrade was put away", type: "final" },
    CANCELLED: { description: "Stopped by a person; the result says what was and was not done", type: "final" },
  },
});
