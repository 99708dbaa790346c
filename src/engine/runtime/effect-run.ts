import type { JsonObject } from "../../core/json/json.ts";
import type { Store } from "../ports/store.ts";
import type { EffectRow } from "../ports/store-rows.ts";
import type { EffectRun, JournalAlong, MachineEvent } from "./effect.ts";
import { toRequestId } from "./request-id.ts";

export interface EffectRunOptions {
  readonly effect: EffectRow;
  readonly resumed: boolean;
  readonly signal: AbortSignal;
  readonly store: Pick<Store, "task" | "writeNote">;
  /** After the dispatcher was closed nothing is written or told any more. */
  readonly isClosed: () => boolean;
  readonly silenced: (effect: EffectRow, isSilent: boolean) => void;
  readonly emitted: (effect: EffectRow, event: MachineEvent, along?: JournalAlong) => void;
}

/** One attempt as its handler sees it; the task is read once, here. */
export function createEffectRun(options: EffectRunOptions): EffectRun {
  return new Attempt(options);
}

class Attempt implements EffectRun {
  readonly effectId: string;
  readonly taskId: string;
  readonly rootId: string;
  readonly requestId: string;
  readonly intendedAt: number;
  readonly resumed: boolean;
  readonly signal: AbortSignal;
  readonly #options: EffectRunOptions;
  #note: JsonObject | null;
  #isSilent: boolean;

  constructor(options: EffectRunOptions) {
    const { effect, resumed, signal, store } = options;
    const task = store.task(effect.taskId);
    this.effectId = effect.id;
    this.taskId = effect.taskId;
    this.rootId = task?.root ?? effect.taskId;
    this.requestId = toRequestId(effect.id);
    this.intendedAt = effect.intendedAt;
    this.resumed = resumed;
    this.signal = signal;
    this.#options = options;
    this.#note = effect.note;
    this.#isSilent = task?.silent === effect.id;
  }

  get note(): JsonObject | null {
    return this.#note;
  }

  writeNote(note: JsonObject): void {
    if (this.#options.isClosed()) return;
    this.#options.store.writeNote(this.effectId, note);
    this.#note = note;
  }

  setHostSilent(silent: boolean): void {
    if (this.#isOver() || silent === this.#isSilent) return;
    this.#isSilent = silent;
    this.#options.silenced(this.#options.effect, silent);
  }

  emit(event: MachineEvent, along?: JournalAlong): void {
    if (this.#isOver()) along?.settled(false);
    else this.#options.emitted(this.#options.effect, event, along);
  }

  #isOver(): boolean {
    return this.#options.isClosed() || this.signal.aborted;
  }
}
