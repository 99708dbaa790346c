import { explain } from "../../../core/codes/codes.ts";
import type { Problem } from "../../../core/codes/problems.ts";
import type { Catalog } from "../../../engine/ports/catalog.ts";
import { withSync } from "../with-sync.ts";
import { readConfiguration } from "./git-configuration.ts";
import { findRepository } from "./git-repository.ts";
import { type GitEnd, runGit } from "./run-git.ts";

/**
 * A catalog directory that is a git checkout: `sync` fast-forwards it before the files are read. A pull that fails is a
 * problem of the sync, `CATALOG_PULL_FAILED`, and the files are read as they are.
 *
 * The owner of the engine is trusted with `.git/config` (the remote, keys, credentials); the authors who commit are
 * trusted with nothing: no content of a commit runs a program or chooses one. `deadlineMs`: ms each git command may take.
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
  const pulled = await runGit(repository, ["pull", "--ff-only", "--quiet", "--no-recurse-submodules"], {
    deadlineMs,
    settings: attributesOff,
  });
  return pulled.ok ? null : findReason(pulled);
}

/** The line that says why, without the credentials an address may hold. */
function findReason({ stderr }: GitEnd): string {
  const lines = stderr.split("\n").filter((line) => line.trim() !== "");
  const line = lines.find((candidate) => /^(fatal|error):/.test(candidate)) ?? lines[0];
  return line?.replace(/\/\/[^/@\s]*@/g, "//") ?? "git gave no reason";
}

function pullProblem(fault: string): Problem {
  const code = "CATALOG_PULL_FAILED";
  const message = `git can't fast-forward the catalog: ${fault}`;
  return { code, severity: "error", message, path: [], line: 1, column: 1, length: 0, hint: explain(code).hint };
}
