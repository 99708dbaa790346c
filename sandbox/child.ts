/**
 * The child process: one isolate, one run. It holds no authority: it carries strings and bytes between the isolate and
 * the parent, and answers what needs none (child-ops.ts). Bundled with the guest into one file (bundle-child.ts);
 * started as `node ... BUNDLE ADDON`, where ADDON is isolated-vm's native file.
 *
 * Invariants:
 * 1. Nothing of the isolate but strings and bytes is ever read here.
 * 2. Writes block: a script that floods waits for the parent.
 * 3. When the pipe ends, the process ends.
 */
import { read, writeSync } from "node:fs";
import { createRequire } from "node:module";
import type IsolatedVm from "isolated-vm";
import type { ChildMessage, ParentMessage, TurnFault } from "./child-messages.ts";
import { childOps, isChildOp } from "./child-ops.ts";
import { encodeFrame, FrameReader } from "./frames.ts";
import { CHILD_LIMITS, PARENT_FRAME_LIMITS } from "./limits.ts";
import { type Answer, type Deliver, GUEST_URL } from "./ops.ts";

/** The guest's bundle, put in by bundle-child.ts. */
declare const GUEST_CODE: string;
/** isolated-vm's version, put in by bundle-child.ts. */
declare const ISOLATED_VM_VERSION: string;

/** The pipe to the parent: blocking, because nothing here wraps it in a stream. */
const PIPE = 3;
const READ_BYTES = 64 * 1024;

const [, , addon] = process.argv;
if (addon === undefined) throw new Error("usage: child ADDON");
const { ivm }: { ivm: typeof IsolatedVm } = createRequire(import.meta.url)(addon);

let answered: ((answer: Answer) => void) | null = null;

const isolate = new ivm.Isolate({
  memoryLimit: CHILD_LIMITS.isolateMb,
  onCatastrophicError: () => process.abort(),
});
const deliver = await boot();
send({
  t: "ready",
  webAssembly: "WebAssembly" in globalThis,
  permission:
    process.permission !== undefined && !process.permission.has("fs.write") && !process.permission.has("child"),
  isolatedVm: ISOLATED_VM_VERSION,
});
listen();

async function boot(): Promise<IsolatedVm.Reference<Deliver>> {
  const answerOp = childOps();
  const context = await isolate.createContext();
  const script = await isolate.compileScript(GUEST_CODE, { filename: GUEST_URL });
  const install: IsolatedVm.Reference<(callOut: unknown, askParent: unknown) => Deliver> = await script.run(context, {
    reference: true,
  });
  const callOut = new ivm.Callback(
    (header: string, body?: ArrayBuffer): string | undefined => {
      const op = JSON.parse(header);
      if (isChildOp(op)) return answerOp(op, body);
      send({ t: "out", header }, body);
      return undefined;
    },
    { sync: true },
  );
  const askParent = new ivm.Reference((header: string, body?: ArrayBuffer): Promise<Answer> => {
    send({ t: "ask", header }, body);
    return new Promise((resolve) => {
      answered = resolve;
    });
  });
  return install.apply(undefined, [callOut, askParent], { result: { reference: true } });
}

/** Reads frames of the parent until the pipe ends. */
function listen(): void {
  const reader = new FrameReader(PARENT_FRAME_LIMITS);
  const buffer = Buffer.allocUnsafeSlow(READ_BYTES);
  const next = (): void => {
    read(PIPE, buffer, 0, READ_BYTES, null, (error, bytes) => {
      // process.exit would wait for an isolate that does not stop
      if (error !== null || bytes === 0) process.kill(process.pid, "SIGKILL");
      for (const frame of reader.push(Buffer.from(buffer.subarray(0, bytes)))) {
        handle(JSON.parse(frame.header), frame.body);
      }
      next();
    });
  };
  next();
}

function handle(message: ParentMessage, body: Buffer): void {
  switch (message.t) {
    case "turn":
      void turn(message, body);
      return;
    case "answer": {
      const resolve = answered;
      answered = null;
      resolve?.(message.body === undefined ? message.line : `${message.line}\n${body.toString(message.body)}`);
      return;
    }
  }
}

async function turn(message: ParentMessage & { t: "turn" }, body: Buffer): Promise<void> {
  const bytes = body.byteLength === 0 ? undefined : new Uint8Array(body).buffer;
  try {
    await deliver.apply(undefined, [message.id, message.header, bytes], {
      arguments: { copy: true },
      timeout: message.sliceMs,
    });
    send({ t: "turned" });
  } catch (error) {
    send({ t: "turned", fault: faultOf(error) });
  }
}

function faultOf(error: unknown): TurnFault {
  const message = error instanceof Error ? String(error.message) : "";
  if (isolate.isDisposed) return { kind: "memory", message };
  if (message === "Script execution timed out.") return { kind: "timeout", message };
  return { kind: "rejection", message: message.slice(0, 1000) };
}

function send(message: ChildMessage, body?: ArrayBuffer): void {
  for (const part of encodeFrame(JSON.stringify(message), body === undefined ? undefined : new Uint8Array(body))) {
    for (let written = 0; written < part.length; ) written += writeSync(PIPE, part, written);
  }
}
