import { lstat, realpath } from "node:fs/promises";
import { dirname, join } from "node:path";

/** A checkout, found by its `.git`. */
export interface GitRepository {
  /** `.git` of the checkout: a folder, or the file that names one (worktrees, submodules). */
  readonly gitDir: string;
  /** The checkout's top folder. */
  readonly workTree: string;
}

/**
 * The checkout a folder lies in; a text says why there is none to use. Only what is called `.git` counts: git itself would
 * also take a folder that holds `HEAD`, `objects` and `refs`, which a commit can bring, for a repository and obey the
 * `config` in it. No commit brings a `.git`; one of another user is not obeyed either.
 */
export async function findRepository(folder: string): Promise<GitRepository | string> {
  for (let workTree = await realpath(folder); ; workTree = dirname(workTree)) {
    const gitDir = join(workTree, ".git");
    const entry = await lstat(gitDir).catch(() => null);
    if (entry !== null) {
      if (!entry.isDirectory() && !entry.isFile()) return `"${gitDir}" is neither a folder nor a file`;
      if (entry.uid !== process.geteuid?.()) return `"${gitDir}" belongs to another user than the engine's`;
      return { gitDir, workTree };
    }
    if (workTree === dirname(workTree)) return "fatal: not a git repository";
  }
}
