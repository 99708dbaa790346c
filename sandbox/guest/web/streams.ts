/** The streams standard as `web-streams-polyfill` implements it. */
import "../before-streams.ts";
import {
  ByteLengthQueuingStrategy,
  CountQueuingStrategy,
  ReadableByteStreamController,
  ReadableStream,
  ReadableStreamBYOBReader,
  ReadableStreamBYOBRequest,
  ReadableStreamDefaultController,
  ReadableStreamDefaultReader,
  TransformStream,
  TransformStreamDefaultController,
  WritableStream,
  WritableStreamDefaultController,
  WritableStreamDefaultWriter,
} from "web-streams-polyfill";

/** Every interface of the standard, by its global name. */
export const STREAM_INTERFACES = {
  ByteLengthQueuingStrategy,
  CountQueuingStrategy,
  ReadableByteStreamController,
  ReadableStream,
  ReadableStreamBYOBReader,
  ReadableStreamBYOBRequest,
  ReadableStreamDefaultController,
  ReadableStreamDefaultReader,
  TransformStream,
  TransformStreamDefaultController,
  WritableStream,
  WritableStreamDefaultController,
  WritableStreamDefaultWriter,
};

export { ReadableStream, TransformStream };

/** Whether a stream has been read from or canceled: the polyfill's own field, there is no public way to ask. */
export function isDisturbed(stream: ReadableStream): boolean {
  return (stream as unknown as { readonly _disturbed: boolean })._disturbed;
}

/** A byte stream of one block of bytes. */
export function createByteStream(bytes: Uint8Array<ArrayBuffer>): ReadableStream<Uint8Array> {
  let offset = 0;
  return new ReadableStream({
    type: "bytes",
    pull(controller) {
      if (offset >= bytes.length) {
        controller.close();
        // A waiting BYOB request must be answered for the close to be seen.
        controller.byobRequest?.respond(0);
        return;
      }
      const chunk = bytes.slice(offset, offset + CHUNK_BYTES);
      offset += chunk.length;
      controller.enqueue(chunk);
    },
  });
}

const CHUNK_BYTES = 65_536;

/** Reads a stream to its end; chunks that are not Uint8Arrays are a TypeError. */
export async function readAllBytes(stream: ReadableStream): Promise<Uint8Array<ArrayBuffer>> {
  const reader = stream.getReader();
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return concatenate(chunks);
    if (!(value instanceof Uint8Array)) {
      const error = new TypeError("a chunk of the stream is not a Uint8Array");
      await reader.cancel(error);
      throw error;
    }
    chunks.push(value as Uint8Array<ArrayBuffer>);
  }
}

/** One block of all bytes. */
export function concatenate(chunks: readonly Uint8Array<ArrayBuffer>[]): Uint8Array<ArrayBuffer> {
  const [first] = chunks;
  if (chunks.length === 1 && first !== undefined) return first;
  const bytes = new Uint8Array(chunks.reduce((sum, chunk) => sum + chunk.length, 0));
  let offset = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, offset);
    offset += chunk.length;
  }
  return bytes;
}
