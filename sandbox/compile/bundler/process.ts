/**
 * One process of the bundler as the engine holds it: started in isolation, given a script, killed.
 *
 * Invariants:
 * 1. Nothing it says is believed before a schema has passed it (answers.ts), and nothing is heard after `kill`.
 * 2. What it can make the engine hold is bounded: one question is looked up at a time, and a file is sent once.
 */
import { Socket } from "node:net";
import type { ProcessLimits } from "../../process/command.ts";
import { IsolatedProcess } from "../../process/isolated-process.ts";
import type { Isolation } from "../../process/isolation.ts";
import { encodeFrame, type Frame, FrameReader } from "../../protocol/frames.ts";
import { BUNDLE_BYTES } from "../bundle-files.ts";
import type { BundlerFiles } from "./files.ts";
import {
  type BundlerAnswer,
  type BundlerCode,
  type BundlerMessage,
  type BundlerOrder,
  type BundlerRequest,
  MAP_BYTES,
} from "./messages.ts";

const MB = 1024 * 1024;

/** Of the process and what it starts: Node, and esbuild. */
const LIMITS: ProcessLimits = {
  dataKb: 500_000,
  memoryMb: 512,
  cpuS: 60,
  files: 64,
  fileBlocks: 0,
  processes: 128,
};
/** Of a frame from it: the bundle's code, and its source map's mappings. */
const FRAME_LIMITS = { header: MB, frame: BUNDLE_BYTES + MAP_BYTES + MB } as const;
/** Most questions about one script, and characters of them. */
const ASKS = 5_000;
const ASK_CHARACTERS = MB;
/** Most ms from spawn to ready. */
const READY_MS = 10_000;
/** Most ms between the end of its pipe and the news of its exit. */
const EXIT_MS = 500;
/** Most characters kept of what it writes to stderr. */
const STDERR = 4_096;

/** A script to work on. */
export interface BundleTask {
  readonly order: BundlerRequest;
  /** The text the order is about. */
  readonly text: string;
  /** Finds what an import names, seen from a file of the catalog (empty: from inline code). */
  find(specifier: string, from: string): Promise<ServedFile>;
}

/** A file for the process (`text` null where it has it already), or why there is none. */
export type ServedFile =
  | { readonly ok: true; readonly path: string; readonly text: string | null }
  | { readonly ok: false; readonly code: BundlerCode; readonly message: string };

/** The end of a request about a script: the process's answer, or how it failed. */
export type BundleOutcome =
  | { readonly kind: "answered"; readonly answer: BundlerAnswer; readonly body: Buffer }
  /** It ended, took longer than allowed, or said what an honest one does not say; it has been killed. */
  | { readonly kind: "died" | "late" | "hostile"; readonly message: string };

/** A started process. */
export class BundlerProcess {
  readonly #isolated: IsolatedProcess;
  readonly #pipe: Socket | null;
  readonly #ready = Promise.withResolvers<void>();
  #stderr = "";
  #alive = true;
  #hear: (message: BundlerMessage, frame: Frame) => void = (message) => {
    if (message.t === "ready") this.#ready.resolve();
    else this.#fail("hostile", "it spoke before it was ready");
  };
  #fail: (kind: "died" | "hostile", message: string) => void = (_, message) => this.#ready.reject(new Error(message));

  constructor({ program, esbuild, root }: BundlerFiles, isolation: Isolation) {
    const argv = [
      process.execPath,
      "--jitless",
      "--permission",
      "--disable-warning=PERM0001",
      "--disable-warning=SecurityWarning",
      "--allow-child-process",
      `--allow-fs-read=${program.path}`,
      `--allow-fs-read=${esbuild}`,
      ...program.flags,
      program.path,
      esbuild,
    ];
    const stdio = ["ignore", "ignore", "pipe", "pipe"] as const;
    this.#isolated = new IsolatedProcess({ argv, limits: LIMITS, root, stdio: [...stdio] }, isolation);
    const { process: child } = this.#isolated;
    child.stderr?.on("data", (chunk: Buffer) => {
      if (this.#stderr.length < STDERR) this.#stderr += chunk.toString("latin1").slice(0, STDERR);
    });
    const pipe = child.stdio[3];
    this.#pipe = pipe instanceof Socket ? pipe : null;
    this.#listen();
    // what it wrote last is still on its way when its exit is known
    child.once("close", (code, signal) => {
      const how = signal ?? `exit code ${code}`;
      this.#fail(
        "died",
        `the bundler's process ended (${how}): ${this.#stderr.trim().slice(0, 500) || "it said nothing"}`,
      );
    });
    child.once("error", (error) => this.#fail("died", error.message));
  }

  /** It can still be given a script. */
  get isAlive(): boolean {
    return this.#alive;
  }

  /** Process id of its program; null when it is gone. */
  get pid(): number | null {
    return this.#isolated.pid;
  }

  /** Starts a process; rejects, with the process killed, when it is not ready in time. */
  static async start(files: BundlerFiles, isolation: Isolation): Promise<BundlerProcess> {
    const started = new BundlerProcess(files, isolation);
    const late = setTimeout(() => started.#fail("died", `the bundler was not ready within ${READY_MS} ms`), READY_MS);
    try {
      await started.#ready.promise;
      return started;
    } catch (error) {
      await started.kill();
      throw error;
    } finally {
      clearTimeout(late);
    }
  }

  /** Has one script worked on within `deadlineMs`; the process is killed when that fails. */
  async ask(task: BundleTask, deadlineMs: number): Promise<BundleOutcome> {
    const { promise, resolve } = Promise.withResolvers<BundleOutcome>();
    this.#fail = (kind, message) => resolve({ kind, message });
    if (!this.#alive) resolve({ kind: "died", message: "the bundler's process has ended" });
    const late = setTimeout(
      () => resolve({ kind: "late", message: `it took more than the allowed ${deadlineMs / 1000} s` }),
      deadlineMs,
    );
    let asks = 0;
    let characters = 0;
    let found: Promise<void> = Promise.resolve();
    this.#hear = (message, { header, body }) => {
      if (message.t === "ready") return this.#fail("hostile", "it said twice that it was ready");
      if (message.t !== "ask") return resolve({ kind: "answered", answer: message, body });
      asks++;
      characters += header.length;
      if (asks > ASKS || characters > ASK_CHARACTERS) return this.#fail("hostile", "it asked too often");
      found = found.then(() => this.#answer(message.id, task, message.specifier, message.from));
    };
    this.#send(task.order, task.text);
    const outcome = await promise;
    clearTimeout(late);
    this.#hear = () => this.#fail("hostile", "it spoke without being asked");
    this.#fail = () => void this.kill();
    if (outcome.kind !== "answered") await this.kill();
    return outcome;
  }

  /** Keeps the process from holding the engine's event loop open, or lets it again. */
  hold(held: boolean): void {
    const { process: child } = this.#isolated;
    for (const handle of [child, this.#pipe, child.stderr]) {
      if (handle instanceof Socket || handle === child) held ? handle.ref() : handle.unref();
    }
  }

  /** Ends the process; resolves when nothing of it is left. */
  async kill(): Promise<void> {
    if (this.#alive) {
      this.#alive = false;
      this.hold(true);
      this.#isolated.kill();
      this.#pipe?.destroy();
      this.#isolated.process.stderr?.destroy();
      this.#fail("died", "the bundler's process was stopped");
    }
    await this.#isolated.exited;
  }

  async #answer(id: number, task: BundleTask, specifier: string, from: string): Promise<void> {
    if (!this.#alive) return;
    const file = await task.find(specifier, from);
    if (!file.ok) this.#send({ t: "refused", id, code: file.code, message: file.message });
    else this.#send({ t: "file", id, path: file.path, isNew: file.text !== null }, file.text ?? "");
  }

  #send(order: BundlerOrder, text = ""): void {
    if (!this.#alive || this.#pipe === null) return;
    for (const part of encodeFrame(JSON.stringify(order), Buffer.from(text))) this.#pipe.write(part);
  }

  #listen(): void {
    this.#readFrames().catch((error: unknown) => {
      this.#fail("hostile", error instanceof Error ? error.message : String(error));
    });
    this.#pipe?.on("error", () => this.#pipe?.destroy());
    // the pipe of a process that ends closes before its exit is known
    this.#pipe?.once("close", () => {
      const late = setTimeout(() => this.#fail("died", "the bundler's process closed its pipe"), EXIT_MS);
      void this.#isolated.ended.then(() => clearTimeout(late));
    });
  }

  async #readFrames(): Promise<void> {
    // the schemas are loaded while the process starts
    const { readMessage } = await import("./answers.ts");
    const reader = new FrameReader(FRAME_LIMITS);
    this.#pipe?.on("data", (chunk: Buffer) => {
      try {
        for (const frame of reader.push(chunk)) {
          if (!this.#alive) return;
          const message = readMessage(frame.header);
          if (message === null) return this.#fail("hostile", "it said what is not a message");
          this.#hear(message, frame);
        }
      } catch (error) {
        this.#fail("hostile", error instanceof Error ? error.message : String(error));
      }
    });
  }
}
