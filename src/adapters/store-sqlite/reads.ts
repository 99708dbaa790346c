import type Database from "better-sqlite3";
import { ENDED_STATES, FINAL_STATES } from "../../core/task-states.ts";
import type { Store } from "../../engine/ports/store.ts";
import type { HookLogLine, LoggedRow } from "../../engine/ports/store-rows.ts";
import { prepareLogParts } from "./log-parts.ts";
import {
  type EffectRecord,
  type LogRecord,
  type MailRecord,
  type NotificationRecord,
  type RunRecord,
  type ScriptRecord,
  type SecretRecord,
  type SettingRecord,
  type TaskRecord,
  type TimerRecord,
  toEffectRow,
  toLoggedRow,
  toMailRow,
  toNotificationRow,
  toRunRow,
  toTaskEventRow,
  toTaskRow,
  toTimerRow,
} from "./records.ts";
import { prepareRootTrees } from "./root-trees.ts";
import { prepareReadAudit } from "./rows/audit-rows.ts";
import { listInSql } from "./sql-list.ts";
import { prepareTally } from "./tally.ts";

/** Reads that need no ownership of the store: `slipway replay` and `slipway inspect` look at a live database. */
export type StoreReads = Pick<
  Store,
  | "task"
  | "tree"
  | "children"
  | "rootTrees"
  | "unfinished"
  | "holder"
  | "runs"
  | "effect"
  | "isOpen"
  | "openEffects"
  | "effectsOf"
  | "timers"
  | "nextMail"
  | "busy"
  | "logAfter"
  | "taskLog"
  | "taskEvents"
  | "history"
  | "lastSeq"
  | "audit"
  | "plan"
  | "secret"
  | "secrets"
  | "script"
  | "setting"
  | "hookLog"
  | "notifications"
  | "notification"
  | "notificationsOf"
  | "dashboard"
  | "tally"
>;

/** Condition on `tasks`: not in a final state. */
export const UNFINISHED = `state NOT IN (${listInSql(FINAL_STATES)})`;
const SUBTREE = `WITH RECURSIVE below (id) AS (
  SELECT ? UNION ALL SELECT tasks.id FROM tasks JOIN below ON tasks.parent = below.id)`;

/** Prepares every read once. */
export function prepareReads(db: Database.Database): StoreReads {
  const task = db.prepare<[string], TaskRecord>("SELECT * FROM tasks WHERE id = ?");
  const tree = db.prepare<[string], TaskRecord>(
    "SELECT * FROM tasks WHERE root = (SELECT root FROM tasks WHERE id = ?) ORDER BY n",
  );
  const children = db.prepare<[string], TaskRecord>("SELECT * FROM tasks WHERE parent = ? ORDER BY n");
  const unfinished = db.prepare<[], TaskRecord>(`SELECT * FROM tasks WHERE ${UNFINISHED} ORDER BY n`);
  const holder = db
    .prepare<[string], string>(`SELECT id FROM tasks WHERE claim = ? AND state NOT IN (${listInSql(ENDED_STATES)})`)
    .pluck();
  const runs = db.prepare<[{ readonly app: string; readonly hook: string | null }], RunRecord>(
    `SELECT id, kind, app_id, hook_id, target, state, created, updated FROM tasks
      WHERE app_id = :app AND kind <> 'checkpoint' AND (:hook IS NULL OR hook_id = :hook) ORDER BY n DESC`,
  );
  const effect = db.prepare<[string], EffectRecord>("SELECT * FROM effects WHERE id = ?");
  const isOpen = db.prepare<[string], number>("SELECT state = 'intent' FROM effects WHERE id = ?").pluck();
  const openEffects = db.prepare<[string], EffectRecord>(
    "SELECT * FROM effects WHERE task = ? AND state = 'intent' ORDER BY n",
  );
  const allOpenEffects = db.prepare<[], EffectRecord>("SELECT * FROM effects WHERE state = 'intent' ORDER BY n");
  const effectsOf = db.prepare<[string], EffectRecord>("SELECT * FROM effects WHERE task = ? ORDER BY n");
  const timers = db.prepare<[string], TimerRecord>("SELECT * FROM timers WHERE task = ?");
  const allTimers = db.prepare<[], TimerRecord>("SELECT * FROM timers ORDER BY due_at");
  const nextMail = db.prepare<[number], MailRecord>(
    `SELECT mail.id, recipient, event FROM mail JOIN tasks ON tasks.id = recipient
      WHERE mail.id > ? AND tasks.quarantine IS NULL ORDER BY mail.id LIMIT 1`,
  );
  const busy = db
    .prepare<[string], number>(
      `${SUBTREE} SELECT EXISTS (
        SELECT 1 FROM below JOIN tasks ON tasks.id = below.id WHERE quarantine IS NULL AND (
          EXISTS (SELECT 1 FROM mail WHERE recipient = tasks.id)
          OR state IN ('PENDING', 'RUNNING') AND (
            EXISTS (SELECT 1 FROM effects WHERE task = tasks.id AND effects.state = 'intent')
            OR EXISTS (SELECT 1 FROM timers WHERE task = tasks.id))))`,
    )
    .pluck();
  const logAfter = db.prepare<[{ readonly from: number; readonly limit: number }], LogRecord>(
    "SELECT * FROM log WHERE seq > :from ORDER BY seq LIMIT :limit",
  );
  const taskLog = db.prepare<[string], LogRecord>("SELECT * FROM log WHERE task = ? ORDER BY seq");
  const taskEvents = db.prepare<[string], Omit<LogRecord, "view">>(
    "SELECT seq, at, root, task, rev, type, event, reason, digest, actor FROM log WHERE task = ? ORDER BY seq",
  );
  const history = db.prepare<{ task: string; from: number; limit: number }, LogRecord>(
    `SELECT * FROM log WHERE seq > :from
      AND task IN (SELECT :task UNION ALL SELECT id FROM tasks WHERE parent = :task AND kind = 'checkpoint')
      ORDER BY seq LIMIT :limit`,
  );
  const parts = prepareLogParts(db);
  const readLogged = (record: LogRecord): LoggedRow => toLoggedRow(record, parts.read(record.seq, record.view));
  const lastSeq = db.prepare<[], number>("SELECT coalesce(max(seq), 0) FROM log").pluck();
  const plan = db.prepare<[string], string>("SELECT plan FROM plans WHERE root = ?").pluck();
  const secret = db
    .prepare<[Omit<SecretRecord, "value">], string>("SELECT value FROM vault WHERE root = :root AND name = :name")
    .pluck();
  const secrets = db.prepare<[string], Omit<SecretRecord, "root">>(
    "SELECT name, value FROM vault WHERE root = ? ORDER BY name",
  );
  const script = db.prepare<[string], ScriptRecord>("SELECT * FROM scripts WHERE sha256 = ?");
  const setting = db
    .prepare<[Omit<SettingRecord, "value">], string>("SELECT value FROM settings WHERE app_id = :app_id AND key = :key")
    .pluck();
  const notifications = db.prepare<[{ readonly unread: 0 | 1; readonly limit: number }], NotificationRecord>(
    "SELECT * FROM notifications WHERE :unread = 0 OR read_at IS NULL ORDER BY n DESC LIMIT :limit",
  );
  const notification = db.prepare<[string], NotificationRecord>("SELECT * FROM notifications WHERE id = ?");
  const notificationsOf = db.prepare<[string], NotificationRecord>(
    "SELECT * FROM notifications WHERE task = ? ORDER BY n",
  );
  const tiles = db.prepare<[], string>("SELECT tiles FROM dashboard").pluck();
  const hookLog = db.prepare<{ task: string; before: number | null; limit: number }, HookLogLine>(
    `SELECT number, at, line FROM (
      SELECT n AS number, at, line FROM hook_log WHERE task = :task AND (:before IS NULL OR n < :before)
        ORDER BY n DESC LIMIT :limit) ORDER BY number`,
  );

  return {
    task: (id) => mapRecord(task.get(id), toTaskRow),
    tree: (id) => tree.all(id).map(toTaskRow),
    children: (id) => children.all(id).map(toTaskRow),
    rootTrees: prepareRootTrees(db),
    unfinished: () => unfinished.all().map(toTaskRow),
    holder: (claim) => holder.get(claim) ?? null,
    runs: (appId, hookId) => runs.all({ app: appId, hook: hookId ?? null }).map(toRunRow),
    effect: (id) => mapRecord(effect.get(id), toEffectRow),
    isOpen: (effectId) => isOpen.get(effectId) === 1,
    openEffects: (taskId) => (taskId === undefined ? allOpenEffects.all() : openEffects.all(taskId)).map(toEffectRow),
    effectsOf: (taskId) => effectsOf.all(taskId).map(toEffectRow),
    timers: (taskId) => (taskId === undefined ? allTimers.all() : timers.all(taskId)).map(toTimerRow),
    nextMail: (after = 0) => mapRecord(nextMail.get(after), toMailRow),
    busy: (id) => busy.get(id) === 1,
    logAfter: (from, limit) => logAfter.all({ from, limit }).map(readLogged),
    taskEvents: (taskId) => taskEvents.all(taskId).map(toTaskEventRow),
    taskLog: (taskId): readonly LoggedRow[] => taskLog.all(taskId).map(readLogged),
    history: (taskId, from, limit) => history.all({ task: taskId, from, limit }).map(readLogged),
    lastSeq: () => lastSeq.get() ?? 0,
    plan: (rootId) => parseOptional(plan.get(rootId)),
    secret: (rootId, name) => parseOptional(secret.get({ root: rootId, name })),
    secrets: (rootId) => Object.fromEntries(secrets.all(rootId).map(({ name, value }) => [name, JSON.parse(value)])),
    script: (sha256) =>
      mapRecord(script.get(sha256), ({ code, source_map }) => ({ sha256, code, sourceMap: source_map })),
    setting: (appId, key) => parseOptional(setting.get({ app_id: appId, key })),
    hookLog: (task, limit, before) => hookLog.all({ task, limit, before: before ?? null }),
    notifications: ({ unread, limit }) => notifications.all({ unread: unread ? 1 : 0, limit }).map(toNotificationRow),
    notification: (id) => mapRecord(notification.get(id), toNotificationRow),
    notificationsOf: (taskId) => notificationsOf.all(taskId).map(toNotificationRow),
    audit: prepareReadAudit(db),
    tally: prepareTally(db),
    dashboard: () => parseOptional(tiles.get()),
  };
}

function mapRecord<R, T>(record: R | undefined, map: (record: R) => T): T | null {
  return record === undefined ? null : map(record);
}

function parseOptional(text: string | undefined) {
  return text === undefined ? null : JSON.parse(text);
}
