/** The way to OAuth providers: the network policy of scripts, and narrower. */

import { EngineError } from "../../core/codes/problems.ts";
import { isProviderHeader } from "../../core/hooks/oauth-headers.ts";
import type { ProviderAnswer, ProviderRequest, Providers } from "../../engine/ports/providers.ts";
import { readHost, readPort } from "../url-parts.ts";
import { isLoopback } from "./addresses.ts";
import { type NetworkPorts, SYSTEM_NETWORK } from "./decide-hop.ts";
import { type NetworkSession, openNetwork } from "./open-network.ts";

const EXCHANGE_MS = 15_000;
/** Most bytes of an answer, decompressed. */
const ANSWER_BYTES = 64 * 1024;
/** Most characters of an address, and of all headers together. */
const ADDRESS_LENGTH = 2_048;
const HEADERS_LENGTH = 8_192;

export interface ProvidersOptions {
  /** A provider may be on this machine's loopback, http too: development. Default: never. */
  readonly loopback?: boolean;
  /** Stands in for the resolver and interfaces of the system in tests. */
  readonly network?: NetworkPorts;
  /** Ms one exchange may take, from the look-up of the name to the last byte of the answer (15,000). */
  readonly exchangeMs?: number;
}

/**
 * Makes the way to OAuth providers: https at public addresses, answers of at most 64 KB, 15 s an exchange, no redirects.
 * The engine's own ports are reached by nobody, in development neither.
 */
export function createProviders(options: ProvidersOptions = {}): Providers {
  const { loopback = false, network = SYSTEM_NETWORK, exchangeMs = EXCHANGE_MS } = options;
  return {
    async ask(request, signal) {
      const url = parseAllowedUrl(request, loopback);
      const isLocal = isLoopback(readHost(url));
      const session = openNetwork(
        {
          // In development the loopback address that was named stands for the LAN: that one, and no other.
          policy: {
            lanIp: isLocal ? readHost(url) : "",
            lanPorts: async () => (isLocal ? [readPort(url)] : []),
            internet: true,
            readOnly: false,
          },
          loopback,
          responseBytes: ANSWER_BYTES,
          audit: () => {},
        },
        network,
      );
      try {
        return await exchange(request, url, session, exchangeMs, signal);
      } finally {
        await session.close();
      }
    },
  };
}

async function exchange(
  { method, headers }: ProviderRequest,
  url: URL,
  session: NetworkSession,
  exchangeMs: number,
  signal: AbortSignal,
): Promise<ProviderAnswer> {
  const until = AbortSignal.any([signal, AbortSignal.timeout(exchangeMs)]);
  const answer = await session.fetch(
    { method, url: url.href, headers: Object.entries(headers), redirect: "error", body: null },
    until,
  );
  signal.throwIfAborted();
  if ("ok" in answer) {
    return { status: answer.ok.head.status, text: new TextDecoder().decode(answer.ok.body) };
  }
  const { code, message } = answer.error;
  if (code === "policy_denied") throw new EngineError("TASK_OAUTH_REFUSED", message);
  const why = until.aborted ? `no whole answer within ${exchangeMs / 1000} s` : message;
  throw new EngineError("TASK_OAUTH_FAILED", `${url.host} did not answer: ${why}`);
}

/** The address of a request that may be made, so far as it is known before its name is looked up. */
function parseAllowedUrl({ url: text, headers }: ProviderRequest, loopback: boolean): URL {
  const url = text.length > ADDRESS_LENGTH ? null : URL.parse(text);
  if (url === null) throw createRefusedError("the provider's address is not a URL");
  // One loopback address stands for the name, so that nothing has to be looked up.
  if (loopback && url.hostname === "localhost") url.hostname = "127.0.0.1";
  const isLocal = loopback && isLoopback(readHost(url));
  if (url.protocol !== "https:" && !(isLocal && url.protocol === "http:")) {
    throw createRefusedError("the provider's address is not https");
  }
  const entries = Object.entries(headers);
  const wrong = entries.find(([name, value]) => !isProviderHeader(name, value));
  if (wrong !== undefined)
    throw createRefusedError(`the header ${JSON.stringify(wrong[0])} is not one an OAuth flow may send`);
  if (entries.flat().join("").length > HEADERS_LENGTH) throw createRefusedError("the headers are too long");
  return url;
}

function createRefusedError(message: string): EngineError {
  return new EngineError("TASK_OAUTH_REFUSED", message);
}
