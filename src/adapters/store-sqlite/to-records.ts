/** The port's rows as records of the database; records.ts reads them back. */
import type {
  AuditRow,
  EffectRow,
  LogRow,
  MailRow,
  NotificationRow,
  TaskRow,
  TimerRow,
} from "../../engine/ports/store-rows.ts";
import type {
  AuditRecord,
  EffectRecord,
  LogRecord,
  MailRecord,
  NotificationRecord,
  TaskRecord,
  TimerRecord,
} from "./records.ts";

export function toTaskRecord({ appId, hookId, facts, crashCount, quarantine, ...row }: TaskRow): TaskRecord {
  return {
    ...row,
    app_id: appId,
    hook_id: hookId,
    state: facts.state,
    crash_count: crashCount,
    facts: JSON.stringify(facts),
    quarantine: quarantine === null ? null : JSON.stringify(quarantine),
  };
}

export function toEffectRecord(effect: EffectRow): EffectRecord {
  const { taskId, params, note, intendedAt, isDoubtful = false, ...row } = effect;
  return {
    ...row,
    task: taskId,
    params: JSON.stringify(params),
    note: note === null ? null : JSON.stringify(note),
    intended_at: intendedAt,
    doubtful: isDoubtful ? 1 : 0,
  };
}

export function toTimerRecord({ taskId, event, dueAt, active, ...row }: TimerRow): TimerRecord {
  return { ...row, task: taskId, event: JSON.stringify(event), due_at: dueAt, active: active ? 1 : 0 };
}

export function toNotificationRecord({ id, at, readAt, ...facts }: NotificationRow): NotificationRecord {
  const task = facts.type === "pairing.linked" ? facts.taskId : null;
  return { id, at, task, facts: JSON.stringify(facts), read_at: readAt };
}

export function toMailRecord({ to, event }: Omit<MailRow, "id">): Omit<MailRecord, "id"> {
  return { recipient: to, event: JSON.stringify(event) };
}

/** `view` is the text kept of what the entry shows. */
export function toLogRecord(
  seq: number,
  { taskId, event, reason, actor, task: _, ...row }: LogRow,
  view: string,
): LogRecord {
  return {
    ...row,
    seq,
    task: taskId,
    event: JSON.stringify(event),
    reason: reason ?? null,
    view,
    actor: actor === undefined ? null : JSON.stringify(actor),
  };
}

export function toAuditRecord({
  at,
  actor,
  method,
  appId,
  taskId,
  refused,
}: AuditRow): Omit<AuditRecord, "n" | "kind"> {
  return {
    at,
    actor_id: actor.id,
    actor_name: actor.name,
    how: actor.how,
    method,
    app_id: appId,
    task: taskId,
    refused,
  };
}
