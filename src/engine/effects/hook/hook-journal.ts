/** The journal of a running hook, in the engine's store; what its replay asks of people and tells its task. */
import type { RunJournal, UncertainRequest } from "../../../../sandbox/contract.ts";
import { aboutCheckpoint, aboutRequest } from "../../../core/task/decision.ts";
import { passCrashPoint } from "../../runtime/crash-points.ts";
import type { EffectRun } from "../../runtime/effect.ts";
import type { EffectDeps } from "../deps.ts";
import { retryWhileStoreFails } from "../retry.ts";
import type { HookQuestions } from "./hook-questions.ts";
import type { HookScriptHost } from "./hook-script-host.ts";
import { joinParts } from "./join-parts.ts";

export interface HookJournalParts {
  readonly run: EffectRun;
  readonly questions: HookQuestions;
  /** Told what earlier lives have told already. */
  readonly scriptHost: Pick<HookScriptHost, "log" | "replayed" | "catchUp">;
  /** The author says that the hook may be run again. */
  readonly resends: boolean;
  /** Running time so far, in ms. */
  readonly ranMs: () => number;
}

/** Opens the journal of a run. */
export function openHookJournal(deps: EffectDeps, parts: HookJournalParts): RunJournal {
  const { store, clock, journals, logger } = deps;
  const { run, questions, scriptHost, resends, ranMs } = parts;
  const { effectId, taskId } = run;

  /** A line of the engine's own, at its place among the script's. */
  const note = (line: string): void => scriptHost.log(`[slipway] ${line}`);

  return {
    resends,
    lastAlive: run.resumed ? store.journalAliveAt(effectId) : null,
    read: (signal) => joinParts((from) => retryWhileStoreFails(deps, signal, () => store.journal(effectId, from))),
    write: (entry) => journals.write({ effectId, taskId, at: clock.now(), ...entry }),
    giveUp(reason) {
      run.emit({ type: "run.notResumable", reason });
      note(`a restart from now on begins this hook again: ${reason}`);
      try {
        store.dropJournal(effectId);
      } catch (error) {
        // its last row says that it was given up: a later life drops it
        logger.warn({ task: taskId, error }, "the journal of a hook is still there");
      }
    },
    askAboutRequest: (request: UncertainRequest, signal) =>
      questions.askAgain(aboutRequest(request), async () => {
        signal.throwIfAborted();
        run.emit({ type: "run.uncertain", request: { ...request }, ranMs: Math.round(ranMs()) });
      }),
    // the question is on the disk with the record that it was put
    decisionOf: (checkpoint) => questions.askAgain(aboutCheckpoint(checkpoint), async () => {}),
    replayed: (call) => scriptHost.replayed(call),
    wentOn(ranMs) {
      logger.info({ task: taskId, ranMs }, "a hook went on where it was");
      note("went on after a restart");
      run.emit({ type: "run.resumed", ranMs });
      scriptHost.catchUp();
    },
    passed: (place) => passCrashPoint(place),
  };
}
