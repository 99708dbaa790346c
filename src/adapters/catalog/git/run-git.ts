import { spawn } from "node:child_process";
import { isAbsolute } from "node:path";
import type { GitRepository } from "./git-repository.ts";

/** Bytes kept of what git writes to each of its outputs; the rest is read and dropped. */
const OUTPUT_LIMIT = 256 * 1024;

/** Settings no configuration of the checkout can change: they stand on the command line, which is read last. */
const SETTINGS: readonly string[] = [
  "safe.bareRepository=explicit",
  // Programs the content of a checkout could name or bring.
  "core.hooksPath=/dev/null",
  "core.fsmonitor=false",
  "core.attributesFile=/dev/null",
  "core.excludesFile=/dev/null",
  "core.editor=false",
  "core.pager=cat",
  "core.askPass=false",
  "diff.external=",
  // What a tree may put on the disk: no links, no names a file system takes for `.git`.
  "core.symlinks=false",
  "core.protectHFS=true",
  "core.protectNTFS=true",
  "submodule.recurse=false",
  "fetch.recurseSubmodules=false",
  // Nothing goes on after the command.
  "gc.autoDetach=false",
  "maintenance.autoDetach=false",
  "advice.diverging=false",
];

/** Variables of the engine that reach git: where programs, keys and proxies are. */
const PASSED = [
  "HOME",
  "SSH_AUTH_SOCK",
  "http_proxy",
  "https_proxy",
  "HTTPS_PROXY",
  "all_proxy",
  "no_proxy",
  "NO_PROXY",
];

/** How a git command ended. */
export interface GitEnd {
  readonly ok: boolean;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * Runs git on exactly this checkout, in its top folder: no system's and no user's configuration, no hooks, no prompts, no
 * transport but https, http, ssh, git and file, no terminal, and an end after `deadlineMs` for it and what it started.
 * `settings` are further `name=value` settings.
 */
export function runGit(
  { gitDir, workTree }: GitRepository,
  args: readonly string[],
  { deadlineMs, settings = [] }: { readonly deadlineMs: number; readonly settings?: readonly string[] },
): Promise<GitEnd> {
  const child = spawn("git", [...[...SETTINGS, ...settings].flatMap((setting) => ["-c", setting]), ...args], {
    cwd: workTree,
    env: buildEnvironment(gitDir, workTree),
    stdio: ["ignore", "pipe", "pipe"],
    // A group and session of its own: it can be ended whole, and nothing in it can ask at a terminal.
    detached: true,
  });
  const [stdout, stderr] = [keepStart(child.stdout), keepStart(child.stderr)];
  return new Promise((resolve) => {
    let late = false;
    const deadline = setTimeout(() => {
      late = true;
      endGroup(child.pid);
    }, deadlineMs);
    const end = (ok: boolean, reason: string | null): void => {
      clearTimeout(deadline);
      resolve({ ok, stdout: stdout(), stderr: reason ?? stderr() });
    };
    child.once("error", (error) => end(false, `git can't be run: ${error.message}`));
    child.once("exit", () => endGroup(child.pid));
    child.once("close", (code) => end(code === 0, late ? `it took longer than ${deadlineMs / 1000} s` : null));
  });
}

function buildEnvironment(gitDir: string, workTree: string): Record<string, string> {
  const passed = PASSED.flatMap((name) => {
    const value = process.env[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  return {
    ...Object.fromEntries(passed),
    // Git looks its programs up from the work tree: a relative folder would be the author's.
    PATH: (process.env["PATH"] ?? "/usr/bin:/bin").split(":").filter(isAbsolute).join(":"),
    LC_ALL: "C",
    GIT_DIR: gitDir,
    GIT_WORK_TREE: workTree,
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_CONFIG_GLOBAL: "/dev/null",
    GIT_ATTR_NOSYSTEM: "1",
    GIT_ALLOW_PROTOCOL: "https:http:ssh:git:file",
    GIT_TERMINAL_PROMPT: "0",
    GIT_ASKPASS: "false",
    SSH_ASKPASS: "false",
  };
}

/** Keeps the beginning of a stream as text; the rest is read so that its writer never waits. */
function keepStart(stream: NodeJS.ReadableStream): () => string {
  const chunks: Buffer[] = [];
  let kept = 0;
  stream.on("data", (chunk: Buffer) => {
    if (kept >= OUTPUT_LIMIT) return;
    const part = chunk.subarray(0, OUTPUT_LIMIT - kept);
    chunks.push(part);
    kept += part.length;
  });
  return () => Buffer.concat(chunks).toString("utf8");
}

/** Ends git and whatever it left behind in its group. */
function endGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // All of it has ended.
  }
}
