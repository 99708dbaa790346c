/**
 * Reports of a script about its checkpoints and its progress, as events of its task.
 *
 * Invariants:
 * 1. A checkpoint is announced before anything else is said of it; what changes nothing is no event, so that a call that is
 *    made again after a restart tells nothing twice.
 * 2. What only replaces what was said before (a text, a percentage) is told at most four times a second, and ever more
 *    slowly the more has been told; the last value is always told, at the latest with the run's end.
 * 3. Between two events of one run the process does what else it has to do.
 * 4. Whatever is told takes the journal along: nothing stands in the log that its script might not say again when it is
 *    played back.
 */
import type { JournalRide } from "../../../../sandbox/contract.ts";
import type { Json } from "../../../core/json/json.ts";
import type { Clock } from "../../ports/environment.ts";
import type { MachineEvent } from "../../runtime/effect.ts";

/** Least ms between two events that replace each other. */
const REPLACED_MS = 250;
/** Bytes told after which that pause is twice as long, and again after as many more. */
const SLOWER_BYTES = 32 * 1024;
/** Bytes an event takes in the log beside its text, about. */
const EVENT_BYTES = 600;
/** JSON bytes of the texts that are told at once, after which longer ones are cut short. */
const TEXTS_BYTES = 32 * 1024;
/** Characters such a text is cut to. */
const SHORT = 40;

/** Key of the percentage among what is told later. */
const PROGRESS = "progress";

/** The reports of one run. */
export interface HookReports {
  /** Announces a checkpoint, or changes the text of one that is; `isLast`: its call tells nothing after it. */
  announce(checkpoint: string, message: string | null, ride?: JournalRide, isLast?: boolean): Promise<void>;
  /** Tells how a checkpoint ended; one that has ended stays as it is, which its task is told once, for the log. */
  end(ending: CheckpointEnd, ride?: JournalRide): Promise<void>;
  say(checkpoint: string, message: string, ride?: JournalRide): Promise<void>;
  progress(percent: number, ride?: JournalRide): void;
  /** A text an earlier life may not have told; null: it did not matter any more. */
  remember(checkpoint: string, message: string | null): void;
  /** Tells the remembered texts that are not shown. */
  sayRemembered(): Promise<void>;
  /** Tells what has not been told yet. */
  flush(): Promise<void>;
}

/** The end of a checkpoint, as its task hears it. */
export type CheckpointEnd = { readonly checkpoint: string; readonly message: string | null } & (
  | { readonly type: "script.completed"; readonly percent: number | null }
  | { readonly type: "script.skipped" }
);

/** How an event takes the journal along. */
export type TakeJournal = JournalRide["ahead"];

/** An event on its way to the task. */
interface Telling {
  readonly event: MachineEvent;
  readonly take: TakeJournal | undefined;
}

/** A checkpoint as the task shows it before the run. */
export interface KnownCheckpoint {
  readonly id: string;
  readonly message: string;
  readonly isEnded: boolean;
}

/**
 * Opens the reports of one run; `known` are checkpoints of earlier attempts that need not be announced again, `percent` is
 * what its task was told last.
 */
export function createHookReports(
  tell: (event: MachineEvent, take?: TakeJournal) => Promise<void>,
  clock: Clock,
  known: readonly KnownCheckpoint[],
  percent: number | null,
): HookReports {
  const announced = new Map<string, string | null>(known.map(({ id, message }) => [id, message]));
  const ended = new Set(known.flatMap(({ id, isEnded }) => (isEnded ? [id] : [])));
  const endedAgain = new Set(ended);
  const later = new Map<string, Telling>();
  /** Texts and percentage as they are shown of earlier lives, where nothing was told since. */
  const shown = new Map<string, Json>([
    [PROGRESS, percent],
    ...known.map(({ id, message }) => [textKey(id), message] as const),
  ]);
  const remembered = new Map<string, string>();
  let told = 0;
  let texts = 0;
  let isWaiting = false;
  let telling: Promise<void> = Promise.resolve();
  let cancelNext = () => {};

  /** One after the other, also where one has to wait for the journal. */
  function tellInOrder({ event, take }: Telling): Promise<void> {
    telling = telling.then(() => tell(event, take));
    return telling;
  }

  function tellLater(key: string, event: MachineEvent, ride: JournalRide | undefined): void {
    const isShown = shown.get(key) === replacedIn(event);
    shown.delete(key);
    if (isShown) return;
    // behind those that wait already
    later.delete(key);
    later.set(key, { event, take: ride?.ahead });
    if (!isWaiting) tellNext();
  }

  function tellNext(): void {
    isWaiting = false;
    const [next] = later;
    if (next === undefined) return;
    later.delete(next[0]);
    told += EVENT_BYTES + bytesOf(next[1].event["message"]);
    void tellInOrder(next[1]);
    isWaiting = true;
    cancelNext = clock.after(REPLACED_MS * 2 ** Math.floor(told / SLOWER_BYTES), tellNext);
  }

  /** Tells at once what is told once for a checkpoint: its text whole while there is room, then cut short. */
  async function tellNow({ event, take }: Telling): Promise<void> {
    const { checkpoint, message, percent = null } = event;
    shown.delete(textKey(`${checkpoint}`));
    if (percent !== null) shown.delete(PROGRESS);
    if (typeof message !== "string" || message.length <= SHORT) return tellInOrder({ event, take });
    texts += bytesOf(message);
    const isWhole = texts <= TEXTS_BYTES;
    const cut = isWhole ? event : { ...event, message: `${message.slice(0, SHORT - 1).toWellFormed()}…` };
    await tellInOrder({ event: cut, take });
  }

  async function announce(
    checkpoint: string,
    message: string | null,
    ride?: JournalRide,
    isLast = false,
  ): Promise<void> {
    const before = announced.get(checkpoint);
    if (before !== undefined && (message === null || message === before || ended.has(checkpoint))) return;
    announced.set(checkpoint, message);
    if (before === undefined) {
      const event = { type: "script.registered", checkpoint, message };
      await tellNow({ event, take: isLast ? answering(ride) : ride?.ahead });
    } else tellLater(textKey(checkpoint), { type: "script.message", checkpoint, message }, ride);
  }

  async function say(checkpoint: string, message: string, ride?: JournalRide): Promise<void> {
    await announce(checkpoint, null, ride);
    if (!ended.has(checkpoint)) tellLater(textKey(checkpoint), { type: "script.message", checkpoint, message }, ride);
  }

  const progress = (percent: number, ride?: JournalRide): void =>
    tellLater(PROGRESS, { type: "script.progress", percent }, ride);

  return {
    announce,
    async end(ending, ride) {
      const { checkpoint, message } = ending;
      await announce(checkpoint, null, ride);
      if (endedAgain.has(checkpoint)) {
        if (ending.type === "script.completed" && ending.percent !== null) progress(ending.percent, ride);
        return;
      }
      if (ended.has(checkpoint)) endedAgain.add(checkpoint);
      ended.add(checkpoint);
      const text = later.get(textKey(checkpoint));
      later.delete(textKey(checkpoint));
      if (text !== undefined && message === null) await tellNow(text);
      await tellNow({ event: { ...ending }, take: answering(ride) });
    },
    say,
    remember(checkpoint, message) {
      if (message === null) remembered.delete(checkpoint);
      else remembered.set(checkpoint, message);
    },
    async sayRemembered() {
      for (const [checkpoint, message] of remembered) {
        if (announced.get(checkpoint) !== message) await say(checkpoint, message);
      }
      remembered.clear();
    },
    progress,
    async flush() {
      cancelNext();
      for (const [key, next] of later) {
        later.delete(key);
        await tellNow(next);
      }
      await telling;
    },
  };
}

/** With the last event of a call the call is answered. */
export function answering(ride: JournalRide | undefined): TakeJournal | undefined {
  return ride && (() => ride.take(null));
}

/** What an event replaces: a text or a percentage. */
function replacedIn({ message, percent = null }: MachineEvent): Json {
  return message ?? percent;
}

function bytesOf(text: Json | undefined): number {
  return text === undefined ? 0 : Buffer.byteLength(JSON.stringify(text));
}

function textKey(checkpoint: string): string {
  return `text ${checkpoint}`;
}
