import { assign, setup } from "xstate";
import type { RegisteredMachine } from "../../../src/engine/runtime/effect.ts";

interface Context {
  readonly label: string;
  readonly said: readonly string[];
}

type Event =
  | { readonly type: "host.done"; readonly answer: string }
  | { readonly type: "host.failed"; readonly message: string }
  | { readonly type: "host.progress"; readonly percent: number }
  | { readonly type: "engine.failed"; readonly failure: { readonly code: string } }
  | { readonly type: "user.retry" }
  | { readonly type: "user.cancel" }
  | { readonly type: "user.explode" };

/** The smallest task with everything: one effect, one deadline, a person's decision, an end. */
export const singleEffectMachine = setup({
  types: { context: {} as Context, events: {} as Event, input: {} as { readonly label: string } },
  delays: { answerDeadline: 60_000, workTime: 10_000 },
  actions: {
    "work.run": (_, _params: { readonly label: string }) => {},
    "work.report": (_, _params: { readonly said: readonly string[] }) => {},
    "effect.cancel": (_, _params: { readonly name: string }) => {},
    hear: assign({ said: ({ context }, p: { text: string }) => [...context.said, p.text] }),
    explode: assign(() => {
      throw new Error("the machine is broken");
    }),
  },
}).createMachine({
  id: "single-effect",
  context: ({ input }) => ({ label: input?.label ?? "", said: [] }),
  initial: "WORKING",
  states: {
    WORKING: {
      entry: { type: "work.run", params: ({ context }) => ({ label: context.label }) },
      after: { workTime: "ASKING" },
      on: {
        "host.done": { target: "DONE", actions: { type: "hear", params: ({ event }) => ({ text: event.answer }) } },
        "host.failed": {
          target: "ASKING",
          actions: { type: "hear", params: ({ event }) => ({ text: event.message }) },
        },
        "host.progress": { actions: { type: "hear", params: ({ event }) => ({ text: `${event.percent}%` }) } },
        "engine.failed": {
          target: "ASKING",
          actions: { type: "hear", params: ({ event }) => ({ text: event.failure.code }) },
        },
        "user.cancel": "CANCELLED",
        "user.explode": { actions: "explode" },
      },
    },
    ASKING: {
      entry: { type: "effect.cancel", params: { name: "work.run" } },
      after: { answerDeadline: "FAILED" },
      on: { "user.retry": "WORKING", "user.cancel": "CANCELLED" },
    },
    FAILED: { on: { "user.retry": "WORKING" } },
    DONE: {
      type: "final",
      entry: { type: "work.report", params: ({ context }) => ({ said: context.said }) },
    },
    CANCELLED: { type: "final" },
  },
});

const STATES = {
  WORKING: "RUNNING",
  ASKING: "AWAITING_RETRY",
  FAILED: "FAILED",
  DONE: "COMPLETED",
  CANCELLED: "CANCELLED",
} as const;

export const singleEffect: RegisteredMachine = {
  id: "single-effect",
  version: 1,
  machine: singleEffectMachine,
  migrate: {},
  activeDelays: ["workTime"],
  view({ value, context }) {
    const state = STATES[value as keyof typeof STATES];
    return {
      kind: "update",
      state,
      label: String(context["label"]),
      progress: 50,
      marks: context["said"] as readonly string[],
      ...(state === "AWAITING_RETRY" && {
        waitingFor: { kind: "person", deadline: "answerDeadline", detail: { choices: ["retry", "skip", "cancel"] } },
      }),
      ...(state === "RUNNING" && { waitingFor: { kind: "host" } }),
    };
  },
};
