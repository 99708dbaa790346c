/**
 * `npm run try-host`: a guided trial on a real TrueNAS host (docs/real-host.md). Exit codes: 0 every step passed or was
 * skipped for a reason, 1 a step failed or something is left, 2 the command line, 3 the host was not tried.
 */
import { createInterface } from "node:readline/promises";
import { parseOptions, type TryOptions, USAGE, UsageError } from "./try-host/options.ts";
import { tryHost } from "./try-host/run.ts";
import { APP, listPaths, SHARE } from "./try-host/trial-app.ts";

const options = readOptions();
if (options !== null) {
  const signal = listenToSignals(options);
  const terminal = { print: (line: string) => console.log(line), confirm, signal };
  const { ended, steps, left } = await tryHost(options, terminal, new Date());
  process.exitCode = steps.length === 0 ? 3 : ended === "whole" && left.length === 0 ? 0 : 1;
  process.exit();
}

function readOptions(): TryOptions | null {
  if (process.argv.includes("--help")) {
    console.log(USAGE);
    return null;
  }
  try {
    const given = parseOptions(process.argv.slice(2), new Date());
    if (!given.yes && !process.stdin.isTTY) throw new UsageError("nobody can be asked here: agree with --yes");
    return given;
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    console.error(`${error.message}\n\n${USAGE}`);
    process.exitCode = 2;
    return null;
  }
}

/** The first signal ends the trial and cleans up, the second leaves at once. */
function listenToSignals({ location }: TryOptions): AbortSignal {
  const controller = new AbortController();
  const stop = (): void => {
    if (!controller.signal.aborted) {
      console.log("\ninterrupted: cleaning up (once more leaves at once)");
      controller.abort(new Error("interrupted"));
      return;
    }
    const { top } = listPaths(location);
    console.log(
      `left at once: remove the app "${APP}", the share "${SHARE}" and the dataset of "${top}" by hand, if they are there`,
    );
    process.exit(1);
  };
  process.on("SIGINT", stop).on("SIGTERM", stop);
  return controller.signal;
}

async function confirm(question: string): Promise<boolean> {
  const asking = createInterface({ input: process.stdin, output: process.stdout });
  const interrupted = new Promise<string>((resolve) => {
    asking.on("SIGINT", () => {
      process.emit("SIGINT");
      resolve("");
    });
  });
  const answer = await Promise.race([asking.question(`${question} [y/N] `), interrupted]);
  asking.close();
  return /^y(es)?$/i.test(answer.trim());
}
