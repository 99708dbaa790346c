/**
 * `hook.run {hookId, event, attempt, timeoutMs}` -> `run.completed`, `run.failed` or `run.diverged`, and
 * `hook.answer {about, choice}`.
 *
 * Invariants:
 * 1. A run that was going when the engine stopped goes on where it was (docs/hooks.md, "After a restart"); one whose
 *    journal was given up, or had not begun, starts from its beginning.
 * 2. `run.started` comes when the script begins, `run.resumed` when it stands where it was, `run.delayed` before either
 *    after a restart: a wait for the host or for a place in the sandbox costs no running time.
 * 3. When the engine closes or the task is quarantined, a run is suspended: it loses nothing.
 */
import type { Choice, RunOutcome, RunRequest } from "../../../../sandbox/contract.ts";
import type { Failure } from "../../../core/codes/problems.ts";
import { isJsonObject, type JsonObject } from "../../../core/json/json.ts";
import { createHookTimeoutFailure, createReplayDivergedFailure } from "../../../core/task/task-failures.ts";
import { readHook } from "../../read-plan.ts";
import { type EffectHandler, type EffectRun, type MachineEvent, SUSPENDED } from "../../runtime/effect.ts";
import type { StoredHook } from "../../stored-plan.ts";
import { keepForOthers } from "../../vault/carried-inputs.ts";
import { readNumberParam, readTextParam } from "../app/params.ts";
import type { EffectDeps } from "../deps.ts";
import { toHostFailure } from "../failures.ts";
import { retryWhileStoreFails } from "../retry.ts";
import { readHookContext } from "./hook-context.ts";
import { openHookJournal } from "./hook-journal.ts";
import { HookQuestions } from "./hook-questions.ts";
import { createHookScriptHost } from "./hook-script-host.ts";

/** Ms a script has to come to rest; an engine that closes waits for 5 s in all (dispatch.ts). */
const SUSPEND_MS = 4_000;

/** The questions of running hooks, by task. */
type Asking = Map<string, HookQuestions>;

/** The two effects of a running hook. */
export function hookEffects(deps: EffectDeps): { readonly run: EffectHandler; readonly answer: EffectHandler } {
  const asking: Asking = new Map();
  return {
    run: {
      class: "local",
      reachesOthers: true,
      async perform(params, run) {
        const questions = new HookQuestions(run, deps);
        // at once: a decision of the last life may be on its way
        asking.set(run.taskId, questions);
        const forget = () => {
          // a fresh run of the task may be there already
          if (asking.get(run.taskId) === questions) asking.delete(run.taskId);
        };
        run.signal.addEventListener("abort", forget, { once: true });
        if (run.resumed) run.emit({ type: "run.delayed" });
        const ended = await runScript(deps, run, questions, params).catch(failByHost);
        // not where it is put off: what is decided until it is taken up again is kept for it
        forget();
        return ended;
      },
    },
    answer: {
      class: "local",
      async perform(params, run) {
        const choice = readTextParam(params, "choice") === "skip" ? "skip" : "retry";
        // of the attempt that asks now, whenever the store takes it
        const questions = asking.get(run.taskId);
        const decide = () => questions?.decide(readTextParam(params, "about"), choice satisfies Choice, run.effectId);
        await retryWhileStoreFails(deps, run.signal, decide);
        return { type: "run.answered" };
      },
    },
  };
}

async function runScript(
  deps: EffectDeps,
  run: EffectRun,
  questions: HookQuestions,
  params: JsonObject,
): Promise<MachineEvent> {
  const { store, sandbox } = deps;
  const timeoutMs = readNumberParam(params, "timeoutMs");
  const hookId = readTextParam(params, "hookId");
  const task = store.task(run.taskId);
  if (task === null) throw new Error(`task "${run.taskId}" is not stored`);
  const stored = readHook(store, run.rootId, task.appId, hookId);
  const request = await prepareRun(deps, run, stored, readTextParam(params, "event"), timeoutMs);
  run.signal.throwIfAborted();
  if (stored.handsOver === true) keepForOthers(store, task, stored.hook);
  const ranMs = () => started.ranMs();
  const scriptHost = createHookScriptHost(deps, run, questions, ranMs);
  const { rerun } = stored.hook;
  const resends = rerun === "idempotent" || rerun === "converge";
  const journal = openHookJournal(deps, { run, questions, scriptHost, resends, ranMs });
  const started = sandbox.run({ ...request, journal }, scriptHost);
  const stop = () => (run.signal.reason === SUSPENDED ? started.suspend(SUSPEND_MS) : started.stop());
  run.signal.addEventListener("abort", stop, { once: true });
  try {
    if (await started.begun) run.emit({ type: "run.started" });
    const outcome = await started.outcome;
    // where it was suspended, what could not be told is told in a later life
    await untilAborted(scriptHost.settle(), run.signal);
    if (outcome.status === "completed") return { type: "run.completed" };
    return endFailed(outcome, timeoutMs);
  } finally {
    run.signal.removeEventListener("abort", stop);
    scriptHost.flush();
  }
}

/** Prepares the run, with the data its script began with where an earlier life has begun it. */
async function prepareRun(
  deps: EffectDeps,
  run: EffectRun,
  stored: StoredHook,
  event: string,
  wallMs: number,
): Promise<RunRequest> {
  const { store, masks } = deps;
  const script = store.script(stored.sha256);
  if (script === null) throw new Error(`the compiled script of "${stored.hook.id}" is not stored`);
  const { context, mounts, network } = await readHookContext(deps, run, stored, event);
  const { inputs, ...shown } = context;
  // An app the script talks to may have another password than when the task began.
  masks.forget(run.rootId);
  const noted = run.note?.["context"];
  // inputs are in the vault, and stay there
  if (!isJsonObject(noted)) run.writeNote({ ...run.note, context: shown });
  return {
    runId: run.effectId,
    kind: "hook",
    script,
    entrypoint: stored.hook.entrypoint,
    context: isJsonObject(noted) ? { ...noted, ...(inputs !== undefined && { inputs }) } : context,
    secrets: masks.secrets(run.rootId),
    wallMs,
    network,
    mounts,
    seed: run.effectId,
  };
}

/** Throws what only puts the run off. */
function failByHost(error: unknown): MachineEvent {
  return { type: "run.failed", failure: toHostFailure(error) };
}

function endFailed(outcome: Extract<RunOutcome, { status: "failed" }>, timeoutMs: number): MachineEvent {
  if (outcome.reason !== "replay_diverged")
    return { type: "run.failed", failure: { ...runFailure(outcome, timeoutMs) } };
  return { type: "run.diverged", failure: { ...createReplayDivergedFailure(outcome.message) } };
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

/** Resolves with the promise, or as soon as the signal aborts: what is still to be told then never will be. */
async function untilAborted(promise: Promise<void>, signal: AbortSignal): Promise<void> {
  const aborted = Promise.withResolvers<void>();
  const abort = () => aborted.resolve();
  signal.addEventListener("abort", abort, { once: true });
  if (signal.aborted) abort();
  await Promise.race([promise, aborted.promise]).finally(() => signal.removeEventListener("abort", abort));
}
