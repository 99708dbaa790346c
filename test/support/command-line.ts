import { PassThrough } from "node:stream";
import { text } from "node:stream/consumers";
import { main } from "../../src/cli/main.ts";
import type { Terminal } from "../../src/cli/ui/terminal.ts";

export interface CommandResult {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs one command line in this process, without a terminal, and gives what it wrote. */
export async function runCommand(...args: readonly string[]): Promise<CommandResult> {
  const { terminal, ended } = openCommandTerminal();
  await main(args, terminal);
  return ended();
}

/** Where a command of this process reads and writes; `ended` gives what it wrote. */
export function openCommandTerminal(signal = new AbortController().signal): {
  readonly terminal: Terminal;
  ended(): Promise<CommandResult>;
} {
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
  const terminal: Terminal = { stdin, stdout, stderr, signal, exitCode: 0 };
  const written = [text(stdout), text(stderr)] as const;
  stdin.end();
  return {
    terminal,
    async ended() {
      stdout.end();
      stderr.end();
      return { exitCode: terminal.exitCode, stdout: await written[0], stderr: await written[1] };
    },
  };
}
