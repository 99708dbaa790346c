/** The client of a request: its connection's peer, or the address named by a proxy that sends the secret. */
import { createHash, timingSafeEqual } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import { isIP, type Socket } from "node:net";

/** The header in which a trusted proxy sends its secret. */
export const PROXY_HEADER = "x-slipway-proxy";

export interface Client {
  readonly address: string;
  /** Address of the proxy it came through; absent where it connected itself. */
  readonly proxy?: string;
}

/** A request's client, and the scheme by which it reached the proxy. */
export interface Origin {
  readonly client: Client;
  /** Undefined when no trusted proxy names one. */
  readonly scheme: "http" | "https" | undefined;
}

/**
 * Reads the client of a request. `X-Forwarded-For` and `X-Forwarded-Proto` count only beside the proxy's secret: an app's
 * container shares its network with the proxy, and its address with the whole bridge. Of several proxies the last one names
 * the client, and the first the scheme.
 */
export function readClient(
  { headers, socket }: { readonly headers: IncomingHttpHeaders; readonly socket: Pick<Socket, "remoteAddress"> },
  proxySecret: string | null,
): Origin {
  const peer = socket.remoteAddress ?? "";
  if (proxySecret === null || !isSecret(headers[PROXY_HEADER], proxySecret)) {
    return { client: { address: peer }, scheme: undefined };
  }
  const forwarded = readList(headers["x-forwarded-for"]).at(-1);
  const scheme = readScheme(headers["x-forwarded-proto"]);
  return {
    client: { address: forwarded || peer, proxy: peer },
    scheme: scheme === "http" || scheme === "https" ? scheme : undefined,
  };
}

/** Compares digests, so that neither content nor length shows in the time taken. */
function isSecret(given: string | string[] | undefined, secret: string): boolean {
  const digest = (text: string) => createHash("sha256").update(text).digest();
  return typeof given === "string" && timingSafeEqual(digest(given), digest(secret));
}

/** The scheme that proxies name: of several the first one, in lower case. */
export function readScheme(header: string | string[] | undefined): string | undefined {
  return readList(header)[0]?.toLowerCase();
}

function readList(header: string | string[] | undefined): readonly string[] {
  return header === undefined
    ? []
    : [header]
        .flat()
        .join()
        .split(",")
        .map((part) => part.trim());
}

/** A name under which requests are counted. */
export interface Counted {
  readonly name: string;
  /** Multiplier of the limit of one address. */
  readonly times: number;
}

/** Multiplier of the limit of one address for a network: all hosts of a home share one. */
const TIMES_OF_NETWORK = 10;
/** For a proxy: many networks come through it, and a few hostile ones must not lock out the others. */
const TIMES_OF_PROXY = 100;

/** The names a client is counted under: its address, its network and the proxy it comes through. */
export function countClient({ address, proxy }: Client): readonly Counted[] {
  const own = countAddress(address);
  return proxy === undefined ? own : [...own, { name: `proxy ${proxy}`, times: TIMES_OF_PROXY }];
}

/**
 * The names an address is counted under: itself and, for IPv6, its first 64 bits, below which one neighbour may use any
 * address. A text that is not an IP address is its own name.
 */
export function countAddress(address: string): readonly Counted[] {
  const [bare = ""] = address.split("%");
  if (isIP(bare) !== 6) return [{ name: address, times: 1 }];
  const whole = writeGroups(bare);
  const [high = 0, low = 0] = whole.slice(6);
  // An IPv4 address as sockets for both kinds write it.
  if (whole.slice(0, 6).join() === "0,0,0,0,0,65535") {
    return [{ name: [high >> 8, high & 255, low >> 8, low & 255].join("."), times: 1 }];
  }
  const groups = whole.map((group) => group.toString(16));
  return [
    { name: groups.join(":"), times: 1 },
    { name: `${groups.slice(0, 4).join(":")}::/64`, times: TIMES_OF_NETWORK },
  ];
}

/** The one name of an address, in whatever form it is written. */
export function nameAddress(address: string): string {
  return countAddress(address)[0]?.name ?? address;
}

/** The eight groups of an IPv6 address. */
function writeGroups(address: string): readonly number[] {
  // The parser of addresses writes the last 32 bits as groups, whatever they came as.
  const [before = "", after] = new URL(`http://[${address}]`).hostname.slice(1, -1).split("::");
  const read = (part = "") => (part === "" ? [] : part.split(":").map((group) => Number.parseInt(group, 16)));
  const [head, tail] = [read(before), read(after)];
  return [...head, ...Array.from({ length: 8 - head.length - tail.length }, () => 0), ...tail];
}
