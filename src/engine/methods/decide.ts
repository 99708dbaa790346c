/** Decisions of a person about a task: retry, skip, cancel, dismiss, inputs. */

import { createTaskUnknownError } from "../../core/codes/common-errors.ts";
import { EngineError, type Problem } from "../../core/codes/problems.ts";
import type { Json } from "../../core/json/json.ts";
import { findAskedCheckpoint } from "../../core/task/waiting.ts";
import { isAwaiting } from "../../core/task-states.ts";
import type { Decision, DecisionRequest, InputRequest, TaskView } from "../api.ts";
import type { TaskRow } from "../ports/store-rows.ts";
import { readHook } from "../read-plan.ts";
import { viewTask } from "../runtime/views.ts";
import { toInputName } from "../vault/secrets.ts";
import type { ChangeDeps, MethodDeps } from "./deps.ts";
import { refuseOvertaken } from "./refuse-overtaken.ts";
import { checkInput, createRequestProblem, refuseProblems } from "./request/request.ts";

/**
 * Tells a task what a person decided. Throws `TASK_UNKNOWN`, `TASK_REFUSED` where the task does not take it now,
 * `TASK_CONFLICT {taskId}` for a retry of a part of a plan that is still at work: its parts run one at a time,
 * `TASK_ROLLBACK_OVERTAKEN` or `TASK_UPDATE_OVERTAKEN` for one of a rollback or an update whose app was changed since, and
 * `TASK_DECISION_STALE` where `about` names another question than the task asks.
 */
export function decide(
  { runtime, store, deed }: ChangeDeps,
  taskId: string,
  decision: Decision,
  about: DecisionRequest = {},
): TaskView {
  const isNamed = namesQuestion(about);
  if (isNamed) refuseStale(store, taskId, about);
  const isPassedOn = !isNamed && (decision === "retry" || decision === "skip");
  const addressee = isPassedOn ? findWaitingTask(store.tree(taskId), taskId) : taskId;
  if (decision === "retry") {
    refuseBesidePlan(store, addressee);
    refuseOvertaken(store, addressee);
  }
  runtime.send(addressee, { type: `user.${decision}` }, { deed });
  return requireView(runtime, taskId);
}

/**
 * Gives a task input values. Questions are checked against their declaration; one that is not required and not
 * mentioned takes its default. Throws `{problems}` with the place of each fault, and `TASK_DECISION_STALE` where `about`
 * names another question than the task asks.
 */
export function giveInput(
  deps: ChangeDeps,
  taskId: string,
  values: InputRequest,
  about: DecisionRequest = {},
): TaskView {
  const { runtime, store, masks, deed } = deps;
  const isNamed = namesQuestion(about);
  if (isNamed) refuseStale(store, taskId, about);
  const row = store.task(isNamed ? taskId : findWaitingTask(store.tree(taskId), taskId));
  if (row === null) throw createTaskUnknownError(taskId);
  // A failed hook takes corrected values too: they start it again.
  const takesInput = isAwaiting(row.facts.state);
  if (!takesInput || row.hookId === null) {
    const message = `task "${taskId}" is ${row.facts.state} and asks for no input`;
    throw new EngineError("TASK_REFUSED", message, { taskId, state: row.facts.state });
  }
  const { hook } = readHook(store, row.root, row.appId, row.hookId);
  const secrets: Record<string, Json> = {};
  const problems: Problem[] = [];
  for (const [inputId, value] of Object.entries(values)) {
    const checked = checkInput(hook.inputs, inputId, value);
    if ("fault" in checked) problems.push(createRequestProblem(checked.code, checked.fault, ["inputs", inputId]));
    else if (checked.entry !== null) secrets[toInputName(row.id, inputId)] = checked.entry;
  }
  const given = new Set(Object.keys(values));
  for (const input of hook.inputs) {
    if (input.type === "oauth" || given.has(input.id)) continue;
    if (store.secret(row.root, toInputName(row.id, input.id)) !== null) continue;
    const { default: offered } = input.question;
    if (offered === undefined && input.question.required) continue;
    given.add(input.id);
    const checked = offered === undefined ? null : checkInput(hook.inputs, input.id, offered);
    if (checked !== null && "entry" in checked && checked.entry !== null) {
      secrets[toInputName(row.id, input.id)] = checked.entry;
    }
  }
  refuseProblems(row.appId, problems);
  masks.forget(row.root);
  runtime.send(row.id, { type: "user.input", given: [...given] }, { secrets, deed });
  masks.forget(row.root);
  return requireView(runtime, taskId);
}

/** The task itself, or the one task under it that waits for a person: a decision about the whole means that one. */
function findWaitingTask(tree: readonly TaskRow[], taskId: string): string {
  const own = tree.find(({ id }) => id === taskId);
  if (own === undefined || own.facts.state !== "RUNNING") return taskId;
  const below = listDescendants(tree, taskId).filter(({ facts }) => isAwaiting(facts.state));
  const [only, ...others] = below;
  return only !== undefined && others.length === 0 ? only.id : taskId;
}

function namesQuestion({ revision, checkpoint }: DecisionRequest): boolean {
  return revision !== undefined || checkpoint !== undefined;
}

/** Nothing comes between this look and the turn that takes the decision: both are in one synchronous stretch. */
function refuseStale(store: MethodDeps["store"], taskId: string, about: DecisionRequest): void {
  const row = store.task(taskId);
  if (row === null || row.kind === "checkpoint") throw createTaskUnknownError(taskId);
  const { state, revision, waitingFor } = viewTask(row, []);
  const checkpoint = findAskedCheckpoint(waitingFor);
  const isSame = about.revision === undefined || about.revision === revision;
  if (isSame && (about.checkpoint === undefined || about.checkpoint === checkpoint)) return;
  const message = `task "${taskId}" is ${state} at revision ${revision} and no longer asks what was answered`;
  throw new EngineError("TASK_DECISION_STALE", message, {
    taskId,
    state,
    revision,
    ...(checkpoint !== undefined && { checkpoint }),
  });
}

function refuseBesidePlan(store: MethodDeps["store"], taskId: string): void {
  const row = store.task(taskId);
  const plan = row?.parent ? store.task(row.parent) : null;
  if (row?.facts.state !== "FAILED" || plan?.facts.state !== "RUNNING" || plan.quarantine !== null) return;
  const message = `task "${taskId}" is part of "${plan.id}", which is still at work: retry it when that has ended`;
  throw new EngineError("TASK_CONFLICT", message, { taskId: plan.id });
}

function listDescendants(tree: readonly TaskRow[], taskId: string): readonly TaskRow[] {
  const children = tree.filter(({ parent, kind }) => parent === taskId && kind !== "checkpoint");
  return children.flatMap((child) => [child, ...listDescendants(tree, child.id)]);
}

function requireView(runtime: MethodDeps["runtime"], taskId: string): TaskView {
  const view = runtime.task(taskId);
  if (view === null) throw createTaskUnknownError(taskId);
  return view;
}
