/**
 * Install scripts as they were at a commit of the checkout their catalog lies in.
 *
 * A checkout that came from somebody else brings a `.git/config` of theirs. Only commands that read objects are run here,
 * offline: none of them has a pager, hook, filter, text conversion, editor or transport to start, whatever the
 * configuration says (test/catalog/committed-scripts.test.ts).
 */
import { realpath } from "node:fs/promises";
import { basename, relative } from "node:path";
import { EngineError } from "../../../core/codes/problems.ts";
import { MAX_SCRIPT_BYTES } from "../../../core/script/script-limits.ts";
import { isScript, MOST_SCRIPTS, readAppId } from "../list-scripts.ts";
import { findRepository, type GitRepository } from "./git-repository.ts";
import { readTree } from "./git-tree.ts";
import { type GitEnd, type GitOptions, runGit } from "./run-git.ts";

/** Ms a git command may take. */
const DEADLINE_MS = 20_000;
/** Bytes of a folder's listing that are read: more than the most scripts of a catalog take. */
const MOST_LISTED_BYTES = 8 * 1024 * 1024;
/** Files of one app that are read, a program each; the one without a version in its name is the first by name. */
const MOST_READ = 50;
/** Characters of a name of a commit. */
const LONGEST_REF = 250;

/** A script of an earlier commit. */
export interface CommittedScript {
  /** Base name of its file. */
  readonly file: string;
  /** null where it has more bytes than a script may have, is one too many, or can't be read. */
  readonly text: string | null;
}

/** The scripts of a catalog at one commit. */
export interface CommittedScripts {
  /** Reads the files of an app, sorted as git has them; none where the app was not there. Rejects with the signal's reason. */
  read(appId: string): Promise<readonly CommittedScript[]>;
}

/** A repository that is read until the signal comes. */
interface Opened extends GitRepository {
  readonly signal: AbortSignal | undefined;
}

interface Listed {
  readonly file: string;
  /** Object id. */
  readonly id: string;
  readonly bytes: number;
}

/**
 * Opens a catalog's folder at a commit (`ref`: a branch, tag or anything else git takes for a commit). Throws
 * `CATALOG_NO_CHECKOUT`, `CATALOG_REF_UNKNOWN` where there is no such commit, and the signal's reason.
 */
export async function openCommit(folder: string, ref: string, signal?: AbortSignal): Promise<CommittedScripts> {
  // read as an option it would do something else
  if (ref.startsWith("-") || ref === "" || ref.length > LONGEST_REF || /\p{Cc}/u.test(ref))
    throw createUnknownError(ref, "it is no name of a commit");
  const found = await findRepository(folder);
  if (typeof found === "string") throw createNoCheckoutError(folder, found);
  const repository: Opened = { ...found, signal };
  const named = await read(repository, ["rev-parse", "--verify", "--quiet", "--end-of-options", `${ref}^{commit}`]);
  if (!named.ran) throw createNoCheckoutError(folder, named.stderr);
  const commit = named.stdout.trim();
  if (!named.ok || !/^[0-9a-f]{40,64}$/.test(commit)) throw createUnknownError(ref, tellReason(named));
  const byApp = Map.groupBy(await list(repository, commit, folder), ({ file }) => readAppId(file));
  return {
    read: async (appId) => {
      const scripts: CommittedScript[] = [];
      // one after the other: whoever commits decides how many there are
      for (const listed of byApp.get(appId) ?? []) {
        const isRead = scripts.length < MOST_READ;
        scripts.push(isRead ? await readScript(repository, listed) : { file: listed.file, text: null });
      }
      return scripts;
    },
  };
}

/** The regular files of the folder that are scripts by their name; the folder need not have been there. */
async function list(repository: Opened, commit: string, folder: string): Promise<readonly Listed[]> {
  const below = relative(await realpath(repository.workTree), await realpath(folder));
  const path = below === "" ? [] : ["--", `${below}/`];
  const listed = await read(
    repository,
    ["--literal-pathspecs", "ls-tree", "-z", "--long", "--full-tree", commit, ...path],
    MOST_LISTED_BYTES,
  );
  if (!listed.ok && !listed.cut) throw createUnknownError(commit, tellReason(listed));
  return readTree(listed.stdout)
    .filter(({ isRegularFile, path }) => isRegularFile && isScript(basename(path)))
    .slice(0, MOST_SCRIPTS)
    .map(({ id, bytes, path }) => ({ file: basename(path), id, bytes }));
}

async function readScript(repository: Opened, { file, id, bytes }: Listed): Promise<CommittedScript> {
  if (bytes > MAX_SCRIPT_BYTES) return { file, text: null };
  const { ok, stdout } = await read(repository, ["cat-file", "blob", id], MAX_SCRIPT_BYTES);
  return { file, text: ok ? stdout : null };
}

async function read(repository: Opened, args: readonly string[], stdoutBytes?: number): Promise<GitEnd> {
  const { signal } = repository;
  const options: GitOptions = { deadlineMs: DEADLINE_MS, offline: true, signal };
  const ended = await runGit(repository, args, stdoutBytes === undefined ? options : { ...options, stdoutBytes });
  signal?.throwIfAborted();
  return ended;
}

function tellReason({ stderr }: GitEnd): string {
  return stderr.split("\n").find((line) => line.trim() !== "") ?? "the checkout has no such commit";
}

function createNoCheckoutError(folder: string, reason: string): EngineError {
  return new EngineError("CATALOG_NO_CHECKOUT", `the catalog "${folder}" has no earlier commits to read: ${reason}`);
}

function createUnknownError(ref: string, reason: string): EngineError {
  return new EngineError("CATALOG_REF_UNKNOWN", `the scripts at "${ref}" can't be read: ${reason}`);
}
