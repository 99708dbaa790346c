/** A response read whole within its bounds, and what went wrong with it in a script's words. */
import type { Response } from "undici";
import type { Answered, ScriptIoReply } from "../../../sandbox/contract.ts";
import type { WireError } from "../../../sandbox/protocol/ops.ts";
import { readMessage } from "../../core/json/read-message.ts";
import type { ResponseBytes } from "./held-bytes.ts";

/** The whole body, as far as it is allowed; decompressed bytes count. Where there is no room for more it stands still. */
export async function readReply(
  response: Response,
  hop: { readonly url: string; readonly redirected: boolean },
  limit: number,
  held: ResponseBytes,
  signal: AbortSignal,
): Promise<Answered<ScriptIoReply>> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  try {
    for await (const chunk of response.body ?? []) {
      bytes += chunk.byteLength;
      if (bytes > limit) {
        held.release();
        const message = `a response is larger than the allowed ${limit} bytes`;
        return { error: { name: "Error", message, code: "quota_response" } };
      }
      await held.take(chunk.byteLength, signal);
      chunks.push(chunk);
    }
  } catch (error) {
    held.release();
    return { error: toWireError(error, signal) };
  }
  const head = {
    status: response.status,
    statusText: response.statusText,
    headers: [...response.headers],
    ...hop,
  };
  held.finish();
  return { ok: { head, body: Buffer.concat(chunks), taken: held.release } };
}

/** A failed fetch as scripts see it. */
export function createWireError(message: string): WireError {
  return { name: "TypeError", message: `fetch failed: ${message}` };
}

/** undici throws `TypeError: fetch failed` with the reason as its cause. */
export function toWireError(error: unknown, signal: AbortSignal): WireError {
  if (signal.aborted) return { name: "AbortError", message: "The operation was aborted" };
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  const message = readMessage(cause);
  const code = cause instanceof Error && "code" in cause && typeof cause.code === "string" ? { code: cause.code } : {};
  return { ...createWireError(message), ...code };
}
