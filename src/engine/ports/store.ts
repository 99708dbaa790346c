/**
 * Where tasks live: whole turns in, rows out.
 *
 * Invariants every implementation keeps (test/contract/store):
 * 1. `commit` is one synchronous transaction: all of a turn is on disk when it returns, or nothing is.
 * 2. A turn whose `expectedRev` or `epoch` is not the stored one changes nothing (`STORE_FENCED`).
 * 3. Log numbers grow by one per entry and never repeat, not even after the database was rolled back.
 * 4. One process owns the store; a second one is refused before it touches the data (`STORE_LOCKED`).
 * 5. Secrets are in plans, the vault, settings and journals only; no other row holds one.
 */
import type { CompiledScript } from "../../../sandbox/contract.ts";
import type { StoredJournal } from "../../../sandbox/journal/row.ts";
import type { Code } from "../../core/codes/code.ts";
import type { Json, JsonObject } from "../../core/json/json.ts";
import type { Backup, BackupRequest, TaskState } from "../api.ts";
import type {
  AuditRow,
  EffectRow,
  HookLogLine,
  LoggedRow,
  MailRow,
  NotificationRow,
  RootTree,
  RunRow,
  TaskEventRow,
  TaskRow,
  TileRow,
  TimerRow,
} from "./store-rows.ts";
import type { Committed, JournalWrite, TurnRows } from "./turn-rows.ts";

export interface Store {
  readonly opened: StoreOpened;

  commit(turn: TurnRows): Committed;

  task(id: string): TaskRow | null;
  /** The task's whole tree in order of creation, the root first; the id may be any task of it. */
  tree(id: string): readonly TaskRow[];
  children(id: string): readonly TaskRow[];
  /** The trees of root tasks, the newest root first, each in order of creation with its root first. */
  rootTrees(filter?: RootFilter): readonly RootTree[];
  /** Every task that is not in a final state, oldest first. */
  unfinished(): readonly TaskRow[];
  /** The task that holds a claim now. */
  holder(claim: string): string | null;
  /** Runs of an app's hooks or lifecycles, newest first: what reruns, pairing status and conflicts are decided from. */
  runs(appId: string, hookId?: string): readonly RunRow[];

  effect(id: string): EffectRow | null;
  /** The effect has neither a result nor been cancelled. */
  isOpen(effectId: string): boolean;
  /** Effects without a result, oldest first; of one task or of all. */
  openEffects(taskId?: string): readonly EffectRow[];
  /** Every effect a task ever asked for, oldest first. */
  effectsOf(taskId: string): readonly EffectRow[];
  writeNote(effectId: string, note: JsonObject): void;
  /** What the store holds now, in numbers; quick enough to be asked every few seconds. */
  tally(): StoreTally;
  timers(taskId?: string): readonly TimerRow[];
  /** The oldest event waiting in a mailbox, of those that came after the one of this id. */
  nextMail(after?: number): MailRow | null;
  /** Whether any task of the tree under `id` has work that goes on without a person. */
  busy(id: string): boolean;

  /** Log entries after `fromSeq` that are kept, in order, at most `limit`; numbers of entries that were pruned are missing. */
  logAfter(fromSeq: number, limit: number): readonly LoggedRow[];
  /** Every entry of one task, in order. */
  taskLog(taskId: string): readonly LoggedRow[];
  /** The same without what each shows: what a machine is folded from. */
  taskEvents(taskId: string): readonly TaskEventRow[];
  /** Entries after `fromSeq` that show one task, those of its checkpoints included, in order, at most `limit`. */
  history(taskId: string, fromSeq: number, limit: number): readonly LoggedRow[];
  lastSeq(): number;
  /** The first number from which on every entry is kept; `lastSeq() + 1` where the newest is not. */
  oldestSeq(): number;

  /** The frozen plan given at the start of a root task. Holds secrets. */
  plan(rootId: string): JsonObject | null;
  /** A secret by reference; null when there is none. */
  secret(rootId: string, name: string): Json;
  secrets(rootId: string): Readonly<Record<string, Json>>;
  keepSecrets(rootId: string, values: Readonly<Record<string, Json>>): void;
  /** Puts a plan in the place of a tree's, and lets go of all its secrets by reference. */
  redactTree(rootId: string, plan: JsonObject): void;
  /** The tasks of an older copy (`opened.rolledBack`) are taken over: from the next opening on it is a database as any. */
  noteRecovered(): void;
  script(sha256: string): CompiledScript | null;
  /** Settings of an app that outlive its tasks: stored answers, generated strings. May hold secrets. */
  setting(appId: string, key: string): Json;
  keepSettings(appId: string, values: Readonly<Record<string, Json>>): void;
  /** The newest `limit` notifications, newest first; 1,000 are kept. */
  notifications(filter: { readonly unread: boolean; readonly limit: number }): readonly NotificationRow[];
  notification(id: string): NotificationRow | null;
  /** The notifications one task has made, oldest first. */
  notificationsOf(taskId: string): readonly NotificationRow[];
  /** Keeps a notification no turn has written; false where one of its id is there already. */
  keepNotification(row: NotificationRow): boolean;
  /** Marks one notification, or every one, as read at a time (UTC ms); answers how many were unread. */
  readNotifications(id: string | null, at: number): number;

  /** Has writes that are no turns and no journals in one transaction: all that `run` writes is on disk, or nothing is. */
  together<T>(run: () => T): T;
  /** Keeps a deed that no turn has written. */
  keepAudit(row: AuditRow): void;
  /** Deeds, newest first; the newest 10,000 that were done are kept at least, and the newest 1,000 refused. */
  audit(filter: AuditFilter): readonly (AuditRow & { readonly number: number })[];

  /** The widgets a person has put on the dashboard, in order; null where nobody has. */
  dashboard(): readonly TileRow[] | null;
  /** Puts these in their place; null forgets that anybody has. */
  keepDashboard(tiles: readonly TileRow[] | null): void;

  /**
   * Keeps journal entries of running hooks, all in one transaction. An entry of an effect that is not open any more keeps
   * its lines alone. Throws `STORE_FENCED` where a row does not follow the last one kept.
   */
  writeJournals(writes: readonly JournalWrite[]): void;
  /**
   * The journal of an effect's run from the row numbered `from` on (default 0), in parts of about 1 MB: no rows behind the
   * last one. No rows and the head `""` where nothing was kept.
   */
  journal(effectId: string, from?: number): StoredJournal;
  /** Lets go of an effect's journal; ends and cancellations of the effect do so by themselves. */
  dropJournal(effectId: string): void;
  /**
   * The last sign of life, UTC ms, of the life that wrote the journal's last row, noted by `takeGrownJournals`; null where
   * that is the present one, and where there is no journal.
   */
  journalAliveAt(effectId: string): number | null;
  /** Tasks with a journal that has grown since this was last asked. */
  takeGrownJournals(): ReadonlySet<string>;
  /** Whether what was deleted (journals, and what `pruneEndedTasks` lets go of) may still be read in the store's files. */
  holdsDeleted(): boolean;
  /** Makes that unreadable; waits for nobody, so that it can't where another process reads at this moment. */
  eraseDeleted(): void;

  /** Keeps the newest 1,000 lines of a task. */
  appendHookLog(taskId: string, at: number, lines: readonly string[]): void;
  /** Oldest first; the newest `limit` lines, of those before the line numbered `before` where it is given. */
  hookLog(taskId: string, limit: number, before?: number): readonly HookLogLine[];

  /**
   * Lets go of a part of trees that have ended, beyond the `keep` that ended last. Default: of what only a task under way
   * needs, that is their log entries, effects, hook lines, plan and secrets. The tasks themselves stay, and so does the
   * newest log entry, from which the numbers go on. The oldest go first, at most `most` trees (10); answers how many.
   */
  pruneEndedTasks(keep: number, part?: KeptPart, most?: number): number;
  /** Bytes of what the store holds, without the room that was used before. */
  usedBytes(): number;
  /** Gives some room that is not used any more back to the file system, in some ms; whether there may be more. */
  shrink(): boolean;

  /**
   * Writes a copy of everything the store holds at one moment, but journals, while turns go on. Throws
   * `STORE_BACKUP_EXISTS`; the signal's reason where it aborts.
   */
  backup(request: BackupRequest): Promise<Backup>;

  /** Notes that this process is alive, UTC ms: what `active` timers are measured against after a crash. */
  heartbeat(at: number): void;
  /** Whether a turn could be committed right now, found out by a commit of about its size; code and reason when not. */
  writable(): StoreStanding;
  /** Marks the stop as clean and frees the file. */
  close(): void;
}

/**
 * A part of trees of tasks that may be let go of once they have ended: `events` and `logs` (lines of hooks) of trees that
 * are whole otherwise, or all at once (`trees`); `snapshots` are the states of the machines.
 */
export type KeptPart = "trees" | "events" | "logs" | "snapshots";

/** What a store holds, in numbers. */
export interface StoreTally {
  /** Tasks that are not in a final state. */
  readonly tasks: readonly { readonly kind: TaskRow["kind"]; readonly state: TaskState; readonly count: number }[];
  /** Effects without a result; `oldest` is the UTC ms at which the oldest was intended. */
  readonly effects: readonly { readonly name: string; readonly count: number; readonly oldest: number }[];
  /** Of its files, what was written and not yet taken over included. */
  readonly bytes: number;
}

/** Whether a store takes turns. */
export type StoreStanding =
  | { readonly ok: true }
  | { readonly ok: false; readonly code: Code; readonly detail: string };

export interface StoreOpened {
  /** How the last owner left: `new` when there was none. */
  readonly after: "new" | "clean" | "unclean";
  /** It is a copy, or older than its witness: what happened since is unknown. */
  readonly rolledBack: boolean;
  /** Fences writers of earlier lives; goes into every turn. */
  readonly epoch: number;
  /** Names this database and its past: another one for another database, and for one found to be an older copy. */
  readonly history: string;
  /** UTC ms of the last sign of life before this opening; null when new. */
  readonly lastAlive: number | null;
}

/** Which deeds are read; every part narrows. */
export interface AuditFilter {
  readonly appId?: string;
  readonly taskId?: string;
  readonly actorId?: string;
  /** Number of a deed: only older ones. */
  readonly before?: number;
  readonly limit: number;
}

/** Which root tasks are read; every part narrows. */
export interface RootFilter {
  /** Each stands somewhere in the app's id or the title; the case of A to Z does not count. */
  readonly words?: readonly string[];
  readonly appId?: string;
  /** Of the root itself. */
  readonly states?: readonly TaskState[];
  /** UTC ms: only roots that changed then or later. */
  readonly since?: number;
  /** Id of a root: only those created before it, none where there is no such root. */
  readonly before?: string;
  /** Default: all. */
  readonly limit?: number;
}
