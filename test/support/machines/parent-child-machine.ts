import { assign, setup } from "xstate";
import type { RegisteredMachine } from "../../../src/engine/runtime/effect.ts";

interface Context {
  readonly errands: readonly string[];
  readonly done: readonly string[];
  readonly heard: readonly string[];
}

type Event =
  | { readonly type: "child.done"; readonly from: string }
  | { readonly type: "task.refused"; readonly id: string; readonly holder: string }
  | { readonly type: "task.quarantined"; readonly from: string }
  | { readonly type: "task.dismissed"; readonly from: string }
  | { readonly type: "user.tellNobody" }
  | { readonly type: "user.startAgain" };

/** A parent: starts two helpers in one turn and ends when both told it that they are done. */
export const householdMachine = setup({
  types: { context: {} as Context, events: {} as Event, input: {} as { readonly errands: readonly string[] } },
  actions: {
    "task.start": (
      _,
      _params: { id: string; machine: string; input: { name: string }; kind: string; appId: string; claim?: string },
    ) => {},
    "task.tell": (_, _params: { to: string; event: { type: string } }) => {},
    tick: assign({ done: ({ context }, p: { name: string }) => [...context.done, p.name] }),
    hear: assign({ heard: ({ context }, p: { text: string }) => [...context.heard, p.text] }),
  },
  guards: { last: ({ context }) => context.done.length + 1 === context.errands.length },
}).createMachine({
  id: "household",
  context: ({ input }) => ({ errands: input?.errands ?? [], done: [], heard: [] }),
  initial: "BUSY",
  states: {
    BUSY: {
      entry: [
        { type: "task.start", params: ({ context }) => helper(context.errands[0] ?? "") },
        { type: "task.start", params: ({ context }) => helper(context.errands[1] ?? "") },
        {
          type: "task.tell",
          params: ({ context }) => ({ to: context.errands[0] ?? "", event: { type: "parent.start" } }),
        },
        {
          type: "task.tell",
          params: ({ context }) => ({ to: context.errands[1] ?? "", event: { type: "parent.start" } }),
        },
      ],
      on: {
        "child.done": [
          { guard: "last", target: "DONE", actions: { type: "tick", params: ({ event }) => ({ name: event.from }) } },
          { actions: { type: "tick", params: ({ event }) => ({ name: event.from }) } },
        ],
        "task.refused": {
          actions: { type: "hear", params: ({ event }) => ({ text: `${event.id} held by ${event.holder}` }) },
        },
        "task.quarantined": {
          actions: { type: "hear", params: ({ event }) => ({ text: `${event.from} quarantined` }) },
        },
        "task.dismissed": {
          target: "DONE",
          actions: { type: "hear", params: ({ event }) => ({ text: `${event.from} dismissed` }) },
        },
        "user.tellNobody": {
          actions: { type: "task.tell", params: { to: "nobody", event: { type: "parent.start" } } },
        },
        "user.startAgain": {
          actions: { type: "task.start", params: ({ context }) => helper(context.errands[0] ?? "") },
        },
      },
    },
    DONE: { type: "final" },
  },
});

function helper(name: string) {
  return { id: name, machine: "helper", input: { name }, kind: "hook", appId: "shop", claim: `helper:${name}` };
}

export const household: RegisteredMachine = {
  id: "household",
  version: 1,
  machine: householdMachine,
  migrate: {},
  view: ({ value, context }) => ({
    kind: "install",
    state: value === "DONE" ? "COMPLETED" : "RUNNING",
    label: "household",
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
    "task.tell": (_, _params: { to: string; event: { type: string } }) => {},
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
        "work.done": {
          target: "DONE",
          actions: { type: "task.tell", params: { to: "parent", event: { type: "child.done" } } },
        },
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
    ...(value === "ASKING" && { waitingFor: { kind: "person" } }),
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
