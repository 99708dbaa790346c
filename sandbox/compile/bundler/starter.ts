/** Starts processes of the bundler, in the best isolation this machine gives. */
import { findIsolation } from "../../process/find-isolation.ts";
import type { Isolation } from "../../process/isolation.ts";
import type { PrivateFiles } from "../../process/private-files.ts";
import { type BundlerFiles, type BundlerProgram, createBundlerFiles } from "./files.ts";
import { BundlerProcess } from "./process.ts";

export interface StarterOptions {
  /** Replaces the real program: tests of a compromised process. */
  readonly program?: BundlerProgram;
  /** Isolation levels to try, best first; default those this machine was found to give. */
  readonly isolation?: readonly Isolation[];
  /** They may do without a user of their own, and see the host's network. */
  readonly allowWeak: boolean;
}

/** This machine does not give the isolation that is mandatory. */
export class WeakIsolationError extends Error {
  constructor() {
    super("the sandbox is unavailable on this machine: the bundler would lack own user or empty network");
  }
}

/** The files processes are made of, and the isolation around them. */
export class BundlerStarter {
  readonly #home: PrivateFiles<BundlerFiles>;
  readonly #allowWeak: boolean;
  #isolation: readonly Isolation[] | null;
  #closed = false;

  constructor({ program, isolation, allowWeak }: StarterOptions) {
    this.#home = createBundlerFiles(program);
    this.#allowWeak = allowWeak;
    this.#isolation = isolation ?? null;
  }

  /** A process that is ready; rejects where none can be started, by a WeakIsolationError where none may be. */
  async start(): Promise<BundlerProcess> {
    // side by side, because each takes a while
    const [found, files] = await Promise.all([this.#isolation ?? findIsolation(), this.#home.files()]);
    const allowed = this.#allowWeak ? found : found.filter(isStrong);
    let failure: unknown =
      found.length > 0 ? new WeakIsolationError() : new Error("this machine starts no isolated process");
    for (const isolation of allowed) {
      if (this.#closed) break;
      try {
        const started = await BundlerProcess.start(files, isolation);
        // a failure that passes does not weaken the isolation later
        this.#isolation = [isolation];
        return started;
      } catch (error) {
        failure = error;
      }
    }
    throw this.#closed ? new Error("the sandbox is closed") : failure;
  }

  /** Removes the files; the next process finds new ones. */
  async removeFiles(): Promise<void> {
    await this.#home.remove();
  }

  /** Starts no process any more. */
  close(): void {
    this.#closed = true;
  }
}

/** Those of a script's child that are mandatory too. */
function isStrong({ user, network }: Isolation): boolean {
  return user === "own" && network !== "host";
}
