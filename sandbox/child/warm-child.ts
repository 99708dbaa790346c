/** The warm child: one child ready to run, replaced in the background, dropped when nobody needs it. */
import type { SandboxChild } from "./child-process.ts";

/** How long an unused warm child is kept, ms. */
const IDLE_MS = 60_000;
/** How long a run that works has the machine to itself before the next one is started, ms: a start computes for 60. */
const LATER_MS = 25;

/** Keeps at most one ready child. */
export class WarmChild {
  readonly #make: () => Promise<SandboxChild>;
  readonly #isReplaced: boolean;
  #ready: SandboxChild | null = null;
  #making: Promise<void> | null = null;
  #idle: NodeJS.Timeout | undefined;
  #later: NodeJS.Timeout | undefined;
  #closed = false;

  /** `make` answers a child that is ready to run; one that is taken `isReplaced` or not. */
  constructor(make: () => Promise<SandboxChild>, isReplaced = true) {
    this.#make = make;
    this.#isReplaced = isReplaced;
  }

  /** The warm child if there is one, else a new one; the next is made once it is `atWork`. */
  async take(atWork: Promise<void>): Promise<SandboxChild> {
    const child = this.#ready;
    this.#release();
    if (child === null) return this.#make();
    child.hold(true);
    child.listen(null);
    if (this.#isReplaced) void atWork.then(() => this.#warmLater());
    return child;
  }

  #warmLater(): void {
    if (this.#closed) return;
    this.#later ??= setTimeout(() => {
      this.#later = undefined;
      this.#warm();
    }, LATER_MS).unref();
  }

  /** Makes a warm child in the background unless there is one. */
  #warm(): void {
    if (this.#closed || this.#ready !== null || this.#making !== null) return;
    this.#making = this.#make()
      .then(
        (child) => this.put(child),
        // the next run makes its own and reports why it can't
        () => undefined,
      )
      .finally(() => {
        this.#making = null;
      });
  }

  /** Keeps a ready child as the warm one; one that is not needed is killed, which is waited for. */
  async put(child: SandboxChild): Promise<void> {
    if (this.#closed || this.#ready !== null) {
      child.kill();
      await child.exited;
      return;
    }
    const drop = (): void => {
      if (this.#ready === child) this.#release();
      child.kill();
    };
    child.listen({ frame: drop, broken: drop, exit: drop });
    child.hold(false);
    this.#ready = child;
    this.#idle = setTimeout(drop, IDLE_MS).unref();
  }

  /** Kills the warm child; resolves when its process is gone. */
  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#later);
    const child = this.#ready;
    this.#release();
    child?.hold(true);
    child?.kill();
    await child?.exited;
    await this.#making;
  }

  #release(): void {
    clearTimeout(this.#idle);
    this.#ready = null;
  }
}
