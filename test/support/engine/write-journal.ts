/** One life of a hook's run that keeps three rows, two of them in one commit; prints what was on disk before it. */
import { join } from "node:path";
import { openStore } from "../../../src/adapters/store-sqlite/open-store.ts";
import { makeEffect, makeEntry, makeTask, turn } from "../../../src/contract/store-rows.ts";
import { JournalWriter } from "../../../src/engine/runtime/journal-writer.ts";
import { createSystemClock } from "../../../src/engine/system/clock.ts";
import { SILENT_LOGGER } from "../../../src/engine/system/silent-logger.ts";

const [, , folder] = process.argv;
if (folder === undefined) throw new Error("usage: write-journal.ts FOLDER");
const store = openStore({ file: join(folder, "slipway.db") });
const writer = new JournalWriter({ store, clock: createSystemClock(), logger: SILENT_LOGGER });
if (store.task("t") === null) store.commit(turn(store, makeTask("t", 1), { effects: [makeEffect("t", 1)] }));
const before = store.journal("t:1.0").rows.length;
if (before < 1) await writer.write(makeEntry("t", 0));
await Promise.all([1, 2].filter((seq) => seq >= before).map((seq) => writer.write(makeEntry("t", seq))));
await writer.close();
store.close();
process.stdout.write(`${before}`);
