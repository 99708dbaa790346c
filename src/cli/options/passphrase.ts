/** The passphrase of an export: never an argument, which every user of the machine may read. */
import { EngineError } from "../../core/codes/problems.ts";
import { canAsk } from "../ui/dialog/ask.ts";
import { askPassphrase } from "../ui/dialog/ask-passphrase.ts";
import type { Terminal } from "../ui/terminal.ts";
import { readTextFile } from "./files.ts";

/** The variable of the environment a passphrase is taken from. */
const VARIABLE = "SLIPWAY_PASSPHRASE";

/** Longest file a passphrase is read from, in bytes. */
const MOST = 8_192;

/**
 * The passphrase from the file named, else the environment, else a person, who types a new one twice. Throws `CLI_USAGE`
 * where there is none.
 */
export async function readPassphrase(file: string | undefined, isNew: boolean, terminal: Terminal): Promise<string> {
  // Editors end a file with a line break.
  if (file !== undefined) return readTextFile(file, MOST).replace(/\r?\n$/, "");
  const variable = process.env[VARIABLE];
  if (variable !== undefined && variable !== "") return variable;
  if (canAsk(terminal)) return askPassphrase(isNew, terminal);
  throw new EngineError("CLI_USAGE", `give --passphrase-file, or the passphrase in ${VARIABLE}`);
}
