/** `run-hook --replay FILE`: plays a journal that `--journal` wrote; nothing is sent or asked. */
import { z } from "zod";
import type { CompiledScript, JournalPlayer, PlayOutcome } from "../../../sandbox/contract.ts";
import { type History, readHistory } from "../../../sandbox/journal/history.ts";
import { LARGEST_FILE, readJournalFile } from "../../../sandbox/journal/journal-file.ts";
import type { StoredJournal } from "../../../sandbox/journal/row.ts";
import { EngineError } from "../../core/codes/problems.ts";
import type { JsonObject } from "../../core/json/json.ts";
import { readTextFile } from "../options/files.ts";
import type { RunHookResult } from "./run-result.ts";
import type { RunView } from "./run-view.ts";

/** A journal as it was read. */
export interface ReadJournal {
  readonly file: string;
  readonly journal: StoredJournal;
  readonly context: JsonObject;
  readonly history: History;
}

/** The script and the limits of a replay. */
export interface ReplaySetting {
  readonly script: CompiledScript;
  /** Most time it may take, in ms. */
  readonly wallMs: number;
  readonly view: RunView;
  /** Stops it. */
  readonly signal: AbortSignal;
}

const Meta = z.object({ context: z.record(z.string(), z.json()) });

/**
 * Reads a journal for an entrypoint. Throws `CLI_FILE_UNREADABLE`, `CLI_JOURNAL_INVALID` for what is not one as a whole,
 * and `CLI_JOURNAL_FOREIGN` for another entrypoint's.
 */
export function readJournal(file: string, entrypoint: string): ReadJournal {
  const read = readJournalFile(readTextFile(file, LARGEST_FILE));
  if ("damage" in read) throw createInvalidError(file, read.damage);
  const history = readHistory(read);
  if ("damage" in history) throw createInvalidError(file, history.damage);
  const meta = Meta.safeParse(read.meta);
  if (!meta.success) throw createInvalidError(file, "the context of its script is missing");
  const { start } = history;
  if (start.entrypoint !== entrypoint) {
    throw createForeignError(file, `the entrypoint "${start.entrypoint}", not of "${entrypoint}"`);
  }
  return { file, journal: read, context: meta.data.context, history };
}

/**
 * Plays a journal with its script. Throws `CLI_JOURNAL_FOREIGN` where the script is another, `CLI_REPLAY_DIVERGED` where
 * it does something else than it did.
 */
export async function replayJournal(
  player: JournalPlayer,
  { file, journal, context, history }: ReadJournal,
  { script, wallMs, view, signal }: ReplaySetting,
): Promise<RunHookResult> {
  const { start, givenUp } = history;
  if (start.made.script !== script.sha256) throw createForeignError(file, "another script, or another state of it");
  const play = player.play(
    { journal, script, entrypoint: start.entrypoint, context, wallMs },
    { called: (call, answer) => view.call(call, answer), log: (line) => view.line(line) },
  );
  signal.addEventListener("abort", play.stop);
  const played = await play.outcome.finally(() => signal.removeEventListener("abort", play.stop));
  if (played.status === "diverged") {
    throw new EngineError("CLI_REPLAY_DIVERGED", `the replay of "${file}" stopped: ${played.message}`, { file });
  }
  return { checkpoints: view.checkpoints, log: view.log, ...describePlayed(played, givenUp) };
}

function describePlayed(
  played: Exclude<PlayOutcome, { status: "diverged" }>,
  givenUp: string | null,
): Pick<RunHookResult, "outcome" | "usage" | "result" | "open"> {
  if (played.status === "open") {
    const { calls, usage } = played;
    const waits = calls.length === 0 ? "no call is open" : "the script waits for";
    const message = givenUp === null ? waits : `no more was kept (${givenUp}); ${waits}`;
    return { outcome: { status: "open", message }, open: calls, usage };
  }
  const { usage, ...ending } = played.outcome;
  if (ending.status === "failed") return { outcome: ending, usage };
  return { outcome: { status: "completed" }, result: ending.result, usage };
}

function createInvalidError(file: string, damage: string): EngineError {
  return new EngineError("CLI_JOURNAL_INVALID", `"${file}" is not a whole journal: ${damage}`, { file });
}

function createForeignError(file: string, whose: string): EngineError {
  return new EngineError("CLI_JOURNAL_FOREIGN", `"${file}" is the journal of ${whose}`, { file });
}
