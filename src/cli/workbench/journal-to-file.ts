/** `run-hook --journal FILE`: what a run was told, without its secrets, in a file to be replayed elsewhere. */
import { accessSync, constants, lstatSync } from "node:fs";
import { dirname } from "node:path";
import type { CompiledScript, JournalPlayer, PlayOutcome, RunOutcome } from "../../../sandbox/contract.ts";
import { concealSecrets } from "../../../sandbox/desk/without-secrets.ts";
import { writeJournalFile } from "../../../sandbox/journal/journal-file.ts";
import type { StoredJournal } from "../../../sandbox/journal/row.ts";
import { EngineError } from "../../core/codes/problems.ts";
import type { JsonObject } from "../../core/json/json.ts";
import { readMessage } from "../../core/json/read-message.ts";
import { writeNamed } from "../../files/write-below.ts";
import type { WrittenJournal } from "./run-result.ts";

/** A run that has ended, and what was kept of it. */
export interface EndedRun {
  readonly journal: StoredJournal;
  readonly script: CompiledScript;
  readonly entrypoint: string;
  readonly context: JsonObject;
  /** Names of inputs. */
  readonly secretInputs: readonly string[];
  /** Most time a replay may take, in ms. */
  readonly wallMs: number;
  readonly status: RunOutcome["status"];
}

/** Throws `CLI_FILE_UNWRITABLE` where no new file of that name can be made: before a run is made for it. */
export function requireNewFile(file: string): void {
  try {
    // a link that leads nowhere is there too
    if (lstatSync(file, { throwIfNoEntry: false })) throw new Error("it exists, and is not overwritten");
    accessSync(dirname(file), constants.W_OK);
  } catch (error) {
    throw createUnwritableError(file, error);
  }
}

/**
 * Writes a run's journal for its owner's eyes. It is replayed once without the secrets: what is called otherwise then
 * depends on them, and is not compared in a later replay.
 */
export async function writeJournal(player: JournalPlayer, run: EndedRun, file: string): Promise<WrittenJournal> {
  const { secretInputs, script, entrypoint, wallMs } = run;
  const bare = concealSecrets(run, secretInputs);
  const played = await player.play({ ...bare, script, entrypoint, wallMs }, { called: () => {}, log: () => {} })
    .outcome;
  const { journal, context } = concealSecrets(run, secretInputs, played.made);
  try {
    writeNamed(file, { text: writeJournalFile(journal, { context }), replaces: "nothing", mode: 0o600 });
  } catch (error) {
    throw createUnwritableError(file, error);
  }
  const fault = describeFault(played, run);
  return { file, ...(fault !== null && { fault }) };
}

/** Why a replay does not lead where the run did; null where it does. */
function describeFault(played: PlayOutcome, { status }: EndedRun): string | null {
  if (played.status === "diverged") return played.message;
  const isOther = played.status === "ended" && played.outcome.status !== status;
  return isOther ? `without its secrets the script is ${played.outcome.status}` : null;
}

function createUnwritableError(file: string, cause: unknown): EngineError {
  return new EngineError("CLI_FILE_UNWRITABLE", `can't write "${file}": ${readMessage(cause)}`, { file }, cause);
}
