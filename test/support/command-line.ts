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
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
  const terminal: Terminal = { stdin, stdout, stderr, signal: new AbortController().signal, exitCode: 0 };
  const written = [text(stdout), text(stderr)] as const;
  stdin.end();
  await main(args, terminal);
  stdout.end();
  stderr.end();
  return { exitCode: terminal.exitCode, stdout: await written[0], stderr: await written[1] };
}
