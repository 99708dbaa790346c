/** How large a commit is once it is checked out: asked before any file of it is written. */
import { basename } from "node:path";
import type { GitRepository } from "./git-repository.ts";
import { readTree, type TreeEntry } from "./git-tree.ts";
import { findReason, type GitOptions, runGit } from "./run-git.ts";

/** Most bytes of a commit's files once they are checked out. */
const CHECKOUT_BYTES = 256 * 1024 * 1024;
/** Most files and folders of a commit. */
const CHECKOUT_FILES = 100_000;
/** Most bytes of the list of them. */
const LISTED_BYTES = 16 * 1024 * 1024;

/** How far attributes can enlarge a file: each line's end becomes two bytes. */
const GROWTH = 2;
/** The same where they name what enlarges more: `ident` writes the 4 bytes of `$Id$` as 71, an encoding each as four. */
const GREAT_GROWTH = 71 * 4;
const GREAT = /ident|working-tree-encoding/;
/** Files of attributes that are read, and bytes of each; more of them may hold anything. */
const MOST_ATTRIBUTES = 20;
const ATTRIBUTES_BYTES = 64 * 1024;

/** Says why a commit is too large to be checked out; null where it is not. `deadlineMs`: ms each git command may take. */
export async function explainTooLarge(
  repository: GitRepository,
  commit: string,
  deadlineMs: number,
): Promise<string | null> {
  const options = { deadlineMs, offline: true, stdoutBytes: LISTED_BYTES };
  const listed = await runGit(repository, ["ls-tree", "-r", "-t", "-z", "--long", "--full-tree", commit], options);
  if (!listed.ok && !listed.cut) return findReason(listed);
  const entries = readTree(listed.stdout);
  if (listed.cut || entries.length > CHECKOUT_FILES)
    return `its newest commit has more than ${CHECKOUT_FILES} files and folders`;
  const bytes = entries.reduce((sum, entry) => sum + entry.bytes, 0);
  const written = bytes * (await findGrowth(repository, entries, options));
  if (written <= CHECKOUT_BYTES) return null;
  const attributes = written > bytes ? `, and may be written as ${written} by their attributes` : "";
  return `the files of its newest commit have ${bytes} bytes${attributes}, ${CHECKOUT_BYTES} are allowed`;
}

async function findGrowth(
  repository: GitRepository,
  entries: readonly TreeEntry[],
  options: GitOptions,
): Promise<number> {
  const files = entries.filter(({ path }) => basename(path) === ".gitattributes");
  if (files.length > MOST_ATTRIBUTES) return GREAT_GROWTH;
  for (const { id } of files) {
    const read = await runGit(repository, ["cat-file", "blob", id], { ...options, stdoutBytes: ATTRIBUTES_BYTES });
    if (!read.ok || GREAT.test(read.stdout)) return GREAT_GROWTH;
  }
  return files.length > 0 ? GROWTH : 1;
}
