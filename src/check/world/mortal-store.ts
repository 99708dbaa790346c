/** A store whose process may die, also at any of its writes: nothing is written from then on. */
import { EngineError } from "../../core/codes/problems.ts";
import type { Store } from "../../engine/ports/store.ts";
import type { JournalWrite, TurnRows } from "../../engine/ports/turn-rows.ts";

/** A write at which an engine may die: a turn, or what is kept of running hooks. */
export type FatalWrite =
  | { readonly kind: "turn"; readonly turn: TurnRows }
  | { readonly kind: "journals"; readonly writes: readonly JournalWrite[] };

/** A request of a script, which has its answer. */
export interface AnsweredRequest {
  readonly method: string;
  readonly url: string;
}

/** Decides when the engines of a world die. */
export interface Fate {
  /** Asked before a write is made: true where the engine dies over it. */
  diesBefore(write: FatalWrite): boolean;
  /** Asked when it is on disk: true where the engine dies before anything comes of it. */
  diesAfter(write: FatalWrite): boolean;
  /** Asked when an answer has come, and nothing of it is on disk: true where the engine dies with it in its hands. */
  diesAtAnswer(request: AnsweredRequest): boolean;
}

/** The process of a store. */
export interface Mortal {
  isDead(): boolean;
  /** Ends it. */
  die(): void;
}

/**
 * The same store, but its process dies where its fate says so. Once it has died every write throws `STORE_FENCED`, as the
 * next engine would have it; reading goes on, for who looks at what is left.
 */
export function createMortalStore(store: Store, fate: Pick<Fate, "diesBefore" | "diesAfter">, mortal: Mortal): Store {
  const live = (): void => {
    if (mortal.isDead()) throw createDeadError();
  };
  const end = (): never => {
    mortal.die();
    throw createDeadError();
  };
  const guard =
    <A extends readonly unknown[], R>(write: (...parameters: A) => R) =>
    (...parameters: A): R => {
      live();
      return write(...parameters);
    };
  const risk = <R>(write: FatalWrite, make: () => R): R => {
    live();
    if (fate.diesBefore(write)) end();
    const made = make();
    if (fate.diesAfter(write)) end();
    return made;
  };
  return {
    ...store,
    commit: (turn) => risk({ kind: "turn", turn }, () => store.commit(turn)),
    writeJournals: (writes) => risk({ kind: "journals", writes }, () => store.writeJournals(writes)),
    writeNote: guard(store.writeNote),
    keepSecrets: guard(store.keepSecrets),
    redactTree: guard(store.redactTree),
    noteRecovered: guard(store.noteRecovered),
    keepSettings: guard(store.keepSettings),
    keepNotification: guard(store.keepNotification),
    readNotifications: guard(store.readNotifications),
    together: (run) => {
      live();
      return store.together(run);
    },
    keepAudit: guard(store.keepAudit),
    keepDashboard: guard(store.keepDashboard),
    dropJournal: guard(store.dropJournal),
    appendHookLog: guard(store.appendHookLog),
    pruneEndedTasks: guard(store.pruneEndedTasks),
    eraseDeleted: guard(store.eraseDeleted),
    heartbeat: guard(store.heartbeat),
  };
}

function createDeadError(): EngineError {
  return new EngineError("STORE_FENCED", "the process has died");
}
