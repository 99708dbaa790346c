/**
 * The child process of a script as its parent holds it: start, frames, kill.
 *
 * Invariants:
 * 1. Nothing it sends is parsed past `CHILD_FRAME_LIMITS`, and nothing at all after `kill`.
 * 2. `exited` settles once, after the process has been reaped, its pipes are closed and its user is given back.
 * 3. However much it sends, the parent's thread has other work between a few ms of it; what is not heard waits in the pipe.
 * 4. Its exit is told after what it sent before.
 */
import { Socket } from "node:net";
import { setImmediate as nextTick } from "node:timers/promises";
import { CHILD_FRAME_LIMITS, CHILD_LIMITS } from "../limits.ts";
import { IsolatedProcess, type ProcessExit } from "../process/isolated-process.ts";
import type { Isolation } from "../process/isolation.ts";
import type { ProcessUse } from "../process/use.ts";
import type { ParentMessage } from "../protocol/child-messages.ts";
import { encodeFrame, type Frame, FrameReader } from "../protocol/frames.ts";
import { CHILD_GID, type ChildFiles } from "./child-program.ts";

/** Most bytes kept of what a child writes to stderr. */
const STDERR_BYTES = 4096;

/** Most ms between the end of a process's pipe and the news of its exit. */
const EXIT_MS = 500;

/** Most ms of frames heard at a stretch. */
const HEARING_MS = 5;

/** Who listens to a child at present. */
export interface ChildListener {
  frame(frame: Frame): void;
  /** The child broke the frame format or its limits; it is to be killed. */
  broken(error: Error): void;
  exit(exit: ProcessExit): void;
}

/** A spawned child; nobody listens to it until `listen`. */
export class SandboxChild {
  readonly exited: Promise<ProcessExit>;
  readonly isolated: IsolatedProcess;
  readonly #pipe: Socket | null;
  #listener: ChildListener | null = null;
  #killed = false;
  #heard: Promise<void> = Promise.resolve();
  #stderr = "";

  constructor({ program, root }: ChildFiles, isolation: Isolation) {
    this.isolated = new IsolatedProcess(
      {
        argv: [
          program.execPath,
          "--no-node-snapshot",
          "--jitless",
          `--stack-size=${CHILD_LIMITS.scriptStackKb}`,
          "--permission",
          "--disable-warning=PERM0001",
          "--allow-addons",
          `--allow-fs-read=${program.path}`,
          ...program.flags,
          program.path,
          program.addon,
        ],
        limits: CHILD_LIMITS,
        root,
        gid: CHILD_GID,
        stdio: ["ignore", "ignore", "pipe", "pipe"],
      },
      isolation,
    );
    const { stderr, stdio } = this.isolated.process;
    this.exited = this.#watchExit();
    stderr?.on("data", (chunk: Buffer) => {
      if (this.#stderr.length < STDERR_BYTES) this.#stderr += chunk.toString("latin1").slice(0, STDERR_BYTES);
    });
    const pipe = stdio[3];
    this.#pipe = pipe instanceof Socket ? pipe : null;
    this.#readFrames();
  }

  /** Process id of the program; null when it could not be started or is gone. */
  get pid(): number | null {
    return this.isolated.pid;
  }

  /** Its use and that of all it has started; null when they are gone. */
  use(): ProcessUse | null {
    return this.isolated.use();
  }

  /** Start of what it wrote to stderr: for the log of the engine, never for users. */
  get stderr(): string {
    return this.#stderr;
  }

  listen(listener: ChildListener | null): void {
    this.#listener = listener;
  }

  send(message: ParentMessage, body?: Uint8Array): void {
    if (this.#killed || this.#pipe === null) return;
    for (const part of encodeFrame(JSON.stringify(message), body)) this.#pipe.write(part);
  }

  /** Keeps the process from holding the parent's event loop open (the warm child), or lets it again. */
  hold(held: boolean): void {
    const { process } = this.isolated;
    for (const handle of [process, this.#pipe, process.stderr]) {
      if (handle instanceof Socket || handle === process) held ? handle.ref() : handle.unref();
    }
  }

  kill(): void {
    if (this.#killed) return;
    this.#killed = true;
    this.isolated.kill();
    this.#pipe?.destroy();
    this.isolated.process.stderr?.destroy();
  }

  #readFrames(): void {
    const pipe = this.#pipe;
    if (pipe === null) return;
    const reader = new FrameReader(CHILD_FRAME_LIMITS);
    let until = 0;
    const hear = (frames: Generator<Frame, void>): boolean => {
      // what is delivered for what is heard leaves in one write
      pipe.cork();
      try {
        for (let next = frames.next(); !next.done; next = frames.next()) {
          if (this.#killed) return true;
          this.#listener?.frame(next.value);
          if (performance.now() > until) return false;
        }
      } catch (error) {
        this.#listener?.broken(error instanceof Error ? error : new Error(String(error)));
      } finally {
        pipe.uncork();
      }
      return true;
    };
    const hearRest = async (frames: Generator<Frame, void>): Promise<void> => {
      pipe.pause();
      do {
        await nextTick();
        until = performance.now() + HEARING_MS;
      } while (!hear(frames));
      pipe.resume();
    };
    pipe.on("data", (chunk: Buffer) => {
      // several chunks come in one stretch
      if (until === 0) {
        until = performance.now() + HEARING_MS;
        setImmediate(() => {
          until = 0;
        });
      }
      const frames = reader.push(chunk);
      if (!hear(frames)) this.#heard = hearRest(frames);
    });
    pipe.on("error", () => pipe.destroy());
    // the pipe of a process that ends closes before its exit is known
    pipe.once("close", () => {
      const late = setTimeout(() => this.#listener?.broken(new Error("the pipe was closed")), EXIT_MS);
      void this.exited.then(() => clearTimeout(late));
    });
  }

  async #watchExit(): Promise<ProcessExit> {
    const exit = await this.isolated.ended;
    await this.#heard;
    this.#pipe?.destroy();
    this.#listener?.exit(exit);
    return this.isolated.exited;
  }
}
