/**
 * `npm run record -- DB TASK CASE`: keeps what a finished task's machine did as
 * test/replay/recordings/<machine>-v<version>-<case>.jsonl, and its digest in SHA256SUMS beside it. Records the task and
 * every task under it of another machine; an existing recording is never touched.
 */
import { createHash } from "node:crypto";
import { appendFileSync, existsSync, mkdirSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { machines } from "../machines/index.ts";
import { openReader } from "../src/adapters/store-sqlite/open-store.ts";
import { record } from "../src/engine/replay/recording.ts";
import { listTurns, replayTask } from "../src/engine/replay/replay.ts";
import type { RegisteredMachine } from "../src/engine/runtime/effect.ts";

const [db, taskId, name] = process.argv.slice(2);
if (db === undefined || taskId === undefined || name === undefined || !/^[a-z0-9-]+$/.test(name)) {
  process.stderr.write("usage: npm run record -- DB TASK CASE (lower-case letters, digits, dashes)\n");
  process.exit(2);
}
const registry: Readonly<Record<string, RegisteredMachine>> = machines;
const folder = fileURLToPath(new URL("../test/replay/recordings/", import.meta.url));
mkdirSync(folder, { recursive: true });
const reads = openReader(db);
const seen = new Set<string>();
const below = reads.tree(taskId).filter(({ id }) => id === taskId || id.startsWith(`${taskId}~`));
for (const row of below) {
  const registered = registry[row.machine];
  if (registered === undefined || seen.has(row.machine)) continue;
  seen.add(row.machine);
  const { difference } = replayTask(reads, registry, row);
  if (difference !== null) throw new Error(`task "${row.id}" does not replay: ${JSON.stringify(difference)}`);
  const file = `${row.machine}-v${row.version}-${name}.jsonl`;
  const path = `${folder}${file}`;
  if (existsSync(path)) {
    process.stdout.write(`kept    ${path}\n`);
    continue;
  }
  const steps = record(
    registered,
    listTurns(reads.taskLog(row.id)).map(({ event }) => event),
  );
  const text = steps.map((step) => `${JSON.stringify(step)}\n`).join("");
  writeFileSync(path, text);
  appendFileSync(`${folder}SHA256SUMS`, `${createHash("sha256").update(text).digest("hex")}  ${file}\n`);
  process.stdout.write(`written ${path} (${steps.length} steps)\n`);
}
reads.close();
