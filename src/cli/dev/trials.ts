import { EngineError } from "../../core/codes/problems.ts";
import { printError, type Terminal } from "../ui/terminal.ts";
import { type Trial, tryScript } from "./try-script.ts";

/** Tries scripts one after the other; what is saved meanwhile ends what is being tried. */
export class Trials {
  readonly #terminal: Terminal;
  readonly #failed: (error: unknown) => void;
  #stop = new AbortController();
  #last: Promise<void> = Promise.resolve();

  /** `failed` is told of a fault that is no script's. */
  constructor(terminal: Terminal, failed: (error: unknown) => void) {
    this.#terminal = terminal;
    this.#failed = failed;
  }

  /** Ends what is being tried and tries these, where there are any. */
  take(trials: readonly Trial[]): void {
    if (trials.length === 0) return;
    this.#stop.abort();
    this.#stop = new AbortController();
    const { stdout, stderr, stdin, signal } = this.#terminal;
    const own: Terminal = {
      ...{ stdout, stderr, stdin, exitCode: 0 },
      signal: AbortSignal.any([signal, this.#stop.signal]),
    };
    this.#last = this.#last.then(() => tryAll(trials, own)).catch(this.#failed);
  }

  /** Ends what is being tried; resolves when nothing of it is left. */
  async close(): Promise<void> {
    this.#stop.abort();
    await this.#last;
  }
}

async function tryAll(trials: readonly Trial[], terminal: Terminal): Promise<void> {
  for (const trial of trials) {
    if (terminal.signal.aborted) return;
    try {
      await tryScript(trial, terminal);
    } catch (error) {
      if (!(error instanceof EngineError)) throw error;
      printError(terminal, error, "text");
    }
  }
}
