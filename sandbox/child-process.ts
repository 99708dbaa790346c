/**
 * A child process as its parent holds it: spawn, frames, kill.
 *
 * Invariants:
 * 1. Nothing it sends is parsed past `CHILD_FRAME_LIMITS`, and nothing at all after `kill`.
 * 2. `kill` ends the whole process group, and everything else of the child's own user.
 * 3. `exited` settles once, after the process has been reaped, its pipes are closed and its user is given back.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { Socket } from "node:net";
import type { ChildProgram } from "./bundle-child.ts";
import { childCommand, type Walls } from "./child-command.ts";
import type { ParentMessage } from "./child-messages.ts";
import { claimUser, releaseUser } from "./child-users.ts";
import { encodeFrame, type Frame, FrameReader } from "./frames.ts";
import { CHILD_FRAME_LIMITS } from "./limits.ts";

/** Most bytes kept of what a child writes to stderr. */
const STDERR_BYTES = 4096;

/** Most ms between the end of a process's pipe and the news of its exit. */
const EXIT_MS = 500;

/** How a process ended. */
export interface ChildExit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  /** The process could not be started. */
  readonly error?: string;
}

/** Who listens to a child at present. */
export interface ChildListener {
  frame(frame: Frame): void;
  /** The child broke the frame format or its limits; it is to be killed. */
  broken(error: Error): void;
  exit(exit: ChildExit): void;
}

/** A spawned child; nobody listens to it until `listen`. */
export class SandboxChild {
  readonly exited: Promise<ChildExit>;
  readonly walls: Walls;
  readonly #process: ChildProcess;
  readonly #pipe: Socket | null;
  readonly #uid: number | null;
  #listener: ChildListener | null = null;
  #killed = false;
  #stderr = "";

  constructor(program: ChildProgram, walls: Walls) {
    this.walls = walls;
    this.#uid = walls.user === "own" ? claimUser() : null;
    const [command, args] = childCommand({
      walls,
      uid: this.#uid,
      execPath: program.execPath,
      bundle: program.path,
      addon: program.addon,
      flags: program.flags,
    });
    this.#process = spawn(command, args, {
      cwd: "/",
      env: { TZ: "UTC" },
      stdio: ["ignore", "ignore", "pipe", "pipe"],
      detached: true,
    });
    this.exited = this.#watchExit();
    this.#process.stderr?.on("data", (chunk: Buffer) => {
      if (this.#stderr.length < STDERR_BYTES) this.#stderr += chunk.toString("latin1").slice(0, STDERR_BYTES);
    });
    const pipe = this.#process.stdio[3];
    this.#pipe = pipe instanceof Socket ? pipe : null;
    this.#readFrames();
  }

  /** Process id; null when it could not be started. */
  get pid(): number | null {
    return this.#process.pid ?? null;
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

  /** Keeps the process from holding the parent's event loop open (the warm spare), or lets it again. */
  hold(held: boolean): void {
    const handles = [this.#process, this.#pipe, this.#process.stderr];
    for (const handle of handles) {
      if (handle instanceof Socket || handle === this.#process) held ? handle.ref() : handle.unref();
    }
  }

  kill(): void {
    if (this.#killed) return;
    this.#killed = true;
    const { pid } = this;
    if (pid !== null && this.#process.exitCode === null && this.#process.signalCode === null) {
      try {
        process.kill(-pid, "SIGKILL");
      } catch {
        // the group is gone, or the chain of execs has not made it yet
        this.#process.kill("SIGKILL");
      }
    }
    this.#pipe?.destroy();
    this.#process.stderr?.destroy();
  }

  #readFrames(): void {
    const pipe = this.#pipe;
    if (pipe === null) return;
    const reader = new FrameReader(CHILD_FRAME_LIMITS);
    pipe.on("data", (chunk: Buffer) => {
      try {
        for (const frame of reader.push(chunk)) {
          if (this.#killed) return;
          this.#listener?.frame(frame);
        }
      } catch (error) {
        this.#listener?.broken(error instanceof Error ? error : new Error(String(error)));
      }
    });
    pipe.on("error", () => pipe.destroy());
    // the pipe of a process that ends closes before its exit is known
    pipe.once("close", () => {
      const late = setTimeout(() => this.#listener?.broken(new Error("the pipe was closed")), EXIT_MS);
      void this.exited.then(() => clearTimeout(late));
    });
  }

  #watchExit(): Promise<ChildExit> {
    const { promise, resolve } = Promise.withResolvers<ChildExit>();
    const end = (exit: ChildExit): void => {
      this.#pipe?.destroy();
      this.#listener?.exit(exit);
      const swept = this.#uid === null ? Promise.resolve() : releaseUser(this.#uid);
      void swept.finally(() => resolve(exit));
    };
    this.#process.once("error", (error) => end({ code: null, signal: null, error: error.message }));
    this.#process.once("exit", (code, signal) => end({ code, signal }));
    return promise;
  }
}
