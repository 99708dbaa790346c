/**
 * The process that checks files of a catalog, as the engine holds it: started with limits, given one file at a time,
 * killed. It does nothing but parse, so it has no isolation beside the limits.
 */

import { Socket } from "node:net";
import { extname } from "node:path";
import { fileURLToPath } from "node:url";
import type { ProcessLimits } from "../../../../sandbox/process/command.ts";
import { IsolatedProcess, type ProcessExit } from "../../../../sandbox/process/isolated-process.ts";
import { NO_ISOLATION } from "../../../../sandbox/process/isolation.ts";
import { encodeFrame, type Frame, FrameReader } from "../../../../sandbox/protocol/frames.ts";
import { readMessage } from "../../../core/json/read-message.ts";
import type { ReadSource } from "../script-source.ts";
import type { CheckRequest } from "./check-file.ts";
import { CHECK_FRAME_LIMITS, type CheckMessage, type CheckOrder } from "./check-messages.ts";

/** Bounds for one file, and for the process together. */
export interface CheckLimits {
  /** Ms from the hand-over to the result, script files and their TypeScript included. */
  readonly deadlineMs: number;
  /** MB of the process's heap. */
  readonly heapMb: number;
}

/** Whom the process tells. */
export interface CheckOwner {
  readonly readSource: ReadSource;
  /** The file at hand is settled: the text of the answer, or why there is none. */
  settled(settled: Settled): void;
  /** It has ended by itself, or by a file. `answers`: how many files it has been done with. */
  ended(end: { readonly reason: string; readonly wasReady: boolean; readonly answers: number }): void;
}

/** The answer about one file, or why there is none. */
export type Settled = { readonly text: string } | { readonly reason: string };

/** Files a process that has proved itself is given ahead of its answers. */
const AHEAD = 8;
/** MB of a process beside its heap. */
const BESIDE_HEAP_MB = 100;
/** Most MB of what is new in the heap. */
const YOUNG_MB = 16;
const LIMITS: Omit<ProcessLimits, "memoryMb"> = {
  // the heap has a limit of its own; with less room the JIT does not start
  dataKb: 4_000_000,
  // a process that has worked so long is replaced, and the file it was at is tried again
  cpuS: 60,
  files: 128,
  fileBlocks: 0,
  processes: 64,
};

/** A process that has been started. */
export class CheckProcess {
  readonly #isolated: IsolatedProcess;
  readonly #pipe: Socket | null;
  readonly #limits: CheckLimits;
  readonly #owner: CheckOwner;
  /** Files it has or is to be given, the one it is at first. */
  readonly #files: CheckRequest[] = [];
  #deadline: NodeJS.Timeout | undefined;
  #wasReady = false;
  #answers = 0;
  /** Why it was killed. */
  #reason: string | null = null;
  #isEnding = false;

  /** Starts a process for the catalog at `root`. */
  constructor(root: string, limits: CheckLimits, owner: CheckOwner) {
    this.#limits = limits;
    this.#owner = owner;
    const { heapMb } = limits;
    const program = fileURLToPath(new URL(`./catalog-check-program${extname(import.meta.url)}`, import.meta.url));
    const heap = [`--max-old-space-size=${heapMb}`, `--max-semi-space-size=${YOUNG_MB}`];
    const isolated = new IsolatedProcess(
      {
        argv: [process.execPath, ...heap, program, root],
        limits: { ...LIMITS, memoryMb: heapMb + BESIDE_HEAP_MB },
        root: null,
        stdio: ["ignore", "ignore", "ignore", "pipe"],
      },
      // the engine's own user, which may read the catalog
      NO_ISOLATION,
    );
    this.#isolated = isolated;
    const pipe = isolated.process.stdio[3];
    this.#pipe = pipe instanceof Socket ? pipe : null;
    this.#readFrames();
    void isolated.exited.then((exit) => {
      clearTimeout(this.#deadline);
      if (this.#isEnding) return;
      owner.ended({
        reason: this.#reason ?? describeExit(exit, heapMb),
        wasReady: this.#wasReady,
        answers: this.#answers,
      });
    });
  }

  /** It may be given another file: the first alone, so that it is to blame for itself, then some ahead. */
  get hasRoom(): boolean {
    return this.#files.length < (this.#answers === 0 ? 1 : AHEAD);
  }

  /** Gives it a file, after those it has. */
  ask(request: CheckRequest): void {
    this.#files.push(request);
    if (this.#wasReady) this.#handOver(request);
    if (this.#files.length === 1) this.#startDeadline();
  }

  /** Ends it; resolves when it is gone. Its owner is told nothing more. */
  async end(): Promise<void> {
    this.#isEnding = true;
    this.#isolated.kill();
    await this.#isolated.exited;
  }

  #handOver({ text, ...request }: CheckRequest): void {
    this.#say({ t: "check", request }, text);
  }

  /** Of the file it is at. */
  #startDeadline(): void {
    clearTimeout(this.#deadline);
    if (!this.#wasReady || this.#files.length === 0) return;
    const { deadlineMs } = this.#limits;
    this.#deadline = setTimeout(() => this.#stop(`it takes longer than ${deadlineMs / 1_000} s to check`), deadlineMs);
  }

  #take({ header, body }: Frame): void {
    const message: CheckMessage = JSON.parse(header);
    const text = body.toString("utf8");
    if (message.t === "ready") {
      this.#wasReady = true;
      for (const file of this.#files) this.#handOver(file);
      this.#startDeadline();
    } else if (message.t === "source") {
      void this.#owner.readSource(text).then((facts) => this.#say({ t: "facts", facts }));
    } else this.#settle(message.t === "answer" ? { text } : { reason: describeFailure(message.message) });
  }

  #settle(outcome: Settled): void {
    this.#files.shift();
    this.#answers += 1;
    this.#startDeadline();
    this.#owner.settled(outcome);
  }

  #stop(reason: string): void {
    this.#reason ??= reason;
    this.#isolated.kill();
  }

  #say(order: CheckOrder, text = ""): void {
    if (this.#pipe?.writable !== true) return;
    for (const part of encodeFrame(JSON.stringify(order), Buffer.from(text))) this.#pipe.write(part);
  }

  #readFrames(): void {
    const reader = new FrameReader(CHECK_FRAME_LIMITS);
    this.#pipe?.on("data", (chunk: Buffer) => {
      try {
        for (const frame of reader.push(chunk)) if (this.#reason === null && !this.#isEnding) this.#take(frame);
      } catch (error) {
        this.#stop(describeFailure(readMessage(error)));
      }
    });
    this.#pipe?.on("error", () => this.#pipe?.destroy());
  }
}

function describeFailure(message: string): string {
  return `it can't be checked: ${message}`;
}

/** A heap that is full ends by SIGABRT, a memory group that is full by SIGKILL. */
function describeExit({ code, signal, error }: ProcessExit, heapMb: number): string {
  if (error !== undefined) return error;
  if (signal === "SIGABRT" || signal === "SIGKILL") return `it takes more than ${heapMb} MB to check`;
  return `the process that checks it ended with ${signal ?? code}`;
}
