import { spawn } from "node:child_process";
import { isAbsolute } from "node:path";
import type { GitRepository } from "./git-repository.ts";

/** Most bytes of output where the command sets no limit; bytes kept of the error output. */
const OUTPUT_LIMIT = 256 * 1024;
/** Most private memory of one git process, KB. */
const DATA_KB = 512 * 1024;
/** Most bytes of one file git writes: a pack that is fetched, or a file of the checkout. */
const FILE_BYTES = 256 * 1024 * 1024;

/** Runs git under these limits, or lower ones the engine already has. One `ulimit` each: dash takes one option. */
const LIMITED_GIT = [
  "ulimit -c 0",
  `{ ulimit -d ${DATA_KB} 2>/dev/null || true; }`,
  `{ ulimit -f ${FILE_BYTES / 512} 2>/dev/null || true; }`,
  'exec git "$@"',
].join("; ");
/** Exit code of a shell that finds no program of that name. */
const NO_PROGRAM = 127;

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
  // Large files are streamed and what is fetched stays one pack, so that it is never all in memory.
  "core.bigFileThreshold=8m",
  "fetch.unpackLimit=1",
  "pack.threads=1",
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

/** Transports a command may use where it says nothing else. */
const TRANSPORTS = "https:http:ssh:git:file";

/** How a git command is run. */
export interface GitOptions {
  /** Ms it may take. */
  readonly deadlineMs: number;
  /** Further `name=value` settings. */
  readonly settings?: readonly string[];
  /** Most bytes of its output: git is ended where it writes more. */
  readonly stdoutBytes?: number;
  /** Nothing is fetched: a repository can name a program for that, and say that its objects lie elsewhere. */
  readonly offline?: boolean;
  /** Ends it early. */
  readonly signal?: AbortSignal | undefined;
}

/** How a git command ended. */
export interface GitEnd {
  readonly ok: boolean;
  /** Whether there is a git to run. */
  readonly ran: boolean;
  /** Whether it was ended as it wrote more than `stdoutBytes`. */
  readonly cut: boolean;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * Runs git on exactly this checkout, in its top folder: no system's and no user's configuration, no hooks, no prompts, no
 * transport but https, http, ssh, git and file, no terminal, limits on its memory and on each file it writes, and an end
 * after `deadlineMs` for it and what it started.
 */
export function runGit(
  { gitDir, workTree }: GitRepository,
  args: readonly string[],
  { deadlineMs, settings = [], stdoutBytes = OUTPUT_LIMIT, offline = false, signal }: GitOptions,
): Promise<GitEnd> {
  const configured = [...SETTINGS, ...settings].flatMap((setting) => ["-c", setting]);
  const child = spawn("/bin/sh", ["-c", LIMITED_GIT, "git", ...configured, ...args], {
    cwd: workTree,
    env: { ...buildEnvironment(gitDir, workTree), GIT_ALLOW_PROTOCOL: offline ? "none" : TRANSPORTS },
    stdio: ["ignore", "pipe", "pipe"],
    // A group and session of its own: it can be ended whole, and nothing in it can ask at a terminal.
    detached: true,
  });
  let cut = false;
  const stdout = keepStart(child.stdout, stdoutBytes, () => {
    cut = true;
    endGroup(child.pid);
  });
  const stderr = keepStart(child.stderr, OUTPUT_LIMIT);
  return new Promise((resolve) => {
    let late = false;
    const deadline = setTimeout(() => {
      late = true;
      endGroup(child.pid);
    }, deadlineMs);
    const stop = (): void => endGroup(child.pid);
    signal?.addEventListener("abort", stop);
    if (signal?.aborted === true) stop();
    const explainEnd = (): string | null => {
      if (late) return `it took longer than ${deadlineMs / 1000} s`;
      return cut ? `it wrote more than ${stdoutBytes} bytes` : null;
    };
    const end = (how: Pick<GitEnd, "ok" | "ran">, reason: string | null): void => {
      clearTimeout(deadline);
      signal?.removeEventListener("abort", stop);
      resolve({ ...how, cut, stdout: stdout(), stderr: reason ?? stderr() });
    };
    child.once("error", (error) => end({ ok: false, ran: false }, `git can't be run: ${error.message}`));
    child.once("exit", () => endGroup(child.pid));
    child.once("close", (code) => {
      if (code === NO_PROGRAM) end({ ok: false, ran: false }, "git can't be run: no folder of PATH has it");
      else end({ ok: code === 0, ran: true }, explainEnd());
    });
  });
}

/** The line that says why git failed, without the credentials an address may hold. */
export function findReason({ stderr }: GitEnd): string {
  const lines = stderr.split("\n").filter((line) => line.trim() !== "");
  const line = lines.find((candidate) => /^(fatal|error):/.test(candidate)) ?? lines[0];
  return line?.replace(/\/\/[^/@\s]*@/g, "//") ?? "git gave no reason";
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
    GIT_TERMINAL_PROMPT: "0",
    GIT_ASKPASS: "false",
    SSH_ASKPASS: "false",
  };
}

/** Keeps the beginning of a stream as text; the rest is read so that its writer never waits. */
function keepStart(stream: NodeJS.ReadableStream | undefined, most: number, onMore?: () => void): () => string {
  const chunks: Buffer[] = [];
  let kept = 0;
  // a process that could not be started for want of descriptors has none
  stream?.on("data", (chunk: Buffer) => {
    const isMore = kept + chunk.length > most;
    if (kept < most) chunks.push(chunk.subarray(0, most - kept));
    kept = Math.min(most, kept + chunk.length);
    if (isMore) onMore?.();
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
