import { ENDED_STATES, FINAL_STATES } from "../../core/task-states.ts";
import { listInSql } from "./sql-list.ts";

/** Keys of `journal_rows` that belong to one journal. */
export const ROWS_OF_A_JOURNAL = 2 ** 24;

/**
 * The database's schema as numbered forward migrations: entry n leads from version n to n + 1. An entry that was
 * released is never edited. Tables that grow are rowid tables: `WITHOUT ROWID` costs three times the space at 1 KB per row.
 * A task's snapshot stands last: what reads tasks to show them never touches its pages. `tasks_roots` holds all that a
 * page of tasks is filtered by, so that a filter few roots fit reads no row it leaves out.
 * A row of a hook's journal has the key `journal * 2^24 + seq`: in order, together, and without a second index.
 */
export const MIGRATIONS: readonly string[] = [
  `
  CREATE TABLE meta (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    incarnation TEXT NOT NULL,
    epoch INTEGER NOT NULL,
    clean INTEGER NOT NULL,
    alive_at INTEGER,
    journal_writes INTEGER NOT NULL
  ) STRICT;

  CREATE TABLE probe (id INTEGER PRIMARY KEY CHECK (id = 1), filling BLOB NOT NULL) STRICT;

  CREATE TABLE tasks (
    n INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    root TEXT NOT NULL,
    parent TEXT REFERENCES tasks (id),
    name TEXT NOT NULL,
    kind TEXT NOT NULL,
    app_id TEXT NOT NULL,
    hook_id TEXT,
    target TEXT,
    claim TEXT,
    machine TEXT NOT NULL,
    version INTEGER NOT NULL,
    rev INTEGER NOT NULL,
    state TEXT NOT NULL,
    facts TEXT NOT NULL,
    created INTEGER NOT NULL,
    updated INTEGER NOT NULL,
    crash_count INTEGER NOT NULL,
    silent TEXT,
    quarantine TEXT,
    snapshot TEXT
  ) STRICT;
  CREATE INDEX tasks_root ON tasks (root);
  CREATE INDEX tasks_parent ON tasks (parent) WHERE parent IS NOT NULL;
  CREATE INDEX tasks_app ON tasks (app_id, hook_id);
  CREATE UNIQUE INDEX tasks_claim ON tasks (claim)
    WHERE claim IS NOT NULL AND state NOT IN (${listInSql(ENDED_STATES)});
  CREATE INDEX tasks_unfinished ON tasks (n)
    WHERE state NOT IN (${listInSql(FINAL_STATES)});
  CREATE INDEX tasks_roots ON tasks (n, app_id, state, updated) WHERE parent IS NULL;

  CREATE TABLE log (
    seq INTEGER PRIMARY KEY,
    at INTEGER NOT NULL,
    root TEXT NOT NULL,
    task TEXT NOT NULL,
    rev INTEGER NOT NULL,
    type TEXT NOT NULL,
    event TEXT NOT NULL,
    reason TEXT,
    digest TEXT NOT NULL,
    view TEXT NOT NULL
  ) STRICT;
  CREATE INDEX log_task ON log (task);

  CREATE TABLE log_parts (
    n INTEGER PRIMARY KEY,
    task TEXT NOT NULL,
    part INTEGER NOT NULL,
    seq INTEGER NOT NULL,
    value TEXT NOT NULL
  ) STRICT;
  CREATE UNIQUE INDEX log_parts_of ON log_parts (task, part, seq);

  CREATE TABLE effects (
    n INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    task TEXT NOT NULL REFERENCES tasks (id),
    name TEXT NOT NULL,
    params TEXT NOT NULL,
    state TEXT NOT NULL,
    note TEXT,
    intended_at INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX effects_open ON effects (task) WHERE state = 'intent';

  CREATE TABLE timers (
    task TEXT NOT NULL REFERENCES tasks (id),
    id TEXT NOT NULL,
    event TEXT NOT NULL,
    due_at INTEGER NOT NULL,
    delay REAL NOT NULL,
    active INTEGER NOT NULL,
    PRIMARY KEY (task, id)
  ) STRICT;

  CREATE TABLE mail (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    recipient TEXT NOT NULL REFERENCES tasks (id),
    event TEXT NOT NULL
  ) STRICT;

  CREATE TABLE plans (root TEXT PRIMARY KEY REFERENCES tasks (id), plan TEXT NOT NULL) STRICT;
  CREATE TABLE vault (
    root TEXT NOT NULL REFERENCES tasks (id),
    name TEXT NOT NULL,
    value TEXT NOT NULL,
    PRIMARY KEY (root, name)
  ) STRICT;
  CREATE TABLE scripts (sha256 TEXT PRIMARY KEY, code TEXT NOT NULL, source_map TEXT NOT NULL) STRICT;
  CREATE TABLE settings (
    app_id TEXT NOT NULL,
    key TEXT NOT NULL,
    value TEXT NOT NULL,
    PRIMARY KEY (app_id, key)
  ) STRICT;
  CREATE TABLE notifications (
    n INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    at INTEGER NOT NULL,
    task TEXT NOT NULL REFERENCES tasks (id),
    type TEXT NOT NULL,
    runs_on TEXT NOT NULL,
    hook_id TEXT NOT NULL,
    target TEXT NOT NULL,
    read_at INTEGER
  ) STRICT;
  CREATE INDEX notifications_task ON notifications (task);
  CREATE TABLE hook_log (
    n INTEGER PRIMARY KEY,
    task TEXT NOT NULL REFERENCES tasks (id),
    at INTEGER NOT NULL,
    line TEXT NOT NULL
  ) STRICT;
  CREATE INDEX hook_log_task ON hook_log (task);

  CREATE TABLE journal_keys (id INTEGER PRIMARY KEY, key BLOB NOT NULL) STRICT;
  CREATE TABLE journals (
    id INTEGER PRIMARY KEY REFERENCES journal_keys (id),
    effect TEXT NOT NULL UNIQUE REFERENCES effects (id),
    task TEXT NOT NULL REFERENCES tasks (id),
    rows INTEGER NOT NULL CHECK (rows <= ${ROWS_OF_A_JOURNAL}),
    head TEXT NOT NULL,
    recovered INTEGER NOT NULL,
    alive_at INTEGER
  ) STRICT;
  CREATE TABLE journal_rows (
    n INTEGER PRIMARY KEY,
    digest TEXT NOT NULL,
    bodies TEXT NOT NULL,
    text_bytes INTEGER NOT NULL,
    sealed BLOB NOT NULL
  ) STRICT;
  CREATE TABLE journal_bodies (
    journal INTEGER NOT NULL,
    sha256 TEXT NOT NULL,
    sealed BLOB NOT NULL,
    PRIMARY KEY (journal, sha256)
  ) STRICT;
  `,
  // The life that found the database to be an older copy; 1 where none did.
  "ALTER TABLE meta ADD COLUMN branched INTEGER NOT NULL DEFAULT 1",
  // A JSON array of tiles; no row where nobody has arranged any.
  "CREATE TABLE dashboard (id INTEGER PRIMARY KEY CHECK (id = 1), tiles TEXT NOT NULL) STRICT",
  // 1: it was open when the database was found to be an older copy.
  "ALTER TABLE effects ADD COLUMN doubtful INTEGER NOT NULL DEFAULT 0",
  // A row in an older copy whose tasks nobody has taken over: the digest of all others, empty once a writer has opened it.
  "CREATE TABLE copy (id INTEGER PRIMARY KEY CHECK (id = 1), sha256 TEXT NOT NULL) STRICT",
  // Who did what: `refused` is a code. The log keeps an actor as JSON.
  `
  CREATE TABLE audit (
    n INTEGER PRIMARY KEY,
    at INTEGER NOT NULL,
    actor_id TEXT NOT NULL,
    actor_name TEXT NOT NULL,
    how TEXT NOT NULL,
    method TEXT NOT NULL,
    app_id TEXT,
    task TEXT,
    refused TEXT,
    kind TEXT NOT NULL
  ) STRICT;
  CREATE INDEX audit_kind ON audit (kind, n);
  ALTER TABLE log ADD COLUMN actor TEXT;
  `,
  // What is told need not be of a task: `facts` is JSON of what it says.
  `
  CREATE TABLE news (
    n INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    at INTEGER NOT NULL,
    task TEXT REFERENCES tasks (id),
    facts TEXT NOT NULL,
    read_at INTEGER
  ) STRICT;
  INSERT INTO news (n, id, at, task, facts, read_at) SELECT n, id, at, task,
    json_object('type', type, 'taskId', task, 'runsOnAppId', runs_on, 'hookId', hook_id, 'target', target), read_at
    FROM notifications;
  DROP TABLE notifications;
  ALTER TABLE news RENAME TO notifications;
  CREATE INDEX notifications_task ON notifications (task);
  `,
  // Roots whose machines' states are kept: what is let go of is found without reading all tasks there ever were.
  "CREATE INDEX tasks_snapshots ON tasks (updated, n) WHERE parent IS NULL AND snapshot IS NOT NULL",
];
