/**
 * Frames of the pipe between parent and child: `u32 length | u32 header length | JSON header | raw body`, little endian,
 * `length` counting everything after itself.
 *
 * Invariants:
 * 1. A frame past its limits is refused from its first eight bytes, before anything of it is kept or parsed.
 * 2. Whatever bytes arrive, a reader ends in one of: whole frames, waiting for more, a `FrameFault`.
 */

/** Bytes of the two length fields. */
const PREFIX = 8;

/** Most bytes a peer may put in one frame. */
export interface FrameLimits {
  /** Of the JSON header. */
  readonly header: number;
  /** Of header and body together. */
  readonly frame: number;
}

/** A frame that has arrived whole. */
export interface Frame {
  /** The header's JSON text, not yet parsed. */
  readonly header: string;
  /** A copy of its own; empty where there is none. */
  readonly body: Buffer;
}

/** The peer sent what is no frame (`shape`), or one whose header or whole is past the limits. */
export class FrameFault extends Error {
  override readonly name = "FrameFault";
  readonly part: "shape" | "header" | "frame";

  constructor(part: "shape" | "header" | "frame", message: string) {
    super(message);
    this.part = part;
  }
}

/** Encodes one frame as the buffers to write in order (the body is not copied). */
export function encodeFrame(header: string, body?: Uint8Array): Buffer[] {
  const bytes = Buffer.byteLength(header);
  const head = Buffer.allocUnsafe(PREFIX + bytes);
  head.writeUInt32LE(4 + bytes + (body?.byteLength ?? 0), 0);
  head.writeUInt32LE(bytes, 4);
  head.write(header, PREFIX);
  if (body === undefined || body.byteLength === 0) return [head];
  return [head, Buffer.from(body.buffer, body.byteOffset, body.byteLength)];
}

/** Cuts a stream of chunks into frames. */
export class FrameReader {
  readonly #limits: FrameLimits;
  #chunks: Buffer[] = [];
  #held = 0;

  constructor(limits: FrameLimits) {
    this.#limits = limits;
  }

  /** Bytes of an unfinished frame held at present. */
  get held(): number {
    return this.#held;
  }

  /** Takes a chunk and yields the frames it completes; throws `FrameFault` at the first one that breaks the limits. */
  *push(chunk: Buffer): Generator<Frame, void> {
    this.#chunks.push(chunk);
    this.#held += chunk.length;
    for (;;) {
      if (this.#held < PREFIX) return;
      const prefix = this.#peek(PREFIX);
      const length = prefix.readUInt32LE(0);
      const header = prefix.readUInt32LE(4);
      if (length < 4 || header > length - 4) {
        throw new FrameFault("shape", `a frame of ${length} bytes holds no header of ${header}`);
      }
      if (header > this.#limits.header) {
        throw new FrameFault("header", `a frame's header has ${header} bytes, allowed are ${this.#limits.header}`);
      }
      if (length - 4 > this.#limits.frame) {
        throw new FrameFault("frame", `a frame has ${length - 4} bytes, allowed are ${this.#limits.frame}`);
      }
      if (this.#held < 4 + length) return;
      const whole = this.#take(4 + length);
      yield {
        header: whole.toString("utf8", PREFIX, PREFIX + header),
        body: whole.subarray(PREFIX + header),
      };
    }
  }

  /** The first bytes, joined into one chunk when they are spread over several. */
  #peek(bytes: number): Buffer {
    const first = this.#chunks[0];
    if (first !== undefined && first.length >= bytes) return first;
    const joined = Buffer.concat(this.#chunks);
    this.#chunks = [joined];
    return joined;
  }

  /** Removes the first bytes; one copy, however many chunks they arrived in. */
  #take(bytes: number): Buffer {
    const whole = Buffer.allocUnsafeSlow(bytes);
    let filled = 0;
    while (filled < bytes) {
      const chunk = this.#chunks.shift();
      if (chunk === undefined) throw new FrameFault("shape", "the frame reader lost count of its bytes");
      const part = chunk.subarray(0, bytes - filled);
      whole.set(part, filled);
      filled += part.length;
      if (part.length < chunk.length) this.#chunks.unshift(chunk.subarray(part.length));
    }
    this.#held -= bytes;
    return whole;
  }
}
