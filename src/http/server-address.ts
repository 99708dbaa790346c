/** Where a server listens: which addresses need a token, how one is bound, and what it is called then. */
import type { Server } from "node:http";
import { isIP } from "node:net";
import { createListenError } from "../core/codes/common-errors.ts";
import { EngineError } from "../core/codes/problems.ts";

interface Place {
  readonly address: string;
  /** 0 takes a free port. */
  readonly port: number;
}

/** Whether a host is this machine, by its name or address alone. */
export function isLoopback(address: string): boolean {
  return address === "localhost" || address === "::1" || /^127(?:\.\d{1,3}){3}$/.test(address);
}

/** Throws `HTTP_TOKEN_REQUIRED` for an address beyond loopback without a token (docs/decisions.md, section 8). */
export function refuseOpenAddress(address: string, token: string | undefined): void {
  if (token !== undefined || isLoopback(address)) return;
  throw new EngineError("HTTP_TOKEN_REQUIRED", `"${address}" is not a loopback address, and no token is given`);
}

/** The port a server is bound to that was just told to listen. Rejects with `HTTP_LISTEN_FAILED`. */
export function awaitListening(server: Server, { address, port }: Place): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", (error) => reject(createListenError({ address, port }, error)));
    server.once("listening", () => {
      const bound = server.address();
      resolve(typeof bound === "object" && bound !== null ? bound.port : port);
    });
  });
}

/** Base address of a server, e.g. `http://127.0.0.1:8080`. */
export function nameServer({ address, port }: Place): string {
  return `http://${isIP(address) === 6 ? `[${address}]` : address}:${port}`;
}
