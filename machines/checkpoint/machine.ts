/**
 * One checkpoint of a hook: announced by the script, then completed or skipped, or failed until a person decides.
 *
 * Invariants:
 * 1. An ended checkpoint stays ended: COMPLETED and SKIPPED are final, later events are dropped and logged.
 * 2. FAILED is left only by a person's Retry or Skip, or by the script reporting on it again after a fresh start.
 */
import { assign, setup } from "xstate";
import type { CheckpointContext, CheckpointEvent, CheckpointInput } from "./types.ts";

/** One checkpoint of a hook. */
export const checkpointMachine = setup({
  types: { context: {} as CheckpointContext, events: {} as CheckpointEvent, input: {} as CheckpointInput },
  actions: {
    say: assign({ message: ({ context }, p: { message: string | null }) => p.message ?? context.message }),
  },
}).createMachine({
  id: "checkpoint",
  context: ({ input }) => ({ checkpoint: input?.checkpoint ?? "", message: input?.message ?? "" }),
  initial: "REGISTERED",
  states: {
    REGISTERED: {
      description: "Announced, not reached yet",
      on: {
        "script.registered": {
          description: "The script announces it again, e.g. after a restart",
          actions: { type: "say", params: ({ event }) => event },
        },
        "script.message": {
          description: "The script changes the text without ending the checkpoint",
          actions: { type: "say", params: ({ event }) => event },
        },
        "script.completed": {
          description: "The script reached it",
          target: "COMPLETED",
          actions: { type: "say", params: ({ event }) => event },
        },
        "script.skipped": {
          description: "The script leaves it out",
          target: "SKIPPED",
          actions: { type: "say", params: ({ event }) => event },
        },
        "script.failed": { description: "The script waits at it for a person", target: "FAILED" },
      },
    },
    FAILED: {
      description: "The script failed here and waits for Retry or Skip",
      on: {
        "user.retry": { description: "The script tries this checkpoint again", target: "REGISTERED" },
        "user.skip": { description: "The script goes on without it", target: "SKIPPED" },
        "script.registered": {
          description: "The script was started again from the beginning",
          target: "REGISTERED",
          actions: { type: "say", params: ({ event }) => event },
        },
        "script.message": {
          description: "The script changes the text while it waits",
          actions: { type: "say", params: ({ event }) => event },
        },
        "script.completed": {
          description: "A script started again passed it this time",
          target: "COMPLETED",
          actions: { type: "say", params: ({ event }) => event },
        },
        "script.skipped": {
          description: "A script started again left it out this time",
          target: "SKIPPED",
          actions: { type: "say", params: ({ event }) => event },
        },
        "script.failed": { description: "A script started again failed here too", target: "FAILED" },
      },
    },
    COMPLETED: { description: "Reached", type: "final" },
    SKIPPED: { description: "Left out by the script or by a person", type: "final" },
  },
});
