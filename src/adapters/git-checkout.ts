import { execFile } from "node:child_process";
import { explain } from "../core/codes.ts";
import type { Problem } from "../core/problems.ts";
import type { Catalog } from "../engine/ports/catalog.ts";

/** Ms git may take. */
const PULL_TIMEOUT_MS = 60_000;

/**
 * A catalog directory that is a git checkout: `sync` fast-forwards it before the files are read. A pull that fails is a
 * problem of the sync, `CATALOG_PULL_FAILED`, and the files are read as they are.
 */
export function pullBeforeSync(catalog: Catalog): Catalog {
  let running: ReturnType<Catalog["sync"]> | null = null;
  const pullAndSync: Catalog["sync"] = async () => {
    const fault = await pull(catalog.root);
    const changes = await catalog.sync();
    if (fault === null) return changes;
    return { ...changes, problems: [...changes.problems, { file: ".git", problems: [pullProblem(fault)] }] };
  };
  return {
    ...catalog,
    sync: () => {
      running ??= pullAndSync().finally(() => {
        running = null;
      });
      return running;
    },
  };
}

/** Fast-forwards a checkout; resolves with git's words when it can't. Runs no hook of the checkout and asks nobody. */
function pull(root: string): Promise<string | null> {
  const args = ["-c", "core.hooksPath=/dev/null", "-c", "core.fsmonitor=false", "pull", "--ff-only", "--quiet"];
  const env = { ...process.env, GIT_TERMINAL_PROMPT: "0", GIT_ASKPASS: "true", SSH_ASKPASS: "true", LC_ALL: "C" };
  return new Promise((resolve) => {
    execFile("git", args, { cwd: root, env, timeout: PULL_TIMEOUT_MS, killSignal: "SIGKILL" }, (error, _, stderr) => {
      if (error === null) resolve(null);
      else if (error.killed === true) resolve(`it took longer than ${PULL_TIMEOUT_MS / 1000} s`);
      else resolve(reasonOf(stderr) ?? error.message);
    });
  });
}

/** The line that says why, without the credentials an address may hold. */
function reasonOf(stderr: string): string | undefined {
  const lines = stderr.split("\n").filter((line) => line.trim() !== "");
  const line = lines.find((candidate) => /^(fatal|error):/.test(candidate)) ?? lines[0];
  return line?.replace(/\/\/[^/@\s]*@/g, "//");
}

function pullProblem(fault: string): Problem {
  const code = "CATALOG_PULL_FAILED";
  const message = `git can't fast-forward the catalog: ${fault}`;
  return { code, severity: "error", message, path: [], line: 1, column: 1, length: 0, hint: explain(code).hint };
}
