import type { TaskFacts, WaitingFacts } from "../../src/core/task/task-facts.ts";
import type { InputAsked } from "../../src/core/task/waiting.ts";
import type { TaskState } from "../../src/core/task-states.ts";
import { readLeafState, type StateValue, stateIs } from "../state-value.ts";
import type { HookTaskContext } from "./types.ts";

/** A hook run as people see it. */
export function viewHookTask(value: StateValue, context: HookTaskContext): TaskFacts {
  const state = stateOf(value);
  const atCheckpoint = isAtCheckpoint(value) ? context.failedCheckpoint : null;
  const waitsForApps = stateIs(value, "ACTIVE", "WAITING_APPS");
  const waitingFor = waitsForApps ? waitForApps(context) : waitOf(state, context, atCheckpoint);
  return {
    kind: context.input.kind,
    state,
    label: state === "RUNNING" ? context.input.runningTitle : context.input.title,
    progress: state === "COMPLETED" ? 100 : progressOf(context),
    marks: context.marks,
    ...(waitingFor && { waitingFor }),
    ...(context.failure !== null && state !== "COMPLETED" && { failure: context.failure }),
  };
}

function isAtCheckpoint(value: StateValue): boolean {
  return stateIs(value, "ACTIVE", "EXECUTING", "AT_CHECKPOINT");
}

function stateOf(value: StateValue): TaskState {
  if (isAtCheckpoint(value)) return "AWAITING_RETRY";
  return stateIs(value, "ACTIVE", "AWAITING_INPUT") ? "AWAITING_INPUT" : readLeafState(value);
}

/** Completed checkpoints of all, unless the script gives its own percentage. */
function progressOf({ percent, registered, ended }: HookTaskContext): number {
  if (percent !== null) return percent;
  return registered.length === 0 ? 0 : Math.min(99, Math.floor((ended.length * 100) / registered.length));
}

/** `checkpoint` is the one the open script waits at; a choice about the whole run names none. */
function waitOf(state: TaskState, context: HookTaskContext, checkpoint: string | null): WaitingFacts | null {
  if (state === "AWAITING_INPUT") return { kind: "person", deadline: "inputDeadline", detail: askedFor(context) };
  if (state !== "AWAITING_RETRY") return null;
  return {
    kind: "person",
    detail: {
      choices: ["retry", "skip", "cancel"],
      ...(checkpoint !== null && { checkpoint }),
      ...(checkpoint === null &&
        context.input.requiredBefore && {
          warning: "the author requires this hook: what follows may not work without it",
        }),
    },
  };
}

function waitForApps({ input, pending }: HookTaskContext): WaitingFacts {
  const apps = [...(input.link?.apps ?? [])];
  return { kind: "app", deadline: "startDeadline", detail: { apps, reasons: [...pending] } };
}

/** The inputs asked for, with the address to open for each authorization. */
function askedFor({ missing, authorizations }: HookTaskContext): InputAsked {
  return {
    choices: ["input", "skip", "cancel"],
    inputs: missing.map((input) => {
      const authorization = authorizations[input.id];
      return { ...input.declared, id: input.id, type: input.type, ...(authorization && { authorization }) };
    }),
  };
}
