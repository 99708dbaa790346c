/**
 * The child process: one isolate, one run. It holds no authority: it carries strings and bytes between the isolate and
 * the parent, and answers what needs none (child-ops.ts). Bundled with the guest into one file (bundle-child.ts);
 * started as `node ... BUNDLE ADDON`, where ADDON is isolated-vm's native file.
 *
 * Invariants:
 * 1. Nothing of the isolate but strings and bytes is ever read here.
 * 2. Everything happens on one thread, one thing after the other: reads and writes block, and the isolate is entered
 *    and left without a change of threads, each of which costs more than the rest of a call.
 * 3. When the pipe ends, the process ends as soon as the isolate does not compute. Before that it ends with its parent
 *    where setpriv is at hand (child-command.ts), and by RLIMIT_CPU where not.
 * 4. What a delivery sends arrives in order, at the latest with its end; log lines at once. Where more was delivered ahead,
 *    as in a replay, what is sent within a few ms arrives together.
 */
import { readSync, writeSync } from "node:fs";
import { createRequire } from "node:module";
import { setImmediate } from "node:timers/promises";
import type IsolatedVm from "isolated-vm";
import { CHILD_LIMITS, PARENT_FRAME_LIMITS } from "../limits.ts";
import type { ChildMessage, DeliveryError, ParentMessage } from "../protocol/child-messages.ts";
import { encodeFrame, type Frame, FrameReader } from "../protocol/frames.ts";
import { type Answer, type Deliver, GUEST_URL, TEXT_LIMITS } from "../protocol/ops.ts";
import { createChildOps, isChildOp } from "./child-ops.ts";

/** The guest's bundle, put in by bundle-child.ts. */
declare const GUEST_CODE: string;
/** isolated-vm's version, put in by bundle-child.ts. */
declare const ISOLATED_VM_VERSION: string;

/** The pipe to the parent: blocking, because nothing here wraps it in a stream. */
const PIPE = 3;
const READ_BYTES = 64 * 1024;
/** After so many deliveries Node does what it put off, garbage collection's rest among it; a pause costs a third of one. */
const DELIVERIES_PER_PAUSE = 64;
/** Operations that are not kept back: what a person reads, and the end. */
const IMMEDIATE = /^\{"op":"(?:log|done)"/;
/** Most bytes of messages kept back to be written together, and for how many ms: the parent's work goes on meanwhile. */
const HELD_BYTES = 16 * 1024;
const HELD_MS = 2;
/** How most deliveries end. */
const DELIVERED = encodeFrame(JSON.stringify({ t: "delivered" } satisfies ChildMessage));

const [, , addon] = process.argv;
if (addon === undefined) throw new Error("usage: child ADDON");
const { ivm }: { ivm: typeof IsolatedVm } = createRequire(import.meta.url)(addon);

const reader = new FrameReader(PARENT_FRAME_LIMITS);
const buffer = Buffer.allocUnsafeSlow(READ_BYTES);
const frames: Frame[] = [];
let held: Buffer[] = [];
let heldBytes = 0;
let flushedAt = 0;

// without a handler of catastrophic errors isolated-vm aborts the process, which is what is wanted
const isolate = new ivm.Isolate({ memoryLimit: CHILD_LIMITS.isolateMb });
const deliver = boot();
send({
  t: "ready",
  webAssembly: "WebAssembly" in globalThis,
  permission:
    process.permission !== undefined && !process.permission.has("fs.write") && !process.permission.has("child"),
  isolatedVm: ISOLATED_VM_VERSION,
});
flush();
for (let count = 1; ; count++) {
  deliverFrame(nextFrame());
  if (count % DELIVERIES_PER_PAUSE === 0) await setImmediate();
}

function boot(): IsolatedVm.Reference<Deliver> {
  const answerOp = createChildOps();
  const context = isolate.createContextSync();
  const script = isolate.compileScriptSync(GUEST_CODE, { filename: GUEST_URL });
  const install: IsolatedVm.Reference<(callOut: unknown, askParent: unknown) => Deliver> = script.runSync(context, {
    reference: true,
  });
  const callOut = new ivm.Callback(
    (header: string, body?: ArrayBuffer): string | undefined => {
      if (isChildOp(header)) return answerOp(JSON.parse(header), body);
      send({ t: "out", header }, body);
      // where more was delivered ahead, nobody waits to read it
      if (heldBytes > HELD_BYTES || (frames.length === 0 && IMMEDIATE.test(header))) flush();
      return undefined;
    },
    { sync: true },
  );
  const askParent = new ivm.Callback(
    (header: string): Answer => {
      send({ t: "ask", header });
      flush();
      const frame = nextFrame();
      const message: ParentMessage = JSON.parse(frame.header);
      if (message.t !== "answer") throw new Error("the parent did not answer");
      return message.body === undefined ? message.line : `${message.line}\n${frame.body.toString(message.body)}`;
    },
    { sync: true },
  );
  return install.applySync(undefined, [callOut, askParent], { result: { reference: true } });
}

/** The parent's next frame. */
function nextFrame(): Frame {
  for (;;) {
    const frame = frames.shift();
    if (frame !== undefined) return frame;
    const bytes = readSync(PIPE, buffer);
    if (bytes === 0) die();
    frames.push(...reader.push(buffer.subarray(0, bytes)));
  }
}

/** At once: nothing is left to be told to anybody. */
function die(): void {
  process.kill(process.pid, "SIGKILL");
}

function deliverFrame({ header, body }: Frame): void {
  const message: ParentMessage = JSON.parse(header);
  if (message.t !== "deliver") return;
  const bytes = body.byteLength === 0 ? undefined : new Uint8Array(body).buffer;
  try {
    deliver.applySync(undefined, [message.id, message.header, bytes], {
      arguments: { copy: true },
      timeout: message.sliceMs,
    });
    hold(DELIVERED);
  } catch (error) {
    send({ t: "delivered", error: toDeliveryError(error) });
  }
  const isLast = frames.length === 0;
  if (isLast || heldBytes > HELD_BYTES || performance.now() - flushedAt > HELD_MS) flush();
}

function toDeliveryError(error: unknown): DeliveryError {
  const message = error instanceof Error ? String(error.message) : "";
  if (isolate.isDisposed) return { kind: "memory", message };
  if (message === "Script execution timed out.") return { kind: "timeout", message };
  return { kind: "rejection", message: message.slice(0, TEXT_LIMITS.logLine.sent) };
}

function send(message: ChildMessage, body?: ArrayBuffer): void {
  hold(encodeFrame(JSON.stringify(message), body === undefined ? undefined : new Uint8Array(body)));
}

function hold(parts: readonly Buffer[]): void {
  for (const part of parts) heldBytes += part.length;
  held.push(...parts);
}

function flush(): void {
  const parts = held;
  held = [];
  heldBytes = 0;
  const [first] = parts;
  const all = parts.length === 1 && first !== undefined ? first : Buffer.concat(parts);
  for (let written = 0; written < all.length; ) written += writeSync(PIPE, all, written);
  flushedAt = performance.now();
}
