/** Commands in a pseudo terminal. */
import { spawn, spawnSync } from "node:child_process";
import { stripVTControlCharacters } from "node:util";
import { mainScript } from "./slipway-process.ts";
import { WITHIN_MS } from "./within.ts";

/** util-linux: runs a command in a pseudo terminal. */
export const hasTerminal = spawnSync("script", ["--version"]).status === 0;
if (!hasTerminal) console.warn("skipped: no `script` of util-linux on this machine to make a pseudo terminal with");

/** A command in a pseudo terminal. */
export interface TerminalSession {
  /** Waits for a text after what was waited for before, then types. */
  answer(prompt: string, keys: string): Promise<void>;
  /** Waits for the end; gives the exit code and all that was shown, without escape codes. */
  end(): Promise<{ readonly exitCode: number | null; readonly shown: string }>;
}

/** Keys. */
export const DOWN = "\u001b[B";
export const CTRL_C = "\u0003";

/** Starts a command. */
export function openTerminal(args: readonly string[]): TerminalSession {
  const words = [process.execPath, mainScript(), ...args].map((word) => `'${word}'`).join(" ");
  const child = spawn("script", ["-qec", `stty rows 50 cols 200; exec ${words}`, "/dev/null"], {
    stdio: ["pipe", "pipe", "ignore"],
    env: { ...process.env, TERM: "xterm", FORCE_COLOR: "0", COLUMNS: "200" },
  });
  let raw = "";
  let seen = 0;
  let wake = (): void => {};
  let exitCode: number | null | undefined;
  const late = AbortSignal.timeout(WITHIN_MS);
  late.addEventListener("abort", () => wake());
  child.stdout.on("data", (chunk: Buffer) => {
    raw += chunk;
    wake();
  });
  child.once("close", (code) => {
    exitCode = code;
    wake();
  });
  const until = async <T>(look: () => T | undefined): Promise<T> => {
    for (;;) {
      const found = look();
      if (found !== undefined) return found;
      if (late.aborted) throw new Error(`nothing more came:\n${shown()}`);
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  };
  const shown = (): string => stripVTControlCharacters(raw);
  return {
    async answer(prompt, keys) {
      await until(() => {
        const at = shown().indexOf(prompt, seen);
        if (at === -1 && exitCode !== undefined) throw new Error(`ended without asking "${prompt}":\n${shown()}`);
        if (at === -1) return undefined;
        seen = at + prompt.length;
        return at;
      });
      child.stdin.write(keys);
    },
    async end() {
      const code = await until(() => (exitCode === undefined ? undefined : { exitCode }));
      return { ...code, shown: shown() };
    },
  };
}
