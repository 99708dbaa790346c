/**
 * What a running script asks of its task.
 *
 * Invariants:
 * 1. A call is answered after its event is committed, so no checkpoint is lost by a crash behind an answer.
 * 2. A checkpoint is announced before anything else is said about it.
 * 3. One checkpoint at a time waits for a person; a decision made before a restart is not asked again.
 * 4. What a script logged is stored before any later call of its task, and at the latest with its end.
 */
import type { AuditRecord, ContextCall, ScriptHost } from "../../../../sandbox/contract.ts";
import { EngineError } from "../../../core/codes/problems.ts";
import type { Json } from "../../../core/json/json.ts";
import { isJsonObject } from "../../../core/json/json.ts";
import { passCrashPoint } from "../../runtime/crash-points.ts";
import type { EffectRun } from "../../runtime/effect.ts";
import type { EffectDeps } from "../deps.ts";
import { installedAppUrl } from "./hook-context.ts";
import { createHookReports, type KnownCheckpoint } from "./hook-reports.ts";

/** Pause before lines a store refused are written again, in ms. */
const LOG_RETRY_MS = 1_000;

/** What a person decides about a checkpoint that waits. */
export type Choice = "retry" | "skip";

export interface HookScriptHost extends ScriptHost {
  /** A person's decision about the checkpoint that waits; ignored when none does. */
  decide(choice: Choice): void;
  /** Stores the lines that are not stored yet: for the end of the run. */
  flush(): void;
  /** Resolves when everything the script reported has been told: for the end of the script. */
  settle(): Promise<void>;
}

/** Opens the door of one run; `ranMs` is its running time so far. */
export function createHookScriptHost(deps: EffectDeps, run: EffectRun, ranMs: () => number): HookScriptHost {
  const { store, clock, logger } = deps;
  const report = createHookReports(run, clock, knownCheckpoints(deps, run.taskId));
  let reports: Promise<unknown> = Promise.resolve();
  let waiting: { readonly checkpoint: string; readonly resolve: (choice: Choice) => void } | null = null;
  let turn: Promise<unknown> = Promise.resolve();
  let lines: string[] = [];
  let isRetrying = false;

  async function awaitChoice(call: Extract<ContextCall, { kind: "awaitCheckpointRetry" }>): Promise<Choice> {
    const earlier = takeDecision(run, call.id);
    if (earlier !== null) return earlier;
    await inOrder(() => report.announce(call.id, null));
    return new Promise((resolve) => {
      waiting = { checkpoint: call.id, resolve };
      // Noted first: after a restart the task still waits, and the script is not started before the person decides.
      run.writeNote({ ...run.note, waitingAt: call.id });
      run.emit({
        type: "script.failed",
        checkpoint: call.id,
        message: null,
        ranMs: Math.round(ranMs()),
        failure: {
          code: "TASK_HOOK_FAILED",
          message: call.error,
          context: call.context.map(({ label, value }) => ({ label, value })),
          retryable: true,
        },
      });
    });
  }

  /** One after the other: they take effect in the order the script called them. */
  function inOrder(report: () => Promise<void>): Promise<null> {
    const reported = reports.then(report);
    reports = reported.catch(() => undefined);
    return reported.then(() => null);
  }

  async function call(asked: ContextCall, signal: AbortSignal): Promise<Json> {
    flush();
    switch (asked.kind) {
      case "registerCheckpoints":
        return inOrder(async () => {
          for (const { id, message } of asked.checkpoints) await report.announce(id, message);
        });
      case "emitCheckpoint":
        return inOrder(async () => {
          const percent = asked.progress ?? null;
          await report.end({ type: "script.completed", checkpoint: asked.id, message: asked.message ?? null, percent });
          passCrashPoint("midHook");
        });
      case "updateCheckpointMessage":
        return inOrder(async () => {
          await report.say(asked.id, asked.message);
          passCrashPoint("midHook");
        });
      case "skipCheckpoint":
        return inOrder(async () => {
          await report.end({ type: "script.skipped", checkpoint: asked.id, message: asked.message ?? null });
          passCrashPoint("midHook");
        });
      case "setProgress":
        return inOrder(async () => report.progress(asked.percent));
      case "awaitCheckpointRetry": {
        const choice = turn.then(() => awaitChoice(asked));
        turn = choice.catch(() => undefined);
        return choice;
      }
      case "getInstalledAppUrl":
        return installedAppUrl(
          deps,
          {
            setHostSilent: (silent) => run.setHostSilent(silent),
            signal: AbortSignal.any([run.signal, signal]),
          },
          asked.appId,
        );
    }
  }

  function log(line: string): void {
    if (lines.length === 0) setImmediate(flush);
    lines.push(line);
  }

  /** One transaction for the lines of one turn of the event loop; a store that refuses them gets them again. */
  function flush(): void {
    if (lines.length === 0) return;
    try {
      store.appendHookLog(run.taskId, clock.now(), lines);
      lines = [];
    } catch (error) {
      logger.warn({ task: run.taskId, error }, "lines of a hook are not stored");
      if (run.signal.aborted) return;
      if (!(error instanceof EngineError && error.code.startsWith("STORE_")) || isRetrying) return;
      isRetrying = true;
      clock.after(LOG_RETRY_MS, () => {
        isRetrying = false;
        flush();
      });
    }
  }

  return {
    call,
    log,
    flush,
    settle: () => reports.then(() => report.flush()),
    audit: (record: AuditRecord) => logger.debug({ task: run.taskId, ...record }, "hook policy decision"),
    decide(choice) {
      if (waiting === null) return;
      const { resolve } = waiting;
      const { waitingAt: _, ...note } = run.note ?? {};
      // A store that refuses the note has the decision come again: until then it still waits.
      run.writeNote(note);
      waiting = null;
      resolve(choice);
    },
  };
}

/** Those of earlier attempts; one that failed is left out, since announcing it again is what opens it again. */
function knownCheckpoints({ store }: EffectDeps, taskId: string): readonly KnownCheckpoint[] {
  return store.children(taskId).flatMap(({ kind, name, facts: { state, label } }) => {
    if (kind !== "checkpoint" || state === "FAILED") return [];
    return [{ id: name, message: label, isEnded: state === "COMPLETED" || state === "SKIPPED" }];
  });
}

/** A decision a person gave after a restart, before the script ran again: its next call gets it, once. */
function takeDecision(run: EffectRun, checkpoint: string): Choice | null {
  const decisions = run.note?.["decisions"];
  const choice = isJsonObject(decisions) ? decisions[checkpoint] : undefined;
  if (choice !== "skip" && choice !== "retry") return null;
  const { decisions: _, ...note } = run.note ?? {};
  run.writeNote(note);
  return choice;
}
