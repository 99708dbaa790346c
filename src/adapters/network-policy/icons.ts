/** Pictures of apps: the network policy of scripts for addresses, and for files the catalog's directory alone. */

import { readFileBelow } from "../../../sandbox/files/read-below.ts";
import { EngineError } from "../../core/codes/problems.ts";
import { ICON_BYTES, type IconPlace, type Icons } from "../../engine/ports/icons.ts";
import { readHost, readPort } from "../url-parts.ts";
import { isLoopback } from "./addresses.ts";
import { type NetworkPorts, SYSTEM_NETWORK } from "./decide-hop.ts";
import { openNetwork } from "./open-network.ts";

const EXCHANGE_MS = 10_000;
/** Most characters of an address. */
const ADDRESS_LENGTH = 2_048;
const ACCEPT: readonly [string, string] = ["accept", "image/svg+xml, image/webp, image/png, image/jpeg"];

export interface IconsOptions {
  /** A picture may be on this machine's loopback, at the address and port that is named: tests. Default: never. */
  readonly loopback?: boolean;
  /** Stands in for the resolver and interfaces of the system in tests. */
  readonly network?: NetworkPorts;
  /** Ms one picture may take, from the look-up of the name to the last byte (10,000). */
  readonly exchangeMs?: number;
}

/** Makes the way to pictures of apps: public addresses, 256 KB, 10 s, each redirect decided as its own. */
export function createIcons(options: IconsOptions = {}): Icons {
  return {
    read: (place, hostAddresses, signal) =>
      place.kind === "file" ? readFile(place) : fetchPicture(place.address, hostAddresses, options, signal),
  };
}

async function readFile({ root, path }: Extract<IconPlace, { readonly kind: "file" }>): Promise<Uint8Array> {
  const found = await readFileBelow({ root, path }, ICON_BYTES);
  if (found.ok) return found.bytes;
  throw createUnreadableError(`the file "${path}" of the catalog can't be read (${found.code})`);
}

async function fetchPicture(
  address: string,
  hostAddresses: readonly string[],
  { loopback = false, network = SYSTEM_NETWORK, exchangeMs = EXCHANGE_MS }: IconsOptions,
  signal: AbortSignal,
): Promise<Uint8Array> {
  const url = address.length > ADDRESS_LENGTH ? null : URL.parse(address);
  if (url === null) throw createUnreadableError("the icon's address is not a URL");
  const isLocal = loopback && isLoopback(readHost(url));
  const session = openNetwork(
    {
      policy: {
        lanIp: isLocal ? readHost(url) : "",
        lanPorts: async () => (isLocal ? [readPort(url)] : []),
        hostAddresses,
        internet: true,
        readOnly: true,
      },
      loopback,
      responseBytes: ICON_BYTES,
      audit: () => {},
    },
    network,
  );
  const until = AbortSignal.any([signal, AbortSignal.timeout(exchangeMs)]);
  try {
    const request = { method: "GET", url: url.href, headers: [ACCEPT], redirect: "follow", body: null } as const;
    const answer = await session.fetch(request, until);
    signal.throwIfAborted();
    if ("error" in answer) {
      const why = until.aborted ? `no whole answer within ${exchangeMs / 1000} s` : answer.error.message;
      throw createUnreadableError(`the icon at "${url.host}" can't be read: ${why}`);
    }
    const { head, body } = answer.ok;
    if (head.status !== 200) throw createUnreadableError(`the icon at "${url.host}" is answered with ${head.status}`);
    return body;
  } finally {
    await session.close();
  }
}

function createUnreadableError(message: string): EngineError {
  return new EngineError("ICON_UNREADABLE", message);
}
