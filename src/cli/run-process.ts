import { main } from "./main.ts";
import { EXIT } from "./ui/exit.ts";
import type { Terminal } from "./ui/terminal.ts";

const SIGNALS = ["SIGINT", "SIGTERM"] as const;

/** Runs this process's command line on its own streams and leaves it the exit code. */
export async function runProcess(): Promise<void> {
  const stop = new AbortController();
  let listens = false;
  /** The second one, of either kind, ends the process as a signal does. */
  const end = (): void => {
    stop.abort();
    // Not at once: the package that brings the cursor back ends the process where it finds no other listener beside its own.
    setImmediate(() => {
      for (const name of SIGNALS) process.off(name, end);
    });
  };
  // A reader that has seen enough (`slipway tasks | head -1`) is not an error.
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") throw error;
    stop.abort();
  });
  const terminal: Terminal = {
    stdout: process.stdout,
    stderr: process.stderr,
    stdin: process.stdin,
    get signal() {
      // Not before a command asks: one that has nothing to end ends the way a signal ends any process.
      if (!listens) for (const name of SIGNALS) process.on(name, end);
      listens = true;
      return stop.signal;
    },
    exitCode: EXIT.done,
  };
  await main(process.argv.slice(2), terminal);
  process.exitCode = terminal.exitCode;
}
