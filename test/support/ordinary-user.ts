/** Programs of this checkout as an ordinary user runs them: no capabilities, no home, and a checkout they can't write. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { chownSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
/** nobody; where the tests do not run as root their own user is an ordinary one already. */
const NOBODY = 65_534;
export const IS_ROOT = process.getuid?.() === 0;

export interface OrdinaryUser {
  /** A folder of theirs, which is their working folder and the one for temporary files. */
  readonly folder: string;
  /** Starts a program by its path in the checkout, with more variables of the environment. */
  start(program: string, args: readonly string[], env?: Readonly<Record<string, string>>): ChildProcess;
  /** Runs one to its end. */
  run(
    program: string,
    args: readonly string[],
    env?: Readonly<Record<string, string>>,
  ): Promise<{ readonly exitCode: number | null; readonly stdout: string; readonly stderr: string }>;
  /** Removes the folder. */
  remove(): void;
}

/** Makes the user's folder. */
export function createOrdinaryUser(): OrdinaryUser {
  const folder = mkdtempSync(join(tmpdir(), "slipway-user-"));
  const ids = IS_ROOT ? { uid: NOBODY, gid: NOBODY } : {};
  if (IS_ROOT) chownSync(folder, NOBODY, NOBODY);
  const start: OrdinaryUser["start"] = (program, args, env = {}) =>
    spawn(process.execPath, [join(ROOT, program), ...args], {
      cwd: folder,
      env: { PATH: process.env["PATH"] ?? "", HOME: "/nonexistent", TMPDIR: folder, ...env },
      stdio: ["ignore", "pipe", "pipe"],
      ...ids,
    });
  return {
    folder,
    start,
    async run(program, args, env) {
      const child = start(program, args, env);
      const [stdout, stderr] = await Promise.all([
        child.stdout === null ? "" : text(child.stdout),
        child.stderr === null ? "" : text(child.stderr),
        once(child, "close"),
      ]);
      return { exitCode: child.exitCode, stdout, stderr };
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
