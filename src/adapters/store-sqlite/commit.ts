import type Database from "better-sqlite3";
import { EngineError } from "../../core/codes/problems.ts";
import type { LoggedRow, Store, TaskRow } from "../../engine/ports/store.ts";
import { prepareLogParts } from "./log-parts.ts";
import { logParameters } from "./records.ts";

/**
 * The one writer of turns: every row of a turn in one IMMEDIATE transaction. `nextSeq` numbers the log; it is a
 * counter of the process, so that numbers given out before a rollback of the file never come again.
 */
export function prepareCommit(db: Database.Database, nextSeq: () => number): Store["commit"] {
  const epoch = db.prepare<[], number>("SELECT epoch FROM meta").pluck();
  const insertTask = db.prepare(
    `INSERT INTO tasks (id, root, parent, name, kind, app_id, hook_id, target, claim, machine, version, rev, snapshot,
      state, facts, created, updated, lives, silent, quarantine) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const updateTask = db.prepare(
    `UPDATE tasks SET version = ?, rev = ?, snapshot = ?, state = ?, facts = ?, updated = ?, lives = ?, silent = ?,
      quarantine = ? WHERE id = ? AND rev = ?`,
  );
  const insertLog = db.prepare("INSERT INTO log VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
  const parts = prepareLogParts(db);
  const insertEffect = db.prepare(
    "INSERT INTO effects (id, task, name, params, state, note, intended_at) VALUES (?, ?, ?, ?, ?, ?, ?)",
  );
  const endEffect = db.prepare("UPDATE effects SET state = ? WHERE id = ? AND state = 'intent'");
  const setTimer = db.prepare("INSERT OR REPLACE INTO timers VALUES (?, ?, ?, ?, ?, ?)");
  const clearTimer = db.prepare("DELETE FROM timers WHERE task = ? AND id = ?");
  const insertMail = db.prepare("INSERT INTO mail (recipient, event) VALUES (?, ?)");
  const deleteMail = db.prepare("DELETE FROM mail WHERE id = ?");
  const insertPlan = db.prepare("INSERT INTO plans VALUES (?, ?)");
  const keepSecret = db.prepare("INSERT OR REPLACE INTO vault VALUES (?, ?, ?)");
  const keepScript = db.prepare("INSERT OR IGNORE INTO scripts VALUES (?, ?, ?)");

  function writeTask(expectedRev: number, row: TaskRow): void {
    const facts = JSON.stringify(row.facts);
    const quarantine = row.quarantine === null ? null : JSON.stringify(row.quarantine);
    const { state } = row.facts;
    if (expectedRev === 0 && insertIfNew(row, facts, state, quarantine)) return;
    const { changes } = updateTask.run(
      row.version,
      row.rev,
      row.snapshot,
      state,
      facts,
      row.updated,
      row.lives,
      row.silent,
      quarantine,
      row.id,
      expectedRev,
    );
    if (changes !== 1) throw fenced(`task "${row.id}" is no longer at revision ${expectedRev}`);
  }

  const exists = db.prepare<[string]>("SELECT 1 FROM tasks WHERE id = ?").pluck();

  /** A row at revision 0 is either new or a child that waits for its first turn. */
  function insertIfNew(row: TaskRow, facts: string, state: string, quarantine: string | null): boolean {
    if (exists.get(row.id) !== undefined) return false;
    const { id, root, parent, name, kind, appId, hookId, target, claim, machine, version, rev, snapshot } = row;
    insertTask.run(
      id,
      root,
      parent,
      name,
      kind,
      appId,
      hookId,
      target,
      claim,
      machine,
      version,
      rev,
      snapshot,
      state,
      facts,
      row.created,
      row.updated,
      row.lives,
      row.silent,
      quarantine,
    );
    return true;
  }

  return db.transaction((turn: Parameters<Store["commit"]>[0]) => {
    if (epoch.get() !== turn.epoch) throw fenced(`epoch ${turn.epoch} is over`);
    for (const { expectedRev, row } of turn.tasks) writeTask(expectedRev, row);
    const { consumed } = turn;
    if (consumed?.kind === "effect") endEffect.run("done", consumed.id);
    if (consumed?.kind === "mail") deleteMail.run(consumed.id);
    if (consumed?.kind === "timer") clearTimer.run(consumed.taskId, consumed.id);
    for (const id of turn.cancelled) endEffect.run("cancelled", id);
    for (const { taskId, id } of turn.cleared) clearTimer.run(taskId, id);
    for (const { taskId, id, event, dueAt, delay, active } of turn.timers) {
      setTimer.run(taskId, id, JSON.stringify(event), dueAt, delay, active ? 1 : 0);
    }
    for (const { id, taskId, name, params, state, intendedAt } of turn.effects) {
      insertEffect.run(id, taskId, name, JSON.stringify(params), state, null, intendedAt);
    }
    for (const { to, event } of turn.mail) insertMail.run(to, JSON.stringify(event));
    const root = turn.tasks[0]?.row.root;
    if (turn.started && root !== undefined) {
      const { plan, secrets, scripts } = turn.started;
      if (plan) insertPlan.run(root, JSON.stringify(plan));
      for (const [name, value] of Object.entries(secrets ?? {})) keepSecret.run(root, name, JSON.stringify(value));
      for (const { sha256, code, sourceMap } of scripts ?? []) keepScript.run(sha256, code, sourceMap);
    }
    const logged = turn.log.map((row): LoggedRow => {
      const seq = nextSeq();
      insertLog.run(...logParameters(seq, row, parts.write(seq, row.task)));
      return { ...row, seq };
    });
    return { logged };
  }).immediate;
}

function fenced(message: string): EngineError {
  return new EngineError("STORE_FENCED", message);
}
