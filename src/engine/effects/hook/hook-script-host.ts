/**
 * Answers the calls of a running script, by events of its task.
 *
 * Invariants:
 * 1. A call is answered after its event is committed, and its answer is on disk with it: it takes effect once.
 * 2. A checkpoint is announced before anything else is said about it.
 * 3. What a script logged is stored before any later call of its task, and at the latest with its end.
 */
import { setImmediate as nextTick } from "node:timers/promises";
import type { AuditRecord, ContextCall, JournalRide, ScriptHost } from "../../../../sandbox/contract.ts";
import type { Failure } from "../../../core/codes/problems.ts";
import type { Json } from "../../../core/json/json.ts";
import { aboutCheckpoint } from "../../../core/task/decision.ts";
import { passCrashPoint } from "../../runtime/crash-points.ts";
import type { EffectRun, MachineEvent } from "../../runtime/effect.ts";
import type { EffectDeps } from "../deps.ts";
import { installedAppUrl } from "./hook-context.ts";
import { HookLines } from "./hook-lines.ts";
import type { HookQuestions } from "./hook-questions.ts";
import { answering, createHookReports, type KnownCheckpoint, type TakeJournal } from "./hook-reports.ts";

export interface HookScriptHost extends ScriptHost {
  /** Stores the lines that are not stored yet: for the end of the run. */
  flush(): void;
  /** Resolves when everything the script reported has been told: for the end of the script. */
  settle(): Promise<void>;
  /** A call an earlier life has answered. */
  replayed(call: ContextCall): void;
  /** Tells what earlier lives were still about to tell when they ended. */
  catchUp(): void;
}

/** Opens the door of one run; `ranMs` is its running time so far. */
export function createHookScriptHost(
  deps: EffectDeps,
  run: EffectRun,
  questions: HookQuestions,
  ranMs: () => number,
): HookScriptHost {
  const { clock, logger } = deps;
  const report = createHookReports(
    (event, take) => tell(deps, run, event, take),
    clock,
    knownCheckpoints(deps, run.taskId),
    run.resumed ? findToldPercent(deps, run.taskId) : null,
  );
  const lines = new HookLines(deps, run);
  let reports: Promise<unknown> = Promise.resolve();
  let percent: number | null = null;

  /** One after the other: they take effect in the order the script called them. */
  function inOrder(report: () => Promise<void>): Promise<null> {
    const reported = reports.then(report);
    reports = reported.catch(() => undefined);
    return reported.then(() => null);
  }

  async function awaitChoice(call: Extract<ContextCall, { kind: "awaitCheckpointRetry" }>, ride?: JournalRide) {
    return questions.ask(aboutCheckpoint(call.id), async () => {
      await inOrder(() => report.announce(call.id, null, ride));
      const failure: Failure = {
        code: "TASK_HOOK_FAILED",
        message: call.error,
        context: call.context.map(({ label, value }) => ({ label, value })),
        retryable: true,
      };
      const asked = { checkpoint: call.id, message: null, ranMs: Math.round(ranMs()), failure: { ...failure } };
      await tell(deps, run, { type: "script.failed", ...asked }, answering(ride));
    });
  }

  async function call(asked: ContextCall, signal: AbortSignal, ride?: JournalRide): Promise<Json> {
    lines.flush();
    switch (asked.kind) {
      case "registerCheckpoints":
        return inOrder(async () => {
          const last = asked.checkpoints.at(-1);
          for (const checkpoint of asked.checkpoints) {
            await report.announce(checkpoint.id, checkpoint.message, ride, checkpoint === last);
          }
        });
      case "emitCheckpoint":
        return inOrder(async () => {
          const { id: checkpoint, message = null, progress = null } = asked;
          await report.end({ type: "script.completed", checkpoint, message, percent: progress }, ride);
          passCrashPoint("midHook");
        });
      case "updateCheckpointMessage":
        return inOrder(async () => {
          await report.say(asked.id, asked.message, ride);
          passCrashPoint("midHook");
        });
      case "skipCheckpoint":
        return inOrder(async () => {
          await report.end({ type: "script.skipped", checkpoint: asked.id, message: asked.message ?? null }, ride);
          passCrashPoint("midHook");
        });
      case "setProgress":
        return inOrder(async () => report.progress(asked.percent, ride));
      case "awaitCheckpointRetry":
        return awaitChoice(asked, ride);
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

  return {
    call,
    log: (line) => lines.add(line),
    flush: () => lines.flush(),
    settle: () => reports.then(() => report.flush()),
    audit: (record: AuditRecord) => logger.debug({ task: run.taskId, ...record }, "hook policy decision"),
    replayed(call) {
      if (call.kind === "setProgress") percent = call.percent;
      if (call.kind === "emitCheckpoint") percent = call.progress ?? percent;
      if (call.kind === "updateCheckpointMessage") report.remember(call.id, call.message);
      if (call.kind === "emitCheckpoint" || call.kind === "skipCheckpoint") report.remember(call.id, null);
    },
    catchUp() {
      void inOrder(async () => {
        await report.sayRemembered();
        if (percent !== null) report.progress(percent);
      });
    },
  };
}

/** Tells the task, with the journal where it rides along; resolves once that is committed, never where the run was stopped before. */
async function tell({ clock }: EffectDeps, run: EffectRun, event: MachineEvent, take?: TakeJournal): Promise<void> {
  const aboard = await take?.();
  if (aboard === undefined || aboard === null) run.emit(event);
  else {
    const { effectId, taskId } = run;
    await new Promise<void>((resolve) => {
      run.emit(event, {
        write: { effectId, taskId, at: clock.now(), ...aboard.entry },
        settled(committed) {
          aboard.settle(committed);
          if (committed || !run.signal.aborted) resolve();
        },
      });
    });
  }
  await nextTick();
}

/** The last percentage a task was told; null where it was told none. */
function findToldPercent({ store }: EffectDeps, taskId: string): number | null {
  const told = store.taskLog(taskId).findLast(({ event }) => typeof event["percent"] === "number")?.event["percent"];
  return typeof told === "number" ? told : null;
}

/** Those of earlier attempts; one that failed is left out, since announcing it again is what opens it again. */
function knownCheckpoints({ store }: EffectDeps, taskId: string): readonly KnownCheckpoint[] {
  return store.children(taskId).flatMap(({ kind, name, facts: { state, label } }) => {
    if (kind !== "checkpoint" || state === "FAILED") return [];
    return [{ id: name, message: label, isEnded: state === "COMPLETED" || state === "SKIPPED" }];
  });
}
