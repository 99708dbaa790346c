import { explain } from "../../../core/codes/codes.ts";
import type { Problem } from "../../../core/codes/problems.ts";
import type { Catalog } from "../../../engine/ports/catalog.ts";
import { withSync } from "../with-sync.ts";
import { explainTooLarge } from "./commit-size.ts";
import { readConfiguration } from "./git-configuration.ts";
import { findRepository } from "./git-repository.ts";
import { findReason, runGit } from "./run-git.ts";

/**
 * A catalog directory that is a git checkout: `sync` fast-forwards it before the files are read. A pull that fails is a
 * problem of the sync, `CATALOG_PULL_FAILED`, and the files are read as they are.
 *
 * The owner of the engine is trusted with `.git/config` (the remote, keys, credentials); the authors who commit are
 * trusted with nothing: no content of a commit runs a program or chooses one, and no file of it is written before all of
 * its files have been counted. `deadlineMs`: ms each git command may take.
 */
export function pullBeforeSync(catalog: Catalog, deadlineMs = 60_000): Catalog {
  let running: ReturnType<Catalog["sync"]> | null = null;
  const pullAndSync: Catalog["sync"] = async () => {
    const fault = await pull(catalog.root, deadlineMs);
    const changes = await catalog.sync();
    if (fault === null) return changes;
    return { ...changes, problems: [...changes.problems, { file: ".git", problems: [pullProblem(fault)] }] };
  };
  return withSync(catalog, () => {
    running ??= pullAndSync().finally(() => {
      running = null;
    });
    return running;
  });
}

/** Fast-forwards the checkout a folder lies in; resolves with the reason when it can't. */
async function pull(folder: string, deadlineMs: number): Promise<string | null> {
  const repository = await findRepository(folder);
  if (typeof repository === "string") return repository;
  const configured = await runGit(repository, ["config", "--null", "--name-only", "--list"], { deadlineMs });
  if (!configured.ok) return findReason(configured);
  const { refusal, attributesOff } = readConfiguration(configured.stdout);
  if (refusal !== null) return refusal;
  const limits = { deadlineMs, settings: attributesOff };
  const fetched = await runGit(repository, ["fetch", "--quiet", "--no-recurse-submodules"], limits);
  if (!fetched.ok) return findReason(fetched);
  const named = await runGit(repository, ["rev-parse", "--verify", "@{upstream}^{commit}"], limits);
  if (!named.ok) return findReason(named);
  const commit = named.stdout.trim();
  const refused = await explainTooLarge(repository, commit, deadlineMs);
  if (refused !== null) return refused;
  const merged = await runGit(repository, ["merge", "--ff-only", "--quiet", commit], limits);
  return merged.ok ? null : findReason(merged);
}

function pullProblem(fault: string): Problem {
  const code = "CATALOG_PULL_FAILED";
  const message = `git can't fast-forward the catalog: ${fault}`;
  return { code, severity: "error", message, path: [], line: 1, column: 1, length: 0, hint: explain(code).hint };
}
