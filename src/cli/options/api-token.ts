/** The bearer token of `serve`: made for one run, left where the owner's other commands find it. */

import { randomBytes } from "node:crypto";
import { closeSync, constants, existsSync, fstatSync, openSync, readFileSync, rmSync } from "node:fs";
import { resolve } from "node:path";
import { createFileUnreadableError } from "../../core/codes/common-errors.ts";
import { EngineError } from "../../core/codes/problems.ts";
import { readMessage } from "../../core/json/read-message.ts";
import { writeNamed } from "../../files/write-below.ts";
import { isLoopback } from "../../http/server-address.ts";

/** A token that was made, and its file. */
export interface MadeToken {
  readonly token: string;
  readonly file: string;
  /** Deletes the file: the token is worth nothing after the service. */
  remove(): void;
}

/** Bits others than the owner have on a file. */
const FOREIGN_BITS = 0o077;
const TOKEN_BYTES = 32;
/** What one value of a header can hold: visible ASCII. */
const SENDABLE = /^[\x21-\x7e]+$/;

/**
 * Makes a token and writes it beside the database, for the owner alone. Throws `CLI_FILE_UNREADABLE` where the file can't
 * be written. A file an earlier run or somebody else left there is replaced, never written to.
 */
export function makeToken(db: string): MadeToken {
  const file = nameTokenFile(db);
  const token = randomBytes(TOKEN_BYTES).toString("base64url");
  try {
    writeNamed(file, { text: `${token}\n`, replaces: "link", mode: 0o600 });
  } catch (error) {
    const reason = readMessage(error);
    throw new EngineError("CLI_FILE_UNREADABLE", `can't write the token to "${file}": ${reason}`, { file }, error);
  }
  return { token, file, remove: () => rmSync(file, { force: true }) };
}

/**
 * The token for a service: of the file named, else of the one a `serve` on this database left; null when there is neither.
 * A token that was not named goes to this machine only.
 */
export function findToken(options: {
  readonly api: string;
  readonly db: string | null;
  readonly tokenFile?: string;
}): string | null {
  if (options.tokenFile !== undefined) return readToken(options.tokenFile);
  if (options.db === null) return null;
  const file = nameTokenFile(options.db);
  const host = URL.parse(options.api)?.hostname.replace(/^\[|\]$/g, "") ?? "";
  return isLoopback(host) && existsSync(file) ? readToken(file) : null;
}

/**
 * Reads a bearer token. Throws `CLI_FILE_UNREADABLE`, `CLI_FILE_INVALID` for a file others can read or write, that is a
 * link, whose token is shorter than 16 characters, or has others than visible ASCII ones.
 */
export function readToken(file: string): string {
  const refuse = (fault: string) => new EngineError("CLI_FILE_INVALID", `the token file "${file}" ${fault}`, { file });
  let handle: number;
  try {
    // Not waiting: a pipe without a writer would hold the command for ever.
    handle = openSync(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ELOOP")
      throw refuse("is a link: name the file itself");
    throw createFileUnreadableError(file, error);
  }
  try {
    const { mode, uid } = fstatSync(handle);
    if ((mode & constants.S_IFMT) !== constants.S_IFREG) throw refuse("is not a file");
    if ((mode & FOREIGN_BITS) !== 0) throw refuse("is open to others: chmod 600 it, and change the token");
    const own = process.geteuid?.() ?? uid;
    if (uid !== own && uid !== 0 && own !== 0) throw refuse("belongs to another user");
    const token = readFileSync(handle, "utf8").trim();
    if (token.length < 16) throw refuse("holds a token shorter than 16 characters");
    if (!SENDABLE.test(token)) throw refuse("holds more than one word of ASCII characters: no header can carry it");
    return token;
  } finally {
    closeSync(handle);
  }
}

function nameTokenFile(db: string): string {
  return `${resolve(db)}.token`;
}
