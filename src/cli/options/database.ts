/**
 * Where the database of a command lies. No name in the working directory is a default: whoever filled the directory, as a
 * cloned catalog, would bring the state an engine goes on with.
 */
import { createHash } from "node:crypto";
import { realpathSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { basename, isAbsolute, join, resolve } from "node:path";
import type { Command } from "commander";
import { EngineError } from "../../core/codes/problems.ts";
import { assertOwnState } from "../../files/own-state.ts";
import { makeNamedFolder } from "../../files/write-below.ts";
import type { Terminal } from "../ui/terminal.ts";

/** The options that say which database is meant. */
export interface DatabaseOptions {
  readonly db?: string;
  readonly catalog?: string;
  /** Default: the stand-in. */
  readonly host?: string;
}

/** The host that is an embedded stand-in, as `--host` names it. */
export const STANDIN = "standin";

/** Adds `--db`. */
export function addDatabaseOption(command: Command): Command {
  return command.option("--db <file>", "the engine's database (default: the catalog's, in the user's state folder)");
}

/**
 * The database named with `--db`, else the one the user's state folder has for the catalog. Throws `CLI_USAGE` when neither
 * is named, and for a real host, whose database is never chosen by a catalog.
 */
export function locateDatabase(options: DatabaseOptions): string {
  const found = findDatabase(options);
  if (found !== null) return found;
  throw new EngineError(
    "CLI_USAGE",
    (options.host ?? STANDIN) === STANDIN
      ? "no database is named; give --catalog DIR for the one of a catalog, or --db FILE"
      : "a real host needs --db: the database that knows what is installed on it",
  );
}

/** The same; null when none is named. */
export function findDatabase({ db, catalog, host = STANDIN }: DatabaseOptions): string | null {
  if (db !== undefined) return resolve(db);
  return host === STANDIN && catalog !== undefined ? join(nameStateFolder(catalog), "slipway.db") : null;
}

/**
 * The database of a command that opens an engine on it. One that was not named has its folder made, for this user alone, and
 * is shown in a line. Throws as `locateDatabase`, `STORE_UNTRUSTED`, and the system's error for a folder that can't be made.
 */
export function prepareDatabase(options: DatabaseOptions, { stderr }: Pick<Terminal, "stderr">): string {
  const file = locateDatabase(options);
  const { db, catalog = "." } = options;
  // an engine refuses a catalog that is no folder before it opens its database
  if (db !== undefined || statSync(catalog, { throwIfNoEntry: false })?.isDirectory() !== true) return file;
  const folder = nameStateFolder(catalog);
  // as root, nothing is made in a folder of another user
  assertOwnState(folder, "folder");
  makeNamedFolder(folder, 0o700);
  stderr.write(`state: ${file} (--db names another)\n`);
  return file;
}

/** The folder for the state of a catalog, by its real path: `$XDG_STATE_HOME/slipway/NAME-DIGEST`. */
function nameStateFolder(catalog: string): string {
  const named = process.env["XDG_STATE_HOME"];
  // The XDG base directory specification ignores relative paths.
  const base = named !== undefined && isAbsolute(named) ? named : join(homedir(), ".local", "state");
  const path = resolveLinks(catalog);
  const digest = createHash("sha256").update(path).digest("hex").slice(0, 16);
  return join(base, "slipway", `${basename(path) || "root"}-${digest}`);
}

function resolveLinks(folder: string): string {
  try {
    return realpathSync(folder);
  } catch {
    return resolve(folder);
  }
}
