/**
 * `hook.run {hookId, event, attempt, timeoutMs}` -> `run.completed` or `run.failed`, and `hook.answer {choice}`.
 *
 * Invariants:
 * 1. A run that was going when the engine stopped starts again from its beginning (docs/decisions.md, section 3).
 * 2. One that waited for a person waits again, without a script, until the person decides.
 * 3. `run.started` comes when the script begins, and `run.delayed` before one that begins anew: a wait for the host or
 *    for a place in the sandbox costs no running time.
 */
import type { RunOutcome } from "../../../../sandbox/contract.ts";
import type { Failure } from "../../../core/codes/problems.ts";
import { createHookTimeoutFailure } from "../../../core/task/task-failures.ts";
import { readHook } from "../../read-plan.ts";
import type { EffectHandler, EffectRun, MachineEvent } from "../../runtime/effect.ts";
import { keepForOthers } from "../../vault/carried-inputs.ts";
import { numberParam, readTextParam } from "../app/params.ts";
import type { EffectDeps } from "../deps.ts";
import { toHostFailure } from "../failures.ts";
import { readHookContext } from "./hook-context.ts";
import { type Choice, createHookScriptHost } from "./hook-script-host.ts";

/** Tasks whose run waits for a decision, or runs. */
type Deciders = Map<string, (choice: Choice) => void>;

/** The two effects of a running hook. */
export function hookEffects(deps: EffectDeps): { readonly run: EffectHandler; readonly answer: EffectHandler } {
  const deciders: Deciders = new Map();
  return {
    run: {
      class: "local",
      async perform(params, run) {
        const hookId = readTextParam(params, "hookId");
        const timeoutMs = numberParam(params, "timeoutMs");
        await afterDecision(deps, deciders, run);
        if (run.resumed) run.emit({ type: "run.delayed" });
        try {
          return await runScript(deps, deciders, run, hookId, readTextParam(params, "event"), timeoutMs);
        } catch (error) {
          return { type: "run.failed", failure: toHostFailure(error) };
        }
      },
    },
    answer: {
      class: "local",
      async perform(params, run) {
        deciders.get(run.taskId)?.(readTextParam(params, "choice") === "skip" ? "skip" : "retry");
        return { type: "run.answered" };
      },
    },
  };
}

async function runScript(
  deps: EffectDeps,
  deciders: Deciders,
  run: EffectRun,
  hookId: string,
  event: string,
  timeoutMs: number,
): Promise<MachineEvent> {
  const { store, sandbox, masks } = deps;
  const task = store.task(run.taskId);
  if (task === null) throw new Error(`task "${run.taskId}" is not stored`);
  const stored = readHook(store, run.rootId, task.appId, hookId);
  const script = store.script(stored.sha256);
  if (script === null) throw new Error(`the compiled script of "${hookId}" is not stored`);
  const { context, mounts, network } = await readHookContext(deps, run, stored, event);
  run.signal.throwIfAborted();
  if (stored.handsOver === true) keepForOthers(store, task, stored.hook);
  const scriptHost = createHookScriptHost(deps, run, () => started.ranMs());
  const started = sandbox.run(
    {
      runId: run.effectId,
      kind: "hook",
      script,
      entrypoint: stored.hook.entrypoint,
      context,
      secrets: masks.secrets(run.rootId),
      wallMs: timeoutMs,
      network,
      mounts,
      seed: run.effectId,
    },
    scriptHost,
  );
  deciders.set(run.taskId, scriptHost.decide);
  const stop = () => started.stop();
  run.signal.addEventListener("abort", stop, { once: true });
  try {
    await started.begun;
    run.emit({ type: "run.started" });
    const outcome = await started.outcome;
    await scriptHost.settle();
    if (outcome.status === "completed") return { type: "run.completed" };
    return { type: "run.failed", failure: runFailure(outcome, timeoutMs) };
  } finally {
    run.signal.removeEventListener("abort", stop);
    scriptHost.flush();
    // A fresh run of the task may be there already.
    if (deciders.get(run.taskId) === scriptHost.decide) deciders.delete(run.taskId);
  }
}

/** Where an earlier life of this run waited for a person, waits for that person before the script starts again. */
async function afterDecision({ store }: EffectDeps, deciders: Deciders, run: EffectRun): Promise<void> {
  const checkpoint = run.note?.["waitingAt"];
  if (typeof checkpoint !== "string" || !isAsked(store, run.taskId)) return;
  const choice = await new Promise<Choice>((resolve, reject) => {
    deciders.set(run.taskId, resolve);
    run.signal.addEventListener("abort", () => reject(run.signal.reason), { once: true });
  });
  const { waitingAt: _, ...note } = run.note ?? {};
  run.writeNote({ ...note, decisions: { [checkpoint]: choice } });
}

/** The task waits for the person, or has the answer on its way; a life that died after its note had not asked yet. */
function isAsked(store: EffectDeps["store"], taskId: string): boolean {
  if (store.task(taskId)?.facts.state === "AWAITING_RETRY") return true;
  return store.openEffects(taskId).some(({ name }) => name === "hook.answer");
}

function runFailure(outcome: Extract<RunOutcome, { status: "failed" }>, timeoutMs: number): Failure {
  const { reason, message, context, stack } = outcome;
  if (reason === "timeout_wall") return { ...createHookTimeoutFailure(timeoutMs), context };
  return {
    code: "TASK_HOOK_FAILED",
    message,
    context: [
      ...context,
      ...(reason === "script_error" ? [] : [{ label: "reason", value: reason }]),
      ...(stack === undefined ? [] : [{ label: "stack", value: stack }]),
    ],
    retryable: true,
  };
}
