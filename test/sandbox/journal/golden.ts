/**
 * Golden journals: what scripts were told once, kept for every later build to play.
 *
 * A release's folder holds scripts, the journal each of them wrote (`<script>.jsonl`, journal-file.ts) and `SHA256SUMS`.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import Database from "better-sqlite3";
import { z } from "zod";
import type { Mount, RunOutcome, Sandbox, ScriptIo } from "../../../sandbox/contract.ts";
import { type JournalFile, readJournalFile, writeJournalFile } from "../../../sandbox/journal/journal-file.ts";
import type { StoredJournal } from "../../../sandbox/journal/row.ts";
import type { Json, JsonObject } from "../../../src/core/json/json.ts";
import { startApp } from "../app-server.ts";
import { beginLife, compile } from "./lives.ts";

/** One folder a release. */
export const GOLDEN = fileURLToPath(new URL("../../fixtures/journals/", import.meta.url));

/** What is kept beside a journal: the context its script saw, and what it came to. */
const meta = z.object({
  seed: z.string(),
  context: z.record(
    z.string(),
    z.custom<Json>((value) => value !== undefined),
  ),
  outcome: z.custom<Json>((value) => value !== undefined),
});

export interface GoldenJournal {
  readonly file: JournalFile;
  readonly meta: z.infer<typeof meta>;
}

/** Reads a journal's file; throws with what is wrong with it. */
export function readGolden(text: string): GoldenJournal {
  const file = readJournalFile(text);
  if ("damage" in file) throw new Error(file.damage);
  return { file, meta: meta.parse(file.meta) };
}

/** Plays a script once and answers its journal's file; the app, the files and the person are made for it in `folder`. */
export async function recordGolden(sandbox: Sandbox, code: string, folder: string): Promise<string> {
  const echo = () => ({ headers: { date: "Thu, 01 Jan 2026 00:00:00 GMT" }, body: "echo" });
  const methods = ["GET", "HEAD", "OPTIONS", "PUT", "DELETE", "POST", "PATCH"];
  await using app = await startApp({
    ...Object.fromEntries(methods.map((method) => [`${method} /echo/${method}`, echo])),
    ...Object.fromEntries(["left", "right", "fast", "ready"].map((name) => [`GET /echo/${name}`, echo])),
    "GET /never": () => null,
    "GET /large": () => ({ body: "large ".repeat(12_000) }),
  });
  const mounts = [makeMount(folder)];
  const context = {
    resourceId: "app",
    event: "userAction",
    inputs: {},
    baseUrl: app.url,
    host: "127.0.0.1",
    mounts: mounts.map(({ hostPath, containerPath, localPath }) => ({ hostPath, containerPath, localPath })),
  };
  const pressed = ["retry", "retry", "skip"] as const;
  let asked = 0;
  const script = await compile(sandbox, code);
  const life = beginLife(sandbox, {
    script,
    port: app.port,
    context,
    mounts,
    choose: () => pressed[asked++] ?? "skip",
  });
  const outcome = describeOutcome(await life.outcome);
  return writeJournalFile(life.journal.read(), { seed: "seed", context, outcome });
}

/** Plays a kept journal against the script; nothing is there that could answer a live call. */
export async function playGolden(sandbox: Sandbox, code: string, { meta: kept }: GoldenJournal, stored: StoredJournal) {
  const { seed, context } = kept;
  const life = beginLife(sandbox, { script: await compile(sandbox, code), port: 1, seed, context, ...stored });
  return { outcome: describeOutcome(await life.outcome), lines: life.lines, calls: life.calls };
}

/** An outside that counts who opens it, and answers nobody. */
export function createClosedIo(): ScriptIo & { opened: number } {
  return {
    opened: 0,
    open() {
      this.opened += 1;
      throw new Error("nothing live may happen");
    },
  };
}

/** Without what is another each time: use of the machine, and places in the engine's own code. */
function describeOutcome(outcome: RunOutcome): JsonObject {
  const { usage: _, ...rest } = outcome;
  return JSON.parse(JSON.stringify({ ...rest, stack: undefined }));
}

function makeMount(folder: string): Mount {
  writeFileSync(join(folder, "settings.json"), JSON.stringify({ port: 8096 }));
  writeFileSync(join(folder, "large.bin"), Buffer.alloc(80_000, "large"));
  const db = new Database(join(folder, "library.db"));
  db.exec("CREATE TABLE books (id INTEGER PRIMARY KEY, title TEXT)");
  for (const title of ["One", "Two", "Three"]) db.prepare("INSERT INTO books (title) VALUES (?)").run(title);
  db.close();
  return { hostPath: folder, containerPath: "/config", localPath: folder, location: folder };
}
