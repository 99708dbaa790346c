/**
 * Installing one app: directories, hooks before, `app.create`, wait until it runs, hooks after, missing targets, links.
 * The plan was validated, resolved and frozen before the task started (docs/decisions.md, section 4).
 *
 * Invariants:
 * 1. One child has its turn at a time, in the order planned; every planned child is a row from the first turn on.
 * 2. `app.create` is asked for once per attempt, and only in CREATING.
 * 3. A failed or cancelled child never fails the install: it frees the next one.
 * 4. CANCELLED is reached only when no host call of this task is under way and every child has ended, unless a person insists.
 * 5. Values and secrets are in the stored plan; the context holds names, paths and states.
 */
import { assign, setup } from "xstate";
import type { Failure } from "../src/core/codes/problems.ts";
import type { Json } from "../src/core/json/json.ts";
import { appAfter, crashLoop, effectUnknown, type WorkDone } from "../src/core/task/task-failures.ts";
import { allEnded, type ChildEnd, childOfTurn, type PlannedChild, turnHasEnded, union } from "./planned-child.ts";

/** What an install is started with; JSON, no secrets. */
export type InstallInput = {
  readonly appId: string;
  /** Name of the app for people. */
  readonly title: string;
  /** An install of a missing target waits for its turn under another install. */
  readonly waitsForTurn: boolean;
  readonly children: readonly PlannedChild[];
  /** Marks known from the start, e.g. hooks that were dropped. */
  readonly marks: readonly string[];
  /** How long the app may take until it runs, in ms. */
  readonly runningDeadlineMs: number;
};

/** What the machine remembers; JSON, no secrets. */
export interface InstallContext {
  readonly input: InstallInput;
  /** Children created so far. */
  readonly started: number;
  /** Index of the child whose turn it is. */
  readonly turn: number;
  /** How children ended, by id. */
  readonly ended: Readonly<Record<string, string>>;
  /** A child waits for a person. */
  readonly childWaits: boolean;
  /** Created by this task. */
  readonly directories: readonly string[];
  readonly shares: readonly string[];
  readonly app: "notCreated" | "created" | "unknown";
  readonly appState: string | null;
  /** Of the host's job. */
  readonly percent: number;
  readonly ending: "CANCELLED" | "DISMISSED";
  /** The host can't be asked at the moment; every result of an effect says it can again. */
  readonly hostSilent: boolean;
  readonly failure: Failure | null;
  readonly marks: readonly string[];
}

type Made = { directories: readonly string[]; shares: readonly string[] };

export type InstallEvent =
  | { readonly type: "parent.start" }
  | { readonly type: "parent.cancel" }
  | {
      readonly type: "host.directories.done";
      readonly directories: readonly string[];
      readonly shares: readonly string[];
      readonly marks: readonly string[];
    }
  | {
      readonly type: "host.directories.failed";
      readonly directories: readonly string[];
      readonly shares: readonly string[];
      readonly failure: Failure;
    }
  | { readonly type: "host.silent" }
  | { readonly type: "host.answers" }
  | { readonly type: "host.app.progress"; readonly percent: number }
  | { readonly type: "host.app.created" }
  /** `done`: the host did it, and what had to follow failed. */
  | { readonly type: "host.app.failed"; readonly failure: Failure; readonly done?: WorkDone }
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

const NO_INPUT: InstallInput = {
  appId: "",
  title: "",
  waitsForTurn: false,
  children: [],
  marks: [],
  runningDeadlineMs: 0,
};

export const installMachine = setup({
  types: { context: {} as InstallContext, events: {} as InstallEvent, input: {} as InstallInput },
  delays: {
    runningDeadline: ({ context }) => context.input.runningDeadlineMs,
  },
  guards: {
    startsAtOnce: ({ context }) => !context.input.waitsForTurn,
    hasUnstarted: ({ context }) => context.started < context.input.children.length,
    isOver: ({ context }) => context.turn >= context.input.children.length,
    turnHasEnded: ({ context }) => turnHasEnded(context),
    turnIs: ({ context }, p: { phase: PlannedChild["phase"] }) =>
      context.input.children[context.turn]?.phase === p.phase,
    allEnded: ({ context }) => allEnded(context),
    allEndedDismissed: ({ context }) => context.ending === "DISMISSED" && allEnded(context),
  },
  actions: {
    "host.directories": (_, _params: { appId: string }) => {},
    "host.app.create": (_, _params: { appId: string }) => {},
    "host.app.wait": (_, _params: { appId: string }) => {},
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
    noteDirectories: assign({
      hostSilent: false,
      directories: ({ context }, p: Made) => union(context.directories, p.directories),
      shares: ({ context }, p: Made) => union(context.shares, p.shares),
    }),
    noteApp: assign({ hostSilent: false, app: (_, p: { app: InstallContext["app"] }) => p.app }),
    noteFailed: assign({
      hostSilent: false,
      app: ({ context }, p: { done: WorkDone }) => appAfter(p.done, context.app, "created", "notCreated"),
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
    endAs: assign({ ending: (_, p: { ending: InstallContext["ending"] }) => p.ending }),
    setFailure: assign({ hostSilent: false, failure: (_, p: { failure: Failure }) => p.failure }),
    forgetFailure: assign({ failure: null, percent: 0 }),
    hostIsSilent: assign({ hostSilent: true }),
    hostAnswers: assign({ hostSilent: false }),
    crashed: assign({ failure: (_, p: { lives: number }) => crashLoop(p.lives) }),
    unknown: assign({
      failure: (_, p: { effect: string }) => effectUnknown(p.effect),
      app: ({ context }, p: { effect: string }) => (p.effect === "host.app.create" ? "unknown" : context.app),
    }),
  },
}).createMachine({
  id: "install",
  context: ({ input }) => ({
    input: input ?? NO_INPUT,
    started: 0,
    turn: 0,
    ended: {},
    childWaits: false,
    directories: [],
    shares: [],
    app: "notCreated",
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
        { description: "Started by a person", guard: "startsAtOnce", target: "RUNNING" },
        { description: "Planned under another install", target: "PENDING" },
      ],
    },

    PENDING: {
      description: "Planned under another install; its turn has not come",
      on: {
        "parent.start": { description: "Its turn has come", target: "RUNNING" },
        "parent.cancel": { description: "The parent was cancelled", target: "CLOSING" },
        "user.cancel": { description: "A person leaves it out beforehand", target: "CLOSING" },
      },
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
      initial: "DIRECTORIES",
      states: {
        AGAIN: {
          description: "The step a failed attempt stopped in",
          type: "history",
          history: "shallow",
          target: "DIRECTORIES",
        },
        DIRECTORIES: {
          description: "Creates the declared directories with owner and share, below their locations",
          entry: { type: "host.directories", params: ({ context }) => ({ appId: context.input.appId }) },
          on: {
            "host.directories.done": {
              description: "All are there",
              target: "BEFORE_HOOKS",
              actions: [
                {
                  type: "noteDirectories",
                  params: ({ event }) => ({ directories: event.directories, shares: event.shares }),
                },
                { type: "mark", params: ({ event }) => ({ marks: event.marks }) },
              ],
            },
            "host.directories.failed": {
              description: "The host refused one",
              target: "#install.FAILED",
              actions: [
                {
                  type: "noteDirectories",
                  params: ({ event }) => ({ directories: event.directories, shares: event.shares }),
                },
                { type: "setFailure", params: ({ event }) => ({ failure: event.failure }) },
              ],
            },
            "user.cancel": {
              description: "Waits for the call under way, so that the result can list what was created",
              target: "#install.CLOSING.HOST",
            },
            "parent.cancel": { description: "The parent was cancelled", target: "#install.CLOSING.HOST" },
          },
        },
        BEFORE_HOOKS: {
          description: "Runs the onBeforeInstall hooks one after another; the app is not created before they ended",
          on: {
            "user.cancel": { description: "A person stops the install", target: "#install.CLOSING" },
            "parent.cancel": { description: "The parent was cancelled", target: "#install.CLOSING" },
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
                    params: ({ context }) => ({
                      to: childOfTurn(context),
                      event: { type: "parent.start" },
                    }),
                  },
                },
                { description: "No more hooks before the app", target: "#install.RUNNING.CREATING" },
              ],
            },
            WAITING: {
              description: "A hook has its turn",
              always: { description: "It has ended", guard: "turnHasEnded", target: "NEXT" },
            },
          },
        },
        CREATING: {
          description: "The host creates the app",
          entry: { type: "host.app.create", params: ({ context }) => ({ appId: context.input.appId }) },
          on: {
            "host.app.progress": {
              description: "The host's job gets on",
              actions: { type: "notePercent", params: ({ event }) => ({ percent: event.percent }) },
            },
            "host.app.created": {
              description: "The containers are started, not yet healthy",
              target: "STARTING",
              actions: { type: "noteApp", params: { app: "created" } },
            },
            "host.app.failed": {
              description: "The host refused or failed",
              target: "#install.FAILED",
              actions: [
                { type: "noteFailed", params: ({ event }) => ({ done: event.done ?? false }) },
                { type: "setFailure", params: ({ event }) => ({ failure: event.failure }) },
              ],
            },
            "user.cancel": {
              description: "The call is with the host: its end decides what the result says",
              target: "#install.CLOSING.HOST",
            },
            "parent.cancel": { description: "The parent was cancelled", target: "#install.CLOSING.HOST" },
          },
        },
        STARTING: {
          description: "Waits until the app runs",
          entry: { type: "host.app.wait", params: ({ context }) => ({ appId: context.input.appId }) },
          exit: { type: "effect.cancel", params: { name: "host.app.wait" } },
          on: {
            "host.app.seen": {
              description: "The app's state changed",
              actions: { type: "noteAppState", params: ({ event }) => ({ state: event.state }) },
            },
            "host.app.running": {
              description: "The app runs",
              target: "AFTER_HOOKS",
              actions: { type: "noteAppState", params: { state: "RUNNING" } },
            },
            "host.app.crashed": {
              description: "It won't run; hooks find out for themselves",
              target: "AFTER_HOOKS",
              actions: [{ type: "noteAppState", params: ({ event }) => ({ state: event.state }) }, "markNotRunning"],
            },
            "user.cancel": { description: "A person stops the install; the app stays", target: "#install.CLOSING" },
            "parent.cancel": { description: "The parent was cancelled; the app stays", target: "#install.CLOSING" },
          },
          after: {
            runningDeadline: {
              description: "It took too long; hooks find out for themselves",
              target: "AFTER_HOOKS",
              actions: "markNotRunning",
            },
          },
        },
        AFTER_HOOKS: {
          description: "Runs the onAfterInstall hooks one after another; the install is not complete before they ended",
          on: {
            "user.cancel": { description: "A person stops the install; the app stays", target: "#install.CLOSING" },
            "parent.cancel": { description: "The parent was cancelled; the app stays", target: "#install.CLOSING" },
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
                    params: ({ context }) => ({
                      to: childOfTurn(context),
                      event: { type: "parent.start" },
                    }),
                  },
                },
                { description: "No more hooks", target: "#install.RUNNING.LINKING" },
              ],
            },
            WAITING: {
              description: "A hook has its turn",
              always: { description: "It has ended", guard: "turnHasEnded", target: "NEXT" },
            },
          },
        },
        LINKING: {
          description: "Installs missing targets, then runs the selected links, one at a time",
          on: {
            "user.cancel": { description: "A person stops the rest of the plan", target: "#install.CLOSING" },
            "parent.cancel": { description: "The parent was cancelled", target: "#install.CLOSING" },
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
                  description: "The next one's turn",
                  guard: { type: "turnIs", params: { phase: "link" } },
                  target: "WAITING",
                  actions: {
                    type: "task.tell",
                    params: ({ context }) => ({
                      to: childOfTurn(context),
                      event: { type: "parent.start" },
                    }),
                  },
                },
                { description: "The plan is done", target: "#install.COMPLETED" },
              ],
            },
            WAITING: {
              description: "A link or an install of a target has its turn",
              always: { description: "It has ended", guard: "turnHasEnded", target: "NEXT" },
            },
          },
        },
      },
    },

    FAILED: {
      description: "The host refused or failed; a new attempt goes on with the step that failed",
      entry: {
        type: "task.tell",
        params: ({ context }) => ({
          to: "parent",
          event: { type: "child.ended", state: "FAILED", marks: [...context.marks] },
        }),
      },
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
        "parent.cancel": {
          description: "The parent was cancelled",
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
            "host.directories.done": {
              description: "The directories are there",
              target: "CHILDREN",
              actions: [
                {
                  type: "noteDirectories",
                  params: ({ event }) => ({ directories: event.directories, shares: event.shares }),
                },
                { type: "mark", params: ({ event }) => ({ marks: event.marks }) },
              ],
            },
            "host.directories.failed": {
              description: "Some of the directories are there",
              target: "CHILDREN",
              actions: {
                type: "noteDirectories",
                params: ({ event }) => ({ directories: event.directories, shares: event.shares }),
              },
            },
            "host.app.progress": {
              description: "The host's job gets on",
              actions: { type: "notePercent", params: ({ event }) => ({ percent: event.percent }) },
            },
            "host.app.created": {
              description: "The app was created after all; it stays",
              target: "CHILDREN",
              actions: { type: "noteApp", params: { app: "created" } },
            },
            "host.app.failed": {
              description: "The app was not created",
              target: "CHILDREN",
              actions: [
                { type: "noteFailed", params: ({ event }) => ({ done: event.done ?? false }) },
                { type: "setFailure", params: ({ event }) => ({ failure: event.failure }) },
              ],
            },
            "user.cancel": {
              description: "A person insists: nobody waits for the host any more",
              target: "CHILDREN",
              actions: [
                { type: "noteApp", params: { app: "unknown" } },
                { type: "effect.cancel", params: { name: "host.directories" } },
                { type: "effect.cancel", params: { name: "host.app.create" } },
              ],
            },
            "engine.crashLoop": {
              description: "The engine died several times in a row in this step",
              target: "CHILDREN",
              actions: [
                { type: "noteApp", params: { app: "unknown" } },
                { type: "crashed", params: ({ event }) => ({ lives: event.lives }) },
              ],
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
            { description: "A failed install was put away", guard: "allEndedDismissed", target: "#install.DISMISSED" },
            { description: "Nothing is under way any more", guard: "allEnded", target: "#install.CANCELLED" },
          ],
          on: {
            "user.cancel": {
              description: "A person insists: nobody waits for the children any more",
              target: "#install.CANCELLED",
            },
          },
        },
      },
    },

    COMPLETED: {
      description: "The app is installed and every required hook has ended",
      type: "final",
      entry: {
        type: "task.tell",
        params: ({ context }) => ({
          to: "parent",
          event: { type: "child.ended", state: "COMPLETED", marks: [...context.marks] },
        }),
      },
    },
    DISMISSED: { description: "A failed install was put away", type: "final" },
    CANCELLED: {
      description: "Stopped by a person; the result says what was and was not done",
      type: "final",
      entry: {
        type: "task.tell",
        params: ({ context }) => ({
          to: "parent",
          event: { type: "child.ended", state: "CANCELLED", marks: [...context.marks] },
        }),
      },
    },
  },
});
