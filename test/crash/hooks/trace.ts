/** What hooks have come to, so that two runs can be compared, and what a process that died has left of their calls. */
import { readHistory } from "../../../sandbox/journal/history.ts";
import type { SettledContent } from "../../../sandbox/journal/record.ts";
import { prepareJournals } from "../../../src/adapters/store-sqlite/journals/journals.ts";
import { openReader } from "../../../src/adapters/store-sqlite/open-store.ts";
import { openForReading } from "../../../src/adapters/store-sqlite/opening/open-for-reading.ts";
import { isJsonObject, type Json } from "../../../src/core/json/json.ts";
import { viewTree } from "../../../src/engine/runtime/views.ts";

/** What of the log is compared: what replaces what was said before is told or not, as time allows. */
const COMPARED = ["script.completed", "script.skipped", "script.failed"];

/** State, failure, checkpoints, log lines and the events of each hook, without ids and times. */
export function readTrace(db: string): unknown {
  const reader = openReader(db);
  try {
    const hooks = reader.rootTrees().map((tree) => {
      const { id, hookId, state, failure, progress, marks, ...shown } = viewTree(tree[0], tree);
      const checkpoints = shown.checkpoints.map(({ created: _created, updated: _updated, ...rest }) => rest);
      const events = reader.taskLog(id).flatMap(({ type, event }) => {
        if (!COMPARED.includes(event.type)) return [];
        const { checkpoint = null, message = null } = event;
        return [{ type: event.type, checkpoint, message, dropped: type === "task.dropped" }];
      });
      const lines = reader.hookLog(id, 1_000).map(({ line }) => line);
      return { hookId, state, failure, checkpoints, progress, marks, events, lines: lines.filter(isScripts) };
    });
    return hooks.toSorted((a, b) => String(a.hookId).localeCompare(String(b.hookId)));
  } finally {
    reader.close();
  }
}

/** The requests whose outcome is on the disk, by the name the app knows them by. */
export function readKeptCalls(file: string): readonly string[] {
  const db = openForReading(file);
  try {
    const journals = prepareJournals(
      db,
      () => {},
      () => {},
    );
    const effects = db.prepare<[], string>("SELECT effect FROM journals").pluck().all();
    return effects.flatMap((effect) => {
      const stored = journals.read(effect, 0);
      if (stored.rows.length === 0) return [];
      const history = readHistory(stored);
      if ("damage" in history) throw new Error(`the journal of ${effect} is damaged: ${history.damage}`);
      return [...history.deliveries, ...history.undelivered].flatMap(({ content }) => nameOf(content));
    });
  } finally {
    db.close();
  }
}

function isScripts(line: string): boolean {
  return line !== "[slipway] went on after a restart";
}

function nameOf({ ok }: SettledContent): string[] {
  const url: Json = isJsonObject(ok) ? (ok["url"] ?? null) : null;
  const name = typeof url === "string" ? /\/calls\/([^?]+)/.exec(url)?.[1] : undefined;
  return name === undefined ? [] : [name];
}
