import type { TaskFacts, WaitingFacts } from "../../src/core/task/task-facts.ts";
import { describeRequest } from "../../src/core/task/uncertain-request.ts";
import type { AskedInput, DecisionAsked, InputAsked } from "../../src/core/task/waiting.ts";
import type { TaskState } from "../../src/core/task-states.ts";
import { isInState, readLeafState, type StateValue } from "../state-value.ts";
import type { HookTaskContext, MissingInput } from "./types.ts";

/** A hook run as people see it. */
export function viewHookTask(value: StateValue, context: HookTaskContext): TaskFacts {
  const state = stateOf(value);
  const waitsForApps = isInState(value, "ACTIVE", "WAITING_APPS");
  const waitingFor = waitsForApps ? waitForApps(context) : waitOf(state, value, context);
  return {
    kind: context.input.kind,
    state,
    label: state === "RUNNING" ? context.input.runningTitle : context.input.title,
    title: context.input.title,
    ...(state === "RUNNING" && { doing: context.input.runningTitle }),
    progress: state === "COMPLETED" ? 100 : progressOf(context),
    marks: context.marks,
    ...(waitingFor && { waitingFor }),
    ...(context.failure !== null && state !== "COMPLETED" && { failure: context.failure }),
  };
}

function isAt(place: "AT_CHECKPOINT" | "AT_REQUEST", value: StateValue): boolean {
  return isInState(value, "ACTIVE", "EXECUTING", place);
}

function stateOf(value: StateValue): TaskState {
  if (isAt("AT_CHECKPOINT", value) || isAt("AT_REQUEST", value)) return "AWAITING_RETRY";
  return isInState(value, "ACTIVE", "AWAITING_INPUT") ? "AWAITING_INPUT" : readLeafState(value);
}

/** Completed checkpoints of all, unless the script gives its own percentage. */
function progressOf({ percent, registered, ended }: HookTaskContext): number {
  if (percent !== null) return percent;
  return registered.length === 0 ? 0 : Math.min(99, Math.floor((ended.length * 100) / registered.length));
}

function waitOf(state: TaskState, value: StateValue, context: HookTaskContext): WaitingFacts | null {
  if (state === "AWAITING_INPUT") return { kind: "person", deadline: "inputDeadline", detail: askedFor(context) };
  if (state !== "AWAITING_RETRY") return null;
  return { kind: "person", detail: { choices: ["retry", "skip", "cancel"], ...findSubject(value, context) } };
}

/** The subject of the choice: the checkpoint or the request the open script waits at, else the whole run. */
function findSubject(value: StateValue, context: HookTaskContext): Omit<DecisionAsked, "choices"> {
  const { failedCheckpoint: checkpoint, request, input, corrections } = context;
  if (checkpoint !== null && isAt("AT_CHECKPOINT", value)) return { checkpoint };
  if (request !== null && isAt("AT_REQUEST", value)) return { request: describeRequest(request) };
  return {
    ...(corrections && { inputs: corrections.map(viewInput) }),
    ...(input.requiredBefore && { warning: "the author requires this hook: what follows may not work without it" }),
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
      return { ...viewInput(input), ...(authorization && { authorization }) };
    }),
  };
}

function viewInput({ id, type, declared }: MissingInput): AskedInput {
  return { ...declared, id, type };
}
