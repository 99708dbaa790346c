/**
 * What a script says of its checkpoints and its progress, as events of its task.
 *
 * Invariants:
 * 1. A checkpoint is announced before anything else is said of it; what changes nothing is no event.
 * 2. What only replaces what was said before (a text, a percentage) is told at most four times a second and a thousand
 *    times a run; the last value is always told, at the latest with the run's end.
 * 3. Between two events of one run the process does what else it has to do.
 */
import { setImmediate as nextTick } from "node:timers/promises";
import type { Clock } from "../../ports/environment.ts";
import type { EffectRun, MachineEvent } from "../../runtime/effect.ts";

/** Least ms between two events that replace each other. */
const REPLACED_MS = 250;
/** Most such events told before the run's end. */
const REPLACED = 1_000;

/** The reports of one run. */
export interface HookReports {
  /** Announces a checkpoint, or changes the text of one that is. */
  announce(checkpoint: string, message: string | null): Promise<void>;
  /** Tells how a checkpoint ended; one that has ended stays as it is, which its task is told once, for the log. */
  end(ending: CheckpointEnd): Promise<void>;
  say(checkpoint: string, message: string): Promise<void>;
  progress(percent: number): void;
  /** Tells what has not been told yet. */
  flush(): Promise<void>;
}

/** The end of a checkpoint, as its task hears it. */
export type CheckpointEnd = { readonly checkpoint: string; readonly message: string | null } & (
  | { readonly type: "script.completed"; readonly percent: number | null }
  | { readonly type: "script.skipped" }
);

/** Opens the reports of one run. */
export function createHookReports(run: Pick<EffectRun, "emit">, clock: Clock): HookReports {
  const announced = new Map<string, string | null>();
  const ended = new Set<string>();
  const endedAgain = new Set<string>();
  const later = new Map<string, MachineEvent>();
  let told = 0;
  let isWaiting = false;

  async function tell(event: MachineEvent): Promise<void> {
    run.emit(event);
    await nextTick();
  }

  function tellLater(key: string, event: MachineEvent): void {
    // behind those that wait already
    later.delete(key);
    later.set(key, event);
    if (!isWaiting) tellNext();
  }

  function tellNext(): void {
    isWaiting = false;
    const [next] = later;
    if (next === undefined || told >= REPLACED) return;
    later.delete(next[0]);
    told += 1;
    run.emit(next[1]);
    isWaiting = true;
    clock.after(REPLACED_MS, tellNext);
  }

  async function announce(checkpoint: string, message: string | null): Promise<void> {
    const known = announced.get(checkpoint);
    if (known !== undefined && (message === null || message === known)) return;
    announced.set(checkpoint, message);
    const event = { type: "script.registered", checkpoint, message };
    if (known === undefined) await tell(event);
    else tellLater(textKey(checkpoint), event);
  }

  const progress = (percent: number): void => tellLater("progress", { type: "script.progress", percent });

  return {
    announce,
    async end(ending) {
      const { checkpoint, message } = ending;
      await announce(checkpoint, null);
      if (endedAgain.has(checkpoint)) {
        if (ending.type === "script.completed" && ending.percent !== null) progress(ending.percent);
        return;
      }
      if (ended.has(checkpoint)) endedAgain.add(checkpoint);
      ended.add(checkpoint);
      const text = later.get(textKey(checkpoint));
      later.delete(textKey(checkpoint));
      if (text !== undefined && message === null) await tell(text);
      await tell({ ...ending });
    },
    async say(checkpoint, message) {
      await announce(checkpoint, null);
      if (!ended.has(checkpoint)) tellLater(textKey(checkpoint), { type: "script.message", checkpoint, message });
    },
    progress,
    async flush() {
      for (const [key, event] of later) {
        later.delete(key);
        await tell(event);
      }
    },
  };
}

function textKey(checkpoint: string): string {
  return `text ${checkpoint}`;
}
