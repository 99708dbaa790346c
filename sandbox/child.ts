/**
 * The child process: one isolate, one run. It holds no authority: it carries strings and bytes between the isolate and
 * the parent, and answers what needs none (child-ops.ts). Bundled with the guest into one file (bundle-child.ts);
 * started as `node ... BUNDLE ADDON`, where ADDON is isolated-vm's native file.
 *
 * Invariants:
 * 1. Nothing of the isolate but strings and bytes is ever read here.
 * 2. Reads and writes block, which spares a turn two changes of threads: a script that floods waits for the parent.
 *    Between turns, and while the isolate waits for an answer, there is nothing else to do.
 * 3. When the pipe ends, the process ends, within `WATCH_MS` also where the isolate computes.
 * 4. What a turn sends arrives in order, at the latest with its end; log lines at once.
 */
import { read, readSync, writeSync } from "node:fs";
import { createRequire } from "node:module";
import type IsolatedVm from "isolated-vm";
import type { ChildMessage, ParentMessage, TurnFault } from "./child-messages.ts";
import { childOps, isChildOp } from "./child-ops.ts";
import { encodeFrame, type Frame, FrameReader } from "./frames.ts";
import { CHILD_LIMITS, PARENT_FRAME_LIMITS } from "./limits.ts";
import { type Answer, type Deliver, GUEST_URL } from "./ops.ts";

/** The guest's bundle, put in by bundle-child.ts. */
declare const GUEST_CODE: string;
/** isolated-vm's version, put in by bundle-child.ts. */
declare const ISOLATED_VM_VERSION: string;

/** The pipe to the parent: blocking, because nothing here wraps it in a stream. */
const PIPE = 3;
const READ_BYTES = 64 * 1024;
/** A turn that takes longer is not a short one: the end of the pipe is looked for, ms. */
const WATCH_MS = 50;
/** Operations that are not kept back: what a person reads, and the end. */
const IMMEDIATE = /^\{"op":"(?:log|done)"/;
/** Bytes of messages kept back until the turn's end, to be written at once. */
const HELD_BYTES = 16 * 1024;

const [, , addon] = process.argv;
if (addon === undefined) throw new Error("usage: child ADDON");
const { ivm }: { ivm: typeof IsolatedVm } = createRequire(import.meta.url)(addon);

const reader = new FrameReader(PARENT_FRAME_LIMITS);
const buffer = Buffer.allocUnsafeSlow(READ_BYTES);
const frames: Frame[] = [];
/** A read that does not block, started in a long turn. */
let watch: Promise<number> | null = null;
let held: Buffer[] = [];
let heldBytes = 0;

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
flush();
for (;;) await turn(await nextFrame());

async function boot(): Promise<IsolatedVm.Reference<Deliver>> {
  const answerOp = childOps();
  const context = await isolate.createContext();
  const script = await isolate.compileScript(GUEST_CODE, { filename: GUEST_URL });
  const install: IsolatedVm.Reference<(callOut: unknown, askParent: unknown) => Deliver> = await script.run(context, {
    reference: true,
  });
  const callOut = new ivm.Callback(
    (header: string, body?: ArrayBuffer): string | undefined => {
      if (isChildOp(header)) return answerOp(JSON.parse(header), body);
      send({ t: "out", header }, body);
      if (heldBytes > HELD_BYTES || IMMEDIATE.test(header)) flush();
      return undefined;
    },
    { sync: true },
  );
  const askParent = new ivm.Reference(async (header: string, body?: ArrayBuffer): Promise<Answer> => {
    send({ t: "ask", header }, body);
    flush();
    const frame = await nextFrame();
    const message: ParentMessage = JSON.parse(frame.header);
    if (message.t !== "answer") throw new Error("the parent did not answer");
    return message.body === undefined ? message.line : `${message.line}\n${frame.body.toString(message.body)}`;
  });
  return install.apply(undefined, [callOut, askParent], { result: { reference: true } });
}

/** The parent's next frame. */
async function nextFrame(): Promise<Frame> {
  for (;;) {
    const frame = frames.shift();
    if (frame !== undefined) return frame;
    const bytes = watch === null ? readSync(PIPE, buffer) : await watch;
    watch = null;
    frames.push(...reader.push(buffer.subarray(0, bytes)));
    if (bytes === 0) die();
  }
}

/** Reads without blocking, so that the end of the pipe is seen while the isolate computes. */
function startWatch(): void {
  watch ??= new Promise((resolve) => {
    read(PIPE, buffer, 0, READ_BYTES, null, (error, bytes) => {
      if (error !== null || bytes === 0) die();
      resolve(bytes);
    });
  });
}

/** process.exit would wait for an isolate that does not stop. */
function die(): void {
  process.kill(process.pid, "SIGKILL");
}

async function turn({ header, body }: Frame): Promise<void> {
  const message: ParentMessage = JSON.parse(header);
  if (message.t !== "turn") return;
  const bytes = body.byteLength === 0 ? undefined : new Uint8Array(body).buffer;
  const late = setTimeout(startWatch, WATCH_MS);
  try {
    await deliver.apply(undefined, [message.id, message.header, bytes], {
      arguments: { copy: true },
      timeout: message.sliceMs,
    });
    send({ t: "turned" });
  } catch (error) {
    send({ t: "turned", fault: faultOf(error) });
  }
  clearTimeout(late);
  flush();
}

function faultOf(error: unknown): TurnFault {
  const message = error instanceof Error ? String(error.message) : "";
  if (isolate.isDisposed) return { kind: "memory", message };
  if (message === "Script execution timed out.") return { kind: "timeout", message };
  return { kind: "rejection", message: message.slice(0, 1000) };
}

function send(message: ChildMessage, body?: ArrayBuffer): void {
  const parts = encodeFrame(JSON.stringify(message), body === undefined ? undefined : new Uint8Array(body));
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
}
