import type { Json, JsonObject } from "../../core/json/json.ts";
import { isJsonObject } from "../../core/json/json.ts";
import type { AskedInput, Authorization } from "../../core/task/waiting.ts";
import type { MachineEvent, TaskFacts } from "../runtime/effect.ts";

/** Masks the secrets of one root task in a text. */
export type Mask = (text: string) => string;

/**
 * Keys that hold prose or an address in machine events. Only they are masked there: names and codes steer the machine, and
 * masking a word that happens to equal a weak password would change what it does.
 */
const PROSE = new Set(["message", "reason", "error", "description", "text", "value", "label", "stack", "url"]);

/** Masks the prose of an event before a machine sees it, so that no snapshot and no log entry can hold a secret. */
export function maskEvent(event: MachineEvent, mask: Mask): MachineEvent {
  return { ...maskProse(event, mask), type: event.type };
}

function maskProse(object: JsonObject, mask: Mask): JsonObject {
  return Object.fromEntries(
    Object.entries(object).map(([key, value]) => [
      key,
      PROSE.has(key) ? maskTexts(value, mask) : maskProseBelow(value, mask),
    ]),
  );
}

function maskProseBelow(value: Json, mask: Mask): Json {
  if (Array.isArray(value)) return value.map((item: Json) => maskProseBelow(item, mask));
  return isJsonObject(value) ? maskProse(value, mask) : value;
}

/** Masks what a person reads of a task. */
export function maskFacts(facts: TaskFacts, mask: Mask): TaskFacts {
  const { waitingFor, failure, result } = facts;
  return {
    ...facts,
    label: mask(facts.label),
    ...(facts.title !== undefined && { title: mask(facts.title) }),
    ...(facts.doing !== undefined && { doing: mask(facts.doing) }),
    marks: facts.marks.map(mask),
    ...(waitingFor && { waitingFor: maskWait(waitingFor, mask) }),
    ...(failure && { failure: maskFailure(failure, mask) }),
    ...(result && { result: maskResult(result, mask) }),
  };
}

type Wait = NonNullable<TaskFacts["waitingFor"]>;

function maskWait(wait: Wait, mask: Mask): Wait {
  if (wait.kind === "person") return { ...wait, detail: maskQuestion(wait.detail, mask) };
  if (wait.kind !== "app" || wait.detail === undefined) return wait;
  const { detail } = wait;
  if ("state" in detail) return { ...wait, detail: { state: mask(detail.state) } };
  return { ...wait, detail: { apps: detail.apps.map(mask), reasons: detail.reasons.map(mask) } };
}

type Question = Extract<Wait, { readonly kind: "person" }>["detail"];

function maskQuestion(question: Question, mask: Mask): Question {
  if ("child" in question) return { child: mask(question.child) };
  if ("inputs" in question) return { ...question, inputs: question.inputs.map((input) => maskInput(input, mask)) };
  const { checkpoint, request } = question;
  return {
    ...question,
    ...(checkpoint !== undefined && { checkpoint: mask(checkpoint) }),
    ...(request && { request: { ...request, url: mask(request.url) } }),
  };
}

function maskInput(input: AskedInput, mask: Mask): AskedInput {
  const { authorization: open } = input;
  return {
    ...maskObject(input, mask),
    id: mask(input.id),
    type: input.type,
    ...(open && { authorization: maskAuthorization(open, mask) }),
  };
}

function maskAuthorization(authorization: Authorization, mask: Mask): Authorization {
  if (authorization.status === "failed") return { ...authorization, failure: maskFailure(authorization.failure, mask) };
  return { ...authorization, url: mask(authorization.url), code: mask(authorization.code) };
}

type Result = NonNullable<TaskFacts["result"]>;

function maskResult(result: Result, mask: Mask): Result {
  const { done, notDone } = result;
  const ended = { done: done.map(mask), notDone: notDone.map(mask) };
  if ("state" in result) return { ...result, ...ended, state: result.state === null ? null : mask(result.state) };
  if ("removed" in result) {
    const { removed, emptied, left, snapshots } = result;
    const paths = { removed: removed.map(mask), emptied: emptied.map(mask), left: left.map(mask) };
    return { ...result, ...ended, ...paths, snapshots: snapshots.map(mask) };
  }
  if ("restored" in result) {
    const { restored, setAside, snapshots } = result;
    const names = { restored: restored.map(mask), setAside: setAside.map(mask), snapshots: snapshots.map(mask) };
    return { ...result, ...ended, ...names };
  }
  if ("failed" in result) return { ...result, ...ended, failed: result.failed.map(mask) };
  if (!("directories" in result || "repaired" in result)) return { ...result, ...ended };
  const { directories, shares } = result;
  const common = {
    ...ended,
    ...(directories && { directories: directories.map(mask) }),
    ...(shares && { shares: shares.map(mask) }),
  };
  if (!("repaired" in result)) return { ...result, ...common };
  return { ...result, ...common, snapshots: result.snapshots.map(mask), repaired: result.repaired.map(mask) };
}

type Failure = NonNullable<TaskFacts["failure"]>;

function maskFailure(failure: Failure, mask: Mask): Failure {
  return {
    ...failure,
    message: mask(failure.message),
    context: failure.context.map(({ label, value }) => ({ label: mask(label), value: mask(value) })),
    ...(failure.cause && { cause: maskFailure(failure.cause, mask) }),
  };
}

function maskObject(object: JsonObject, mask: Mask): JsonObject {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, maskTexts(value, mask)]));
}

function maskTexts(value: Json, mask: Mask): Json {
  if (typeof value === "string") return mask(value);
  if (Array.isArray(value)) return value.map((item: Json) => maskTexts(item, mask));
  return isJsonObject(value) ? maskObject(value, mask) : value;
}
