/**
 * Updating one app's options, or bringing it to a newer script: snapshots, `app.update` with the merged values,
 * ownership (docs/decisions.md, section 4). No hook fires.
 *
 * Invariants:
 * 1. Every declared snapshot is taken before anything touches the app.
 * 2. `app.update` is asked for once per attempt, and only in UPDATING.
 * 3. CANCELLED is reached only when no host call of this task is under way, unless a person insists.
 * 4. Values and secrets are in the stored plan; the context holds names, paths and states.
 */
import { assign, setup } from "xstate";
import type { Failure } from "../src/core/codes/problems.ts";
import { appAfter, crashLoop, effectUnknown, type WorkDone } from "../src/core/task/task-failures.ts";
import { union } from "./planned-child.ts";

/** What an update is started with; JSON, no secrets. */
export type UpdateInput = {
  readonly appId: string;
  /** Name of the app for people. */
  readonly title: string;
  readonly marks: readonly string[];
};

/** What the machine remembers; JSON, no secrets. */
export interface UpdateContext {
  readonly input: UpdateInput;
  /** Taken by this task, as `dataset@name`. */
  readonly snapshots: readonly string[];
  /** Paths whose ownership was repaired. */
  readonly repaired: readonly string[];
  readonly app: "notUpdated" | "updated" | "unknown";
  /** Of the host's job. */
  readonly percent: number;
  /** The host can't be asked at the moment; every result of an effect says it can again. */
  readonly hostSilent: boolean;
  readonly failure: Failure | null;
  readonly marks: readonly string[];
}

export type UpdateEvent =
  | {
      readonly type: "host.snapshots.done";
      readonly snapshots: readonly string[];
      readonly marks: readonly string[];
    }
  | { readonly type: "host.snapshots.failed"; readonly failure: Failure }
  | { readonly type: "host.silent" }
  | { readonly type: "host.answers" }
  | { readonly type: "host.app.progress"; readonly percent: number }
  | { readonly type: "host.app.updated" }
  | { readonly type: "host.app.failed"; readonly failure: Failure; readonly done?: WorkDone }
  | { readonly type: "host.ownership.done"; readonly repaired: readonly string[]; readonly marks: readonly string[] }
  | { readonly type: "host.ownership.failed"; readonly failure: Failure }
  | { readonly type: "user.cancel" }
  | { readonly type: "user.retry" }
  | { readonly type: "user.dismiss" }
  | { readonly type: "engine.crashLoop"; readonly lives: number }
  | { readonly type: "engine.effectUnknown"; readonly effect: string };

export const updateMachine = setup({
  types: { context: {} as UpdateContext, events: {} as UpdateEvent, input: {} as UpdateInput },
  actions: {
    "host.snapshots": (_, _params: { appId: string; purpose: string }) => {},
    "host.app.update": (_, _params: { appId: string }) => {},
    "host.ownership": (_, _params: { appId: string }) => {},
    "effect.cancel": (_, _params: { name: string }) => {},

    noteSnapshots: assign({
      hostSilent: false,
      snapshots: ({ context }, p: { snapshots: readonly string[] }) => union(context.snapshots, p.snapshots),
    }),
    noteRepaired: assign({
      hostSilent: false,
      repaired: ({ context }, p: { repaired: readonly string[] }) => union(context.repaired, p.repaired),
    }),
    noteApp: assign({ hostSilent: false, app: (_, p: { app: UpdateContext["app"] }) => p.app }),
    noteFailed: assign({
      hostSilent: false,
      app: ({ context }, p: { done: WorkDone }) => appAfter(p.done, context.app, "updated", "notUpdated"),
    }),
    /** Nobody waits for the call under way any more; what was done before it is known. */
    loseSight: assign({
      hostSilent: false,
      app: ({ context }) => (context.app === "updated" ? "updated" : "unknown"),
    }),
    notePercent: assign({ hostSilent: false, percent: (_, p: { percent: number }) => p.percent }),
    mark: assign({
      marks: ({ context }, p: { marks: readonly string[] }) => union(context.marks, p.marks),
    }),
    setFailure: assign({ hostSilent: false, failure: (_, p: { failure: Failure }) => p.failure }),
    forgetFailure: assign({ failure: null, percent: 0 }),
    hostIsSilent: assign({ hostSilent: true }),
    hostAnswers: assign({ hostSilent: false }),
    crashed: assign({ failure: (_, p: { lives: number }) => crashLoop(p.lives) }),
    unknown: assign({
      failure: (_, p: { effect: string }) => effectUnknown(p.effect),
      app: ({ context }, p: { effect: string }) => (p.effect === "host.app.update" ? "unknown" : context.app),
    }),
  },
}).createMachine({
  id: "update",
  context: ({ input }) => ({
    input: input ?? { appId: "", title: "", marks: [] },
    snapshots: [],
    repaired: [],
    app: "notUpdated",
    percent: 0,
    hostSilent: false,
    failure: null,
    marks: input?.marks ?? [],
  }),
  initial: "RUNNING",
  on: {
    "host.silent": { description: "The host can't be asked", actions: "hostIsSilent" },
    "host.answers": { description: "The host answers again", actions: "hostAnswers" },
  },
  states: {
    RUNNING: {
      description: "The lifecycle, step by step",
      on: {
        "user.cancel": {
          description: "Waits for the call under way, so that the result can say what was done",
          target: "CLOSING",
        },
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
            params: ({ context }) => ({ appId: context.input.appId, purpose: "pre-update" }),
          },
          on: {
            "host.snapshots.done": {
              description: "Every declared dataset has its snapshot",
              target: "UPDATING",
              actions: [
                { type: "noteSnapshots", params: ({ event }) => ({ snapshots: event.snapshots }) },
                { type: "mark", params: ({ event }) => ({ marks: event.marks }) },
              ],
            },
            "host.snapshots.failed": {
              description: "The host refused or failed",
              target: "#update.FAILED",
              actions: { type: "setFailure", params: ({ event }) => ({ failure: event.failure }) },
            },
          },
        },
        UPDATING: {
          description: "The host takes the merged values",
          entry: { type: "host.app.update", params: ({ context }) => ({ appId: context.input.appId }) },
          on: {
            "host.app.progress": {
              description: "The host's job gets on",
              actions: { type: "notePercent", params: ({ event }) => ({ percent: event.percent }) },
            },
            "host.app.updated": {
              description: "The app has the new values",
              target: "OWNERSHIP",
              actions: { type: "noteApp", params: { app: "updated" } },
            },
            "host.app.failed": {
              description: "The host refused or failed",
              target: "#update.FAILED",
              actions: [
                { type: "noteFailed", params: ({ event }) => ({ done: event.done ?? false }) },
                { type: "setFailure", params: ({ event }) => ({ failure: event.failure }) },
              ],
            },
          },
        },
        OWNERSHIP: {
          description: "Checks the declared owners and repairs them, with a snapshot to go back to",
          entry: { type: "host.ownership", params: ({ context }) => ({ appId: context.input.appId }) },
          on: {
            "host.ownership.done": {
              description: "Every declared owner is in place",
              target: "#update.COMPLETED",
              actions: [
                { type: "noteRepaired", params: ({ event }) => ({ repaired: event.repaired }) },
                { type: "mark", params: ({ event }) => ({ marks: event.marks }) },
              ],
            },
            "host.ownership.failed": {
              description: "The host refused or failed",
              target: "#update.FAILED",
              actions: { type: "setFailure", params: ({ event }) => ({ failure: event.failure }) },
            },
          },
        },
      },
    },

    FAILED: {
      description: "The host refused or failed; a new attempt goes on with the step that failed",
      on: {
        "user.retry": { description: "A new attempt", target: "RUNNING.AGAIN", actions: "forgetFailure" },
        "user.dismiss": { description: "A person puts the failure away", target: "DISMISSED" },
        "user.cancel": { description: "The same as dismiss", target: "DISMISSED" },
      },
    },

    CLOSING: {
      description: "Waits for the end of the host call under way",
      on: {
        "host.snapshots.done": {
          description: "The snapshots were taken",
          target: "CANCELLED",
          actions: [
            { type: "noteSnapshots", params: ({ event }) => ({ snapshots: event.snapshots }) },
            { type: "mark", params: ({ event }) => ({ marks: event.marks }) },
          ],
        },
        "host.snapshots.failed": {
          description: "A snapshot was not taken",
          target: "CANCELLED",
          actions: { type: "setFailure", params: ({ event }) => ({ failure: event.failure }) },
        },
        "host.app.progress": {
          description: "The host's job gets on",
          actions: { type: "notePercent", params: ({ event }) => ({ percent: event.percent }) },
        },
        "host.app.updated": {
          description: "The app was updated after all",
          target: "CANCELLED",
          actions: { type: "noteApp", params: { app: "updated" } },
        },
        "host.app.failed": {
          description: "The host did not do it",
          target: "CANCELLED",
          actions: { type: "setFailure", params: ({ event }) => ({ failure: event.failure }) },
        },
        "host.ownership.done": {
          description: "The owners are in place",
          target: "CANCELLED",
          actions: [
            { type: "noteRepaired", params: ({ event }) => ({ repaired: event.repaired }) },
            { type: "mark", params: ({ event }) => ({ marks: event.marks }) },
          ],
        },
        "host.ownership.failed": {
          description: "An owner could not be repaired",
          target: "CANCELLED",
          actions: { type: "setFailure", params: ({ event }) => ({ failure: event.failure }) },
        },
        "user.cancel": {
          description: "A person insists: nobody waits for the host any more",
          target: "CANCELLED",
          actions: [
            "loseSight",
            { type: "effect.cancel", params: { name: "host.snapshots" } },
            { type: "effect.cancel", params: { name: "host.app.update" } },
            { type: "effect.cancel", params: { name: "host.ownership" } },
          ],
        },
        "engine.crashLoop": {
          description: "The engine died several times in a row in this step",
          target: "CANCELLED",
          actions: ["loseSight", { type: "crashed", params: ({ event }) => ({ lives: event.lives }) }],
        },
        "engine.effectUnknown": {
          description: "The database was rolled back",
          target: "CANCELLED",
          actions: { type: "unknown", params: ({ event }) => ({ effect: event.effect }) },
        },
      },
    },

    COMPLETED: { description: "The app has its new values and its owners", type: "final" },
    DISMISSED: { description: "A failed update was put away", type: "final" },
    CANCELLED: { description: "Stopped by a person; the result says what was and was not done", type: "final" },
  },
});
