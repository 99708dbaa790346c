import type Database from "better-sqlite3";
import { EngineError } from "../../core/codes/problems.ts";
import type { Store } from "../../engine/ports/store.ts";
import type { LoggedRow, TaskRow } from "../../engine/ports/store-rows.ts";
import { prepareInsert } from "./insert.ts";
import type { Journals } from "./journals/journals.ts";
import { prepareLogParts } from "./log-parts.ts";
import type {
  EffectRecord,
  LogRecord,
  MailRecord,
  ScriptRecord,
  SecretRecord,
  TaskRecord,
  TimerRecord,
} from "./records.ts";
import { prepareKeepAudit } from "./rows/audit-rows.ts";
import { prepareKeepNotification } from "./rows/notification-rows.ts";
import { toEffectRecord, toLogRecord, toMailRecord, toTaskRecord, toTimerRecord } from "./to-records.ts";

/** The columns of a task that a turn changes; the others are the task's for good. */
const CHANGING: readonly (keyof TaskRecord)[] = [
  "version",
  "rev",
  "snapshot",
  "state",
  "facts",
  "updated",
  "crash_count",
  "silent",
  "quarantine",
];

/**
 * The one writer of turns: every row of a turn in one IMMEDIATE transaction. `nextSeq` numbers the log; it is a
 * counter of the process, so that numbers given out before a rollback of the file never come again.
 */
export function prepareCommit(db: Database.Database, nextSeq: () => number, journals: Journals): Store["commit"] {
  const epoch = db.prepare<[], number>("SELECT epoch FROM meta").pluck();
  const exists = db.prepare<[string]>("SELECT 1 FROM tasks WHERE id = ?").pluck();
  const insertTask = prepareInsert<TaskRecord>(db, "INSERT INTO tasks", "n");
  const updateTask = db.prepare<[TaskRecord & { readonly expected: number }]>(
    `UPDATE tasks SET ${CHANGING.map((column) => `${column} = :${column}`).join(", ")} WHERE id = :id AND rev = :expected`,
  );
  const insertLog = prepareInsert<LogRecord>(db, "INSERT INTO log");
  const parts = prepareLogParts(db);
  const insertEffect = prepareInsert<EffectRecord>(db, "INSERT INTO effects", "n");
  const setEffect = db.prepare<[Pick<EffectRecord, "id" | "state">]>(
    "UPDATE effects SET state = :state WHERE id = :id AND state = 'intent'",
  );
  const setTimer = prepareInsert<TimerRecord>(db, "REPLACE INTO timers");
  const clearTimer = db.prepare<[Pick<TimerRecord, "task" | "id">]>(
    "DELETE FROM timers WHERE task = :task AND id = :id",
  );
  const insertMail = prepareInsert<Omit<MailRecord, "id">>(db, "INSERT INTO mail", "id");
  const deleteMail = db.prepare("DELETE FROM mail WHERE id = ?");
  const keepNotification = prepareKeepNotification(db);
  const insertPlan = prepareInsert<{ root: string; plan: string }>(db, "INSERT INTO plans");
  const keepSecret = prepareInsert<SecretRecord>(db, "REPLACE INTO vault");
  const keepAudit = prepareKeepAudit(db);
  const keepScript = prepareInsert<ScriptRecord>(db, "INSERT OR IGNORE INTO scripts");

  function writeTask(expected: number, row: TaskRow): void {
    const record = toTaskRecord(row);
    // a row at revision 0 is either new or a child that waits for its first turn
    if (expected === 0 && exists.get(row.id) === undefined) {
      insertTask.run(record);
      return;
    }
    const { changes } = updateTask.run({ ...record, expected });
    if (changes !== 1) throw createFencedError(`task "${row.id}" is no longer at revision ${expected}`);
  }

  function endEffect(id: string, state: "done" | "cancelled"): void {
    setEffect.run({ id, state });
    journals.drop(id);
  }

  return db.transaction((turn: Parameters<Store["commit"]>[0]) => {
    if (epoch.get() !== turn.epoch) throw createFencedError(`epoch ${turn.epoch} is over`);
    for (const { expectedRev, row } of turn.tasks) writeTask(expectedRev, row);
    const { consumed } = turn;
    if (consumed?.kind === "effect") endEffect(consumed.id, "done");
    if (consumed?.kind === "mail") deleteMail.run(consumed.id);
    if (consumed?.kind === "timer") clearTimer.run({ task: consumed.taskId, id: consumed.id });
    for (const id of turn.cancelled) endEffect(id, "cancelled");
    for (const { taskId, id } of turn.cleared) clearTimer.run({ task: taskId, id });
    for (const timer of turn.timers) setTimer.run(toTimerRecord(timer));
    for (const effect of turn.effects) insertEffect.run(toEffectRecord({ ...effect, note: null }));
    for (const mail of turn.mail) insertMail.run(toMailRecord(mail));
    for (const notification of turn.notifications ?? []) keepNotification(notification);
    // last of the effects: of one that has ended with this turn nothing begins again
    if (turn.journal !== undefined) journals.write(turn.journal);
    const root = turn.tasks[0]?.row.root;
    if (turn.started && root !== undefined) {
      const { plan, secrets, scripts } = turn.started;
      if (plan) insertPlan.run({ root, plan: JSON.stringify(plan) });
      for (const [name, value] of Object.entries(secrets ?? {})) {
        keepSecret.run({ root, name, value: JSON.stringify(value) });
      }
      for (const { sha256, code, sourceMap } of scripts ?? []) keepScript.run({ sha256, code, source_map: sourceMap });
    }
    if (turn.audit !== undefined) keepAudit(turn.audit);
    const logged = turn.log.map((row): LoggedRow => {
      const seq = nextSeq();
      insertLog.run(toLogRecord(seq, row, parts.write(seq, row.task)));
      return { ...row, seq };
    });
    return { logged };
  }).immediate;
}

function createFencedError(message: string): EngineError {
  return new EngineError("STORE_FENCED", message);
}
