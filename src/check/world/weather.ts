/** Bad days of what scripts talk to: what befalls a request before anything answers it. */
import { setTimeout as sleep } from "node:timers/promises";
import type { Answered, ScriptIoReply } from "../../../sandbox/contract.ts";

/** What befalls a request. */
export type Blow = "answers 500" | "hangs" | "closes";

/** A request as it leaves a script. */
export interface LeavingRequest {
  readonly method: string;
  readonly url: string;
}

/** Methods that change nothing: without their answer a script may well go on. */
export const READING_METHODS: readonly string[] = ["GET", "HEAD", "OPTIONS"];

/** Method and path, without query: what a row of the fake is for. */
export function nameRequest({ method, url }: LeavingRequest): string {
  return `${method} ${URL.parse(url)?.pathname ?? url}`;
}

/** Decides about each request in turn; null lets it pass. */
export type Weather = (request: LeavingRequest) => Blow | null;

/** Ms a request hangs before its connection ends: longer than a script that means to be quick waits for one. */
const HANG_MS = 1_000;

const CLOSED = { name: "TypeError", message: "fetch failed: other side closed", code: "UND_ERR_SOCKET" } as const;

/** The answer of a request that was struck. */
export async function strike(blow: Blow, url: string, signal: AbortSignal): Promise<Answered<ScriptIoReply>> {
  if (blow === "answers 500") {
    const headers = [["content-type", "text/plain"]] as const;
    const head = { status: 500, statusText: "Internal Server Error", headers, url, redirected: false };
    return { ok: { head, body: Buffer.from("Internal Server Error") } };
  }
  if (blow === "hangs") {
    try {
      await sleep(HANG_MS, undefined, { signal, ref: false });
    } catch {
      return { error: { name: "AbortError", message: "The operation was aborted" } };
    }
  }
  return { error: CLOSED };
}
