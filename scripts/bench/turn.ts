/**
 * Bench of the turn under `synchronous=FULL` against a bare better-sqlite3 transaction that writes the same rows and
 * reads nothing, in the same run: interleaved blocks, medians. `npm run bench:turn [-- --quick]`.
 */
import { closeSync, fdatasyncSync, mkdtempSync, openSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";
import { assign, setup } from "xstate";
import { openStore } from "../../src/adapters/store-sqlite/open-store.ts";
import { migrate } from "../../src/adapters/store-sqlite/opening/migrate.ts";
import { openDatabase } from "../../src/adapters/store-sqlite/opening/open-database.ts";
import { MIGRATIONS } from "../../src/adapters/store-sqlite/schema.ts";
import type { Store } from "../../src/engine/ports/store.ts";
import type { TurnRows } from "../../src/engine/ports/turn-rows.ts";
import type { RegisteredMachine } from "../../src/engine/runtime/effect.ts";
import { initEvent } from "../../src/engine/runtime/turn/plan-turn.ts";
import { takeTurn } from "../../src/engine/runtime/turn/turn.ts";
import type { TurnContext } from "../../src/engine/runtime/turn/turn-context.ts";
import { Metering } from "../../src/engine/telemetry/metering.ts";
import { TaskSpans } from "../../src/engine/telemetry/task-spans.ts";
import { Tracing } from "../../src/engine/telemetry/tracing.ts";
import { computeMedian, createRow, measureInterleaved, measureMs, printTable } from "./measure.ts";

const QUICK = process.argv.includes("--quick");
const BLOCKS = QUICK ? 10 : 60;
const TURNS = QUICK ? 20 : 50;

interface Context {
  readonly turns: number;
  readonly load: string;
}

/** Two states, each with an effect on entry and a deadline; the context fills a snapshot of 2 KB. */
const pingPong = setup({
  types: {
    context: {} as Context,
    events: {} as { readonly type: "effect.done"; readonly at: number },
    input: {} as { readonly load: string },
  },
  delays: { waitTime: 60_000 },
  actions: {
    "host.call": (_, _params: { readonly turn: number }) => {},
    count: assign({ turns: ({ context }) => context.turns + 1 }),
  },
}).createMachine({
  id: "ping-pong",
  context: ({ input }) => ({ turns: 0, load: input?.load ?? "" }),
  initial: "PING",
  states: {
    PING: {
      entry: ["count", { type: "host.call", params: ({ context }) => ({ turn: context.turns }) }],
      after: { waitTime: "PONG" },
      on: { "effect.done": "PONG" },
    },
    PONG: {
      entry: ["count", { type: "host.call", params: ({ context }) => ({ turn: context.turns }) }],
      after: { waitTime: "PING" },
      on: { "effect.done": "PING" },
    },
  },
});

const registered: RegisteredMachine = {
  id: "ping-pong",
  version: 1,
  machine: pingPong,
  migrate: {},
  view: ({ value }) => ({
    kind: "update",
    state: "RUNNING",
    label: String(value),
    progress: 0,
    marks: [],
    revision: 0,
  }),
};

const folder = mkdtempSync(join(process.cwd(), "bench-"));
try {
  await run();
} finally {
  rmSync(folder, { recursive: true });
}

async function run(): Promise<void> {
  const store = openStore({ file: join(folder, "turn.db") });
  const recorded: TurnRows[] = [];
  startTask(store, recorded);
  const bare = openBare(join(folder, "bare.db"));
  const sync = openSync(join(folder, "sync"), "w");
  const page = Buffer.alloc(4_096);

  for (let warm = 0; warm < 200; warm += 1) takeOneTurn(store, recorded);
  const sample = recorded.slice(-TURNS);
  for (const turn of recorded.splice(0)) bare(turn);
  const silent = new TaskSpans(store, new Tracing(), new Metering());
  const measureUs = async (work: () => void) => ((await measureMs(work)) * 1_000) / TURNS;
  const found = await measureInterleaved(BLOCKS, {
    turn: () => measureUs(() => repeat(() => takeOneTurn(store, recorded))),
    bare: () =>
      measureUs(() => {
        for (const turn of recorded.splice(0)) bare(turn);
      }),
    told: () =>
      measureUs(() => {
        for (const rows of sample) silent.note({ rows, ms: 0.2 });
      }),
    fsync: () =>
      measureUs(() =>
        repeat(() => {
          writeSync(sync, page, 0, page.length, 0);
          fdatasyncSync(sync);
        }),
      ),
  });
  const base = computeMedian(found.bare);
  printTable(`One turn, synchronous=FULL, snapshot of ${store.task("t")?.snapshot?.length} bytes`, [
    createRow("fdatasync of one page", found.fsync, "us"),
    createRow("bare transaction, same rows, nothing read", found.bare, "us", { ratio: 1 }),
    createRow("turn", found.turn, "us", { ratio: base / computeMedian(found.turn), target: "at least 0.7" }),
    createRow("telling OpenTelemetry of a turn, without an SDK", found.told, "us"),
  ]);
  closeSync(sync);
  store.close();
}

function repeat(work: () => void): void {
  for (let count = 0; count < TURNS; count += 1) work();
}

function createContext(store: Store): TurnContext {
  return {
    registry: { [registered.id]: registered },
    handlers: { "host.call": { class: "idempotent", perform: async () => ({ type: "effect.done", at: 0 }) } },
    read: store,
    epoch: store.opened.epoch,
    now: Date.now(),
    mask: (text) => text,
  };
}

function startTask(store: Store, recorded: TurnRows[]): void {
  const now = Date.now();
  const { rows } = takeTurn(
    createContext(store),
    {
      id: "t",
      root: "t",
      parent: null,
      name: "t",
      kind: "update",
      appId: "bench",
      hookId: null,
      target: null,
      claim: "app:bench",
      machine: registered.id,
      version: 1,
      rev: 0,
      snapshot: null,
      facts: { state: "PENDING", label: "", title: "", steps: [], commands: [], progress: 0, marks: [], revision: 0 },
      created: now,
      updated: now,
      crashCount: 0,
      silent: null,
      quarantine: null,
    },
    { event: initEvent({ load: "x".repeat(1_900) }), source: null, progress: true },
  );
  store.commit(rows);
  recorded.push(rows);
}

function takeOneTurn(store: Store, recorded: TurnRows[]): void {
  const task = store.task("t");
  if (task === null) throw new Error("the bench's task is gone");
  const effectId = `t:${task.rev}.0`;
  if (!store.isOpen(effectId)) throw new Error("the bench's effect is not open");
  const { rows } = takeTurn(createContext(store), task, {
    event: { type: "effect.done", at: task.rev },
    source: { kind: "effect", id: effectId },
    progress: true,
  });
  store.commit(rows);
  recorded.push(rows);
}

/** The same rows by prepared statements in the same schema. */
function openBare(file: string): (turn: TurnRows) => void {
  const db = openDatabase(file);
  migrate(db, MIGRATIONS);
  const insertTask = db.prepare(
    `INSERT INTO tasks (id, root, name, kind, app_id, claim, machine, version, rev, snapshot, state, facts, created, updated, crash_count)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0)`,
  );
  const updateTask = db.prepare(
    "UPDATE tasks SET rev = ?, snapshot = ?, state = ?, facts = ?, updated = ? WHERE id = ?",
  );
  const insertLog = db.prepare("INSERT INTO log VALUES (NULL, ?, ?, ?, ?, ?, ?, NULL, ?, ?, NULL)");
  const insertEffect = db.prepare("INSERT INTO effects VALUES (NULL, ?, ?, ?, ?, 'intent', NULL, ?, 0)");
  const endEffect = db.prepare("UPDATE effects SET state = 'done' WHERE id = ?");
  const setTimer = db.prepare("INSERT OR REPLACE INTO timers VALUES (?, ?, ?, ?, ?, ?)");
  const clearTimer = db.prepare("DELETE FROM timers WHERE task = ? AND id = ?");
  return db.transaction((turn: TurnRows) => {
    for (const { expectedRev, row: task } of turn.tasks) {
      const { id, root, name, kind, appId, claim, machine, rev, snapshot, facts, created, updated } = task;
      const shown = JSON.stringify(facts);
      if (expectedRev === 0) {
        insertTask.run(
          id,
          root,
          name,
          kind,
          appId,
          claim,
          machine,
          1,
          rev,
          snapshot,
          facts.state,
          shown,
          created,
          updated,
        );
      } else updateTask.run(rev, snapshot, facts.state, shown, updated, id);
    }
    if (turn.consumed?.kind === "effect") endEffect.run(turn.consumed.id);
    for (const { taskId, id } of turn.cleared) clearTimer.run(taskId, id);
    for (const { taskId, id, event, dueAt, delay } of turn.timers) {
      setTimer.run(taskId, id, JSON.stringify(event), dueAt, delay, 0);
    }
    for (const { id, taskId, name, params, intendedAt } of turn.effects) {
      insertEffect.run(id, taskId, name, JSON.stringify(params), intendedAt);
    }
    for (const { at, root, taskId, rev, type, event, digest, task } of turn.log) {
      insertLog.run(at, root, taskId, rev, type, JSON.stringify(event), digest, JSON.stringify(task));
    }
  }).immediate;
}
