/** Database records (columns as SQLite gives them) <-> the port's rows. JSON columns were written by this file. */
import type {
  AuditRow,
  EffectRow,
  LoggedRow,
  LogRow,
  MailRow,
  NotificationRow,
  RunRow,
  ShownRow,
  TaskEventRow,
  TaskRow,
  TimerRow,
} from "../../engine/ports/store-rows.ts";

/** The columns a task is shown from. */
export interface ShownRecord {
  readonly id: string;
  readonly root: string;
  readonly parent: string | null;
  readonly name: string;
  readonly kind: TaskRow["kind"];
  readonly app_id: string;
  readonly hook_id: string | null;
  readonly rev: number;
  readonly facts: string;
  readonly created: number;
  readonly updated: number;
  readonly quarantine: string | null;
}

export interface TaskRecord extends ShownRecord {
  readonly target: string | null;
  readonly claim: string | null;
  readonly machine: string;
  readonly version: number;
  readonly state: TaskRow["facts"]["state"];
  readonly crash_count: number;
  readonly silent: string | null;
  readonly snapshot: string | null;
}

export function toShownRow(record: ShownRecord): ShownRow {
  return {
    id: record.id,
    root: record.root,
    parent: record.parent,
    name: record.name,
    kind: record.kind,
    appId: record.app_id,
    hookId: record.hook_id,
    rev: record.rev,
    facts: JSON.parse(record.facts),
    created: record.created,
    updated: record.updated,
    quarantine: record.quarantine === null ? null : JSON.parse(record.quarantine),
  };
}

export function toTaskRow(record: TaskRecord): TaskRow {
  return {
    ...toShownRow(record),
    target: record.target,
    claim: record.claim,
    machine: record.machine,
    version: record.version,
    snapshot: record.snapshot,
    crashCount: record.crash_count,
    silent: record.silent,
  };
}

export interface EffectRecord {
  readonly id: string;
  readonly task: string;
  readonly name: string;
  readonly params: string;
  readonly state: EffectRow["state"];
  readonly note: string | null;
  readonly intended_at: number;
  readonly doubtful: 0 | 1;
}

export function toEffectRow(record: EffectRecord): EffectRow {
  return {
    id: record.id,
    taskId: record.task,
    name: record.name,
    params: JSON.parse(record.params),
    state: record.state,
    note: record.note === null ? null : JSON.parse(record.note),
    intendedAt: record.intended_at,
    ...(record.doubtful === 1 && { isDoubtful: true }),
  };
}

export interface TimerRecord {
  readonly task: string;
  readonly id: string;
  readonly event: string;
  readonly due_at: number;
  readonly delay: number;
  readonly active: number;
}

export function toTimerRow(record: TimerRecord): TimerRow {
  return {
    taskId: record.task,
    id: record.id,
    event: JSON.parse(record.event),
    dueAt: record.due_at,
    delay: record.delay,
    active: record.active === 1,
  };
}

export interface NotificationRecord {
  readonly id: string;
  readonly at: number;
  readonly task: string | null;
  /** JSON of what it says. */
  readonly facts: string;
  readonly read_at: number | null;
}

export function toNotificationRow({ id, at, facts, read_at: readAt }: NotificationRecord): NotificationRow {
  return { ...JSON.parse(facts), id, at, readAt };
}

export interface MailRecord {
  readonly id: number;
  readonly recipient: string;
  readonly event: string;
}

export function toMailRow(record: MailRecord): MailRow {
  return { id: record.id, to: record.recipient, event: JSON.parse(record.event) };
}

export interface LogRecord {
  readonly seq: number;
  readonly at: number;
  readonly root: string;
  readonly task: string;
  readonly rev: number;
  readonly type: LogRow["type"];
  readonly event: string;
  readonly reason: string | null;
  readonly digest: string;
  readonly view: string;
  readonly actor: string | null;
}

/** `task` is what the entry shows, which the record holds only in part. */
export function toLoggedRow(record: LogRecord, task: LogRow["task"]): LoggedRow {
  return { ...toTaskEventRow(record), task };
}

export function toTaskEventRow(record: Omit<LogRecord, "view">): TaskEventRow {
  return {
    seq: record.seq,
    at: record.at,
    root: record.root,
    taskId: record.task,
    rev: record.rev,
    type: record.type,
    event: JSON.parse(record.event),
    ...(record.reason !== null && { reason: record.reason }),
    ...(record.actor !== null && { actor: JSON.parse(record.actor) }),
    digest: record.digest,
  };
}

export interface AuditRecord {
  readonly n: number;
  readonly at: number;
  readonly actor_id: string;
  readonly actor_name: string;
  readonly how: AuditRow["actor"]["how"];
  readonly method: AuditRow["method"];
  readonly app_id: string | null;
  readonly task: string | null;
  readonly refused: AuditRow["refused"];
  /** What it is let go with. */
  readonly kind: "done" | "revealed" | "light" | "refused";
}

export function toAuditRow(record: AuditRecord): AuditRow & { readonly number: number } {
  return {
    number: record.n,
    at: record.at,
    actor: { id: record.actor_id, name: record.actor_name, how: record.how },
    method: record.method,
    appId: record.app_id,
    taskId: record.task,
    refused: record.refused,
  };
}

export interface RunRecord {
  readonly id: string;
  readonly kind: RunRow["kind"];
  readonly app_id: string;
  readonly hook_id: string | null;
  readonly target: string | null;
  readonly state: RunRow["state"];
  readonly created: number;
  readonly updated: number;
}

export function toRunRow(record: RunRecord): RunRow {
  return {
    taskId: record.id,
    kind: record.kind,
    appId: record.app_id,
    hookId: record.hook_id,
    target: record.target,
    state: record.state,
    created: record.created,
    updated: record.updated,
  };
}

export interface ScriptRecord {
  readonly sha256: string;
  readonly code: string;
  readonly source_map: string;
}

/** A secret of the vault; `value` is JSON. */
export interface SecretRecord {
  readonly root: string;
  readonly name: string;
  readonly value: string;
}

/** A kept setting of an app; `value` is JSON. */
export interface SettingRecord {
  readonly app_id: string;
  readonly key: string;
  readonly value: string;
}
