import { EngineError } from "../../core/codes/problems.ts";
import { readMessage } from "../../core/json/read-message.ts";
import type { StandinAddress } from "../ready.ts";

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
  try {
    const { status, text } = await post(new URL(`http://${new URL(url).host}/_standin/${command}`), apiKey, args);
    if (status === 200) return JSON.parse(text);
    throw new Error(`${status} ${text.slice(0, 500)}`);
  } catch (error) {
    const reason = readMessage(error);
    throw new EngineError("HOST_STANDIN_FAILED", `the stand-in does not take "${command}": ${reason}`, {}, error);
  }
}

/** By Node's own HTTP: its `fetch` compiles WebAssembly, which an engine would hold 13 MB for as long as it lives. */
async function post(
  address: URL,
  apiKey: string,
  body: unknown,
): Promise<{ readonly status: number | undefined; readonly text: string }> {
  const { request } = await import("node:http");
  const { promise, resolve, reject } = Promise.withResolvers<Awaited<ReturnType<typeof post>>>();
  const asked = request(address, {
    method: "POST",
    headers: { authorization: `Bearer ${apiKey}`, "content-type": "application/json" },
    signal: AbortSignal.timeout(WITHIN_MS),
    agent: false,
  });
  asked.on("error", reject);
  asked.on("response", async (response) => {
    try {
      let text = "";
      for await (const chunk of response.setEncoding("utf8")) text += chunk;
      resolve({ status: response.statusCode, text });
    } catch (error) {
      reject(error);
    }
  });
  asked.end(JSON.stringify(body));
  return await promise;
}
