/** The rows one turn writes into the store, and those a running hook's journal adds. */
import type { CompiledScript, JournalEntry } from "../../../sandbox/contract.ts";
import type { Json, JsonObject } from "../../core/json/json.ts";
import type {
  AuditRow,
  EffectRow,
  LoggedRow,
  LogRow,
  MailRow,
  NotificationRow,
  TaskRow,
  TimerRow,
} from "./store-rows.ts";

/** Everything one turn writes. */
export interface TurnRows {
  readonly epoch: number;
  /** UTC ms. */
  readonly at: number;
  /** The row before the turn had this revision; 0 for a new task. Ignored rows are not written. */
  readonly tasks: readonly { readonly expectedRev: number; readonly row: TaskRow }[];
  readonly log: readonly LogRow[];
  /** The effect's end, mailbox row or timer the turn consumed. */
  readonly consumed: Source | null;
  readonly effects: readonly EffectRow[];
  /** Ids of open effects the machine no longer wants. */
  readonly cancelled: readonly string[];
  readonly timers: readonly TimerRow[];
  readonly cleared: readonly { readonly taskId: string; readonly id: string }[];
  readonly mail: readonly Omit<MailRow, "id">[];
  /** One whose id is there already is not written again. */
  readonly notifications?: readonly NotificationRow[];
  /** Of the run whose report the turn takes: both are on disk, or neither is. */
  readonly journal?: JournalWrite;
  readonly started?: StartedRows;
  /** The deed that made the turn. */
  readonly audit?: AuditRow;
}

/** An entry of a hook's journal on its way to the disk. Its bodies may hold secrets. */
export interface JournalWrite extends JournalEntry {
  readonly effectId: string;
  readonly taskId: string;
  /** UTC ms: the time of the log lines. */
  readonly at: number;
}

/** Rows a root task brings with it, committed with its first turn. */
export interface StartedRows {
  readonly plan?: JsonObject;
  readonly secrets?: Readonly<Record<string, Json>>;
  readonly scripts?: readonly CompiledScript[];
}

export type Source =
  | { readonly kind: "effect"; readonly id: string }
  | { readonly kind: "mail"; readonly id: number }
  | { readonly kind: "timer"; readonly taskId: string; readonly id: string };

export interface Committed {
  /** The log entries with their numbers. */
  readonly logged: readonly LoggedRow[];
}
