import { assign, setup } from "xstate";
import type { RegisteredMachine } from "../../../src/engine/runtime/effect.ts";

interface Context {
  readonly chores: readonly string[];
  readonly done: readonly string[];
  readonly heard: readonly string[];
}

type Event =
  | { readonly type: "child.changed"; readonly from: string; readonly state: string }
  | { readonly type: "user.tellNobody" }
  | { readonly type: "user.startAgain" };

/** A parent: starts two helpers in one turn and ends when both told it that they are done. */
export const parentChildMachine = setup({
  types: { context: {} as Context, events: {} as Event, input: {} as { readonly chores: readonly string[] } },
  actions: {
    "task.start": (
      _,
      _params: { id: string; machine: string; input: { name: string }; kind: string; appId: string; claim?: string },
    ) => {},
    "task.tell": (_, _params: { to: string; event: { type: string } }) => {},
    tick: assign({ done: ({ context }, p: { name: string }) => [...context.done, p.name] }),
    hear: assign({ heard: ({ context }, p: { text: string }) => [...context.heard, p.text] }),
  },
  guards: {
    lastDone: ({ context }, p: { state: string }) =>
      p.state === "COMPLETED" && context.done.length + 1 === context.chores.length,
  },
}).createMachine({
  id: "parent-child",
  context: ({ input }) => ({ chores: input?.chores ?? [], done: [], heard: [] }),
  initial: "BUSY",
  states: {
    BUSY: {
      entry: [
        { type: "task.start", params: ({ context }) => helper(context.chores[0] ?? "") },
        { type: "task.start", params: ({ context }) => helper(context.chores[1] ?? "") },
        {
          type: "task.tell",
          params: ({ context }) => ({ to: context.chores[0] ?? "", event: { type: "parent.start" } }),
        },
        {
          type: "task.tell",
          params: ({ context }) => ({ to: context.chores[1] ?? "", event: { type: "parent.start" } }),
        },
      ],
      on: {
        "child.changed": [
          {
            guard: { type: "lastDone", params: ({ event }) => event },
            target: "DONE",
            actions: { type: "tick", params: ({ event }) => ({ name: event.from }) },
          },
          {
            guard: ({ event }) => event.state === "COMPLETED",
            actions: { type: "tick", params: ({ event }) => ({ name: event.from }) },
          },
          {
            guard: ({ event }) => event.state === "DISMISSED",
            target: "DONE",
            actions: { type: "hear", params: ({ event }) => ({ text: `${event.from} ${event.state}` }) },
          },
          {
            guard: ({ event }) => event.state === "REFUSED" || event.state === "QUARANTINED",
            actions: { type: "hear", params: ({ event }) => ({ text: `${event.from} ${event.state}` }) },
          },
        ],
        "user.tellNobody": {
          actions: { type: "task.tell", params: { to: "nobody", event: { type: "parent.start" } } },
        },
        "user.startAgain": {
          actions: { type: "task.start", params: ({ context }) => helper(context.chores[0] ?? "") },
        },
      },
    },
    DONE: { type: "final" },
  },
});

function helper(name: string) {
  return { id: name, machine: "helper", input: { name }, kind: "hook", appId: "shop", claim: `helper:${name}` };
}

export const parentChild: RegisteredMachine = {
  id: "parent-child",
  version: 1,
  machine: parentChildMachine,
  migrate: {},
  view: ({ value, context }) => ({
    kind: "install",
    state: value === "DONE" ? "COMPLETED" : "RUNNING",
    label: "parent-child",
    progress: 0,
    marks: [...(context["done"] as readonly string[]), ...(context["heard"] as readonly string[])],
  }),
};

/** A child: waits for its turn, works, asks a person when it fails, registers one checkpoint. */
export const helperMachine = setup({
  types: {
    context: {} as { readonly name: string },
    events: {} as
      | { readonly type: "parent.start" }
      | { readonly type: "work.done" }
      | { readonly type: "work.failed" }
      | { readonly type: "work.point"; readonly id: string }
      | { readonly type: "user.retry" }
      | { readonly type: "user.break" },
    input: {} as { readonly name: string },
  },
  actions: {
    "helper.work": (_, _params: { readonly name: string }) => {},
    "task.start": (
      _,
      _params: { id: string; machine: string; input: { id: string }; kind: string; appId: string },
    ) => {},
    break: assign(() => {
      throw new Error("helper is broken");
    }),
  },
}).createMachine({
  id: "helper",
  context: ({ input }) => ({ name: input?.name ?? "" }),
  initial: "PENDING",
  states: {
    PENDING: { on: { "parent.start": "WORKING" } },
    WORKING: {
      entry: { type: "helper.work", params: ({ context }) => ({ name: context.name }) },
      on: {
        "work.point": {
          actions: {
            type: "task.start",
            params: ({ event }) => ({
              id: event.id,
              machine: "point",
              input: { id: event.id },
              kind: "checkpoint",
              appId: "shop",
            }),
          },
        },
        "work.done": "DONE",
        "work.failed": "ASKING",
        "user.break": { actions: "break" },
      },
    },
    ASKING: { on: { "user.retry": "WORKING" } },
    DONE: { type: "final" },
  },
});

export const helperTask: RegisteredMachine = {
  id: "helper",
  version: 1,
  machine: helperMachine,
  migrate: {},
  view: ({ value, context }) => ({
    kind: "hook",
    state: ({ PENDING: "PENDING", WORKING: "RUNNING", ASKING: "AWAITING_RETRY", DONE: "COMPLETED" } as const)[
      value as "PENDING" | "WORKING" | "ASKING" | "DONE"
    ],
    label: `help with ${String(context["name"])}`,
    progress: 0,
    marks: [],
    ...(value === "ASKING" && { waitingFor: { kind: "person", detail: { choices: ["retry", "skip", "cancel"] } } }),
  }),
};

export const pointTask: RegisteredMachine = {
  id: "point",
  version: 1,
  machine: setup({
    types: { context: {} as { readonly id: string }, input: {} as { readonly id: string } },
  }).createMachine({
    id: "point",
    context: ({ input }) => ({ id: input?.id ?? "" }),
    initial: "REGISTERED",
    states: { REGISTERED: { on: { reach: "COMPLETED" } }, COMPLETED: { type: "final" } },
  }),
  migrate: {},
  view: ({ value, context }) => ({
    kind: "checkpoint",
    state: value === "COMPLETED" ? "COMPLETED" : "PENDING",
    label: `point ${String(context["id"])}`,
    progress: 0,
    marks: [],
  }),
};
