/** Dials exactly the addresses that were decided on; nothing here resolves a name. */
import { isIP } from "node:net";
import type { Agent, fetch } from "undici";
import type { Decision } from "./decide.ts";
import { readInTurns } from "./read-in-turns.ts";

/** Most bytes of a response's head. */
const HEAD_BYTES = 32 * 1024;

/** How requests of a run leave. */
export interface Dialer {
  readonly agent: Agent;
  readonly fetch: typeof fetch;
}

/** Loads undici, which a run without requests does not need, and dials only where `allowed` says. */
export async function openDialer(allowed: ReadonlyMap<string, Decision & { allowed: true }>): Promise<Dialer> {
  const { Agent, buildConnector, fetch } = await import("undici");
  // HTTP/1.1 only: nothing here has bounds for what HTTP/2 adds (streams, pushes, compressed heads, frames without end).
  const connect = buildConnector({ allowH2: false });
  const connectLeniently = buildConnector({ allowH2: false, rejectUnauthorized: false });
  const agent = new Agent({
    allowH2: false,
    maxHeaderSize: HEAD_BYTES,
    connect: (options, callback) => {
      const at = allowed.get(`${options.protocol}//${options.host ?? ""}`);
      if (at === undefined) return callback(new Error("the origin was not allowed"), null);
      const dial = at.verifyTls ? connect : connectLeniently;
      const name = options.hostname.replace(/^\[|\]$/g, "");
      const target = { ...options, hostname: at.address, ...(isIP(name) === 0 && { servername: name }) };
      dial(target, (...connected) => {
        const [error, socket] = connected;
        if (error === null) readInTurns(socket);
        callback(...connected);
      });
    },
  });
  return { agent, fetch };
}
