import { EngineError } from "../core/codes/problems.ts";
import type { StandinAddress } from "./ready.ts";

/** Most ms an answer may take. */
const WITHIN_MS = 10_000;

/**
 * Runs a command of a running stand-in's control interface and resolves with what it returns. Throws
 * `HOST_STANDIN_FAILED` where it does not answer, or refuses.
 */
export async function askControl(
  { url, apiKey }: Pick<StandinAddress, "url" | "apiKey">,
  command: string,
  args: readonly unknown[],
): Promise<unknown> {
  const { protocol, host } = new URL(url);
  const address = `${protocol === "wss:" ? "https" : "http"}://${host}/_standin/${command}`;
  try {
    const response = await fetch(address, {
      method: "POST",
      headers: { authorization: `Bearer ${apiKey}`, "content-type": "application/json" },
      body: JSON.stringify(args),
      signal: AbortSignal.timeout(WITHIN_MS),
    });
    const text = await response.text();
    if (response.ok) return JSON.parse(text);
    throw new Error(`${response.status} ${text.slice(0, 500)}`);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new EngineError("HOST_STANDIN_FAILED", `the stand-in does not take "${command}": ${reason}`, {}, error);
  }
}
