/**
 * Frames of the pipe between parent and child: `u32 length | u32 header length | JSON header | raw body`, little endian,
 * `length` counting everything after itself.
 *
 * Invariants:
 * 1. A frame past its limits is refused from its first eight bytes, before anything of it is kept or parsed.
 * 2. Whatever bytes arrive, a reader ends in one of: whole frames, waiting for more, a `FrameError`.
 */

/** Bytes of the two length fields. */
const PREFIX = 8;

const NONE = Buffer.alloc(0);

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
export class FrameError extends Error {
  override readonly name = "FrameError";
  readonly part: "shape" | "header" | "frame";

  constructor(part: "shape" | "header" | "frame", message: string) {
    super(message);
    this.part = part;
  }
}

/** A body up to this size is copied behind its header: one write costs more than copying it. */
const JOINED_BYTES = 32 * 1024;

/** Encodes one frame as the buffers to write in order: one, or two where the body is too large to be worth copying. */
export function encodeFrame(header: string, body: Uint8Array = NONE): Buffer[] {
  const bytes = Buffer.byteLength(header);
  const joined = body.byteLength <= JOINED_BYTES ? body.byteLength : 0;
  const head = Buffer.allocUnsafe(PREFIX + bytes + joined);
  head.writeUInt32LE(4 + bytes + body.byteLength, 0);
  head.writeUInt32LE(bytes, 4);
  head.write(header, PREFIX);
  if (joined === body.byteLength) {
    head.set(body, PREFIX + bytes);
    return [head];
  }
  return [head, Buffer.from(body.buffer, body.byteOffset, body.byteLength)];
}

/** Cuts a stream of chunks into frames; however small the chunks are, time and memory stay proportional to the bytes. */
export class FrameReader {
  readonly #limits: FrameLimits;
  /** Bytes of an unfinished frame stand at its start. */
  #buffer = Buffer.alloc(0);
  #held = 0;
  /** Bytes the unfinished frame will have, as far as its word earns room at once. */
  #wanted = 0;

  constructor(limits: FrameLimits) {
    this.#limits = limits;
  }

  /** Bytes of an unfinished frame held at present. */
  get held(): number {
    return this.#held;
  }

  /** Takes a chunk and yields the frames it completes; throws `FrameError` at the first one that breaks the limits. */
  *push(chunk: Buffer): Generator<Frame, void> {
    const bytes = this.#held === 0 ? chunk : this.#append(chunk);
    let at = 0;
    try {
      for (let size = this.#sizeAt(bytes, at); size <= bytes.length - at; size = this.#sizeAt(bytes, at)) {
        const start = at + PREFIX;
        const body = start + bytes.readUInt32LE(at + 4);
        at += size;
        // a buffer that holds this frame alone is given away with it
        const isOwn = bytes !== chunk && size === bytes.length;
        yield {
          header: bytes.toString("utf8", start, body),
          body: isOwn ? bytes.subarray(body) : copyBytes(bytes, body, at),
        };
      }
    } finally {
      this.#keep(bytes.subarray(at));
    }
  }

  /** Bytes of the frame that begins at a place, its prefix included; endless where the prefix is not there yet. */
  #sizeAt(bytes: Buffer, at: number): number {
    this.#wanted = 0;
    if (bytes.length - at < PREFIX) return Number.POSITIVE_INFINITY;
    const length = bytes.readUInt32LE(at);
    const header = bytes.readUInt32LE(at + 4);
    if (length < 4 || header > length - 4) {
      throw new FrameError("shape", `a frame of ${length} bytes holds no header of ${header}`);
    }
    if (header > this.#limits.header) {
      throw new FrameError("header", `a frame's header has ${header} bytes, allowed are ${this.#limits.header}`);
    }
    if (length - 4 > this.#limits.frame) {
      throw new FrameError("frame", `a frame has ${length - 4} bytes, allowed are ${this.#limits.frame}`);
    }
    this.#wanted = Math.min(4 + length, TRUSTED_BYTES);
    return 4 + length;
  }

  /** The bytes held and a chunk behind them; past `TRUSTED_BYTES` room only doubles, whatever length was announced. */
  #append(chunk: Buffer): Buffer {
    const needed = this.#held + chunk.length;
    if (needed > this.#buffer.length) {
      const larger = Buffer.allocUnsafeSlow(Math.max(needed, this.#held * 2, this.#wanted, MIN_BUFFER));
      this.#buffer.copy(larger, 0, 0, this.#held);
      this.#buffer = larger;
    }
    chunk.copy(this.#buffer, this.#held);
    return this.#buffer.subarray(0, needed);
  }

  /** Moves what is left over to the buffer's start, unless it stands there. */
  #keep(rest: Buffer): void {
    this.#held = rest.length;
    const isThere = rest.buffer === this.#buffer.buffer && rest.byteOffset === this.#buffer.byteOffset;
    if (rest.length === 0) this.#buffer = Buffer.alloc(0);
    else if (!isThere) {
      const room = Buffer.allocUnsafeSlow(Math.max(rest.length, this.#wanted, MIN_BUFFER));
      rest.copy(room);
      this.#buffer = room;
    }
  }
}

/** Bytes of the first buffer an unfinished frame is kept in. */
const MIN_BUFFER = 4096;
/** Room made on a peer's word alone. */
const TRUSTED_BYTES = 1024 * 1024 + 4096;

function copyBytes(bytes: Buffer, from: number, to: number): Buffer {
  if (from === to) return NONE;
  const copy = Buffer.allocUnsafeSlow(to - from);
  bytes.copy(copy, 0, from, to);
  return copy;
}
