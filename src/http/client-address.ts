/** Whom a request comes from: the peer of its connection or, where that is a trusted proxy, whom the proxy names. */
import type { IncomingHttpHeaders } from "node:http";
import { BlockList, isIP, type Socket } from "node:net";

/** Peers that are believed as proxies: `true` for those of this machine, or addresses and networks (`172.17.0.0/16`). */
export type TrustedProxies = boolean | readonly string[];

export interface Client {
  readonly address: string;
  /** By which it reached the proxy; undefined where nobody trusted says so. */
  readonly scheme: "http" | "https" | undefined;
}

const THIS_MACHINE = ["127.0.0.0/8", "::1"];

/** Tells proxies from other peers. Throws for what is neither an address nor a network. */
export function readProxies(trusted: TrustedProxies): (peer: string) => boolean {
  const proxies = new BlockList();
  const named = typeof trusted === "boolean" ? (trusted ? THIS_MACHINE : []) : trusted;
  for (const text of named) addNetwork(proxies, text);
  return (peer) => isIP(peer) !== 0 && proxies.check(peer, nameFamily(peer));
}

function addNetwork(proxies: BlockList, text: string): void {
  const [, address = "", bits] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(text) ?? [];
  const longest = isIP(address) === 6 ? 128 : 32;
  // A peer is looked for without its zone: one that is named here would match nothing.
  if (isIP(address) === 0 || address.includes("%") || Number(bits ?? 0) > longest) {
    throw new Error(`"${text}" is neither an address nor a network such as 172.17.0.0/16`);
  }
  proxies.addSubnet(address, Number(bits ?? longest), nameFamily(address));
}

function nameFamily(address: string): "ipv4" | "ipv6" {
  return isIP(address) === 6 ? "ipv6" : "ipv4";
}

/** Whom a request comes from. Of several proxies the last one names the client, and the first the scheme. */
export function readClient(
  { headers, socket }: { readonly headers: IncomingHttpHeaders; readonly socket: Pick<Socket, "remoteAddress"> },
  isProxy: (peer: string) => boolean,
): Client {
  const peer = socket.remoteAddress ?? "";
  if (!isProxy(peer)) return { address: peer, scheme: undefined };
  const forwarded = readList(headers["x-forwarded-for"]).at(-1);
  const scheme = readScheme(headers["x-forwarded-proto"]);
  return {
    address: forwarded || peer,
    scheme: scheme === "http" || scheme === "https" ? scheme : undefined,
  };
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

/** What an address is counted as. */
export interface Counted {
  readonly name: string;
  /** How many times the limit of one address it has. */
  readonly times: number;
}

/** A network has this many times what one of its addresses has: all hosts of a home share one. */
const TIMES_OF_NETWORK = 10;

/**
 * What an address is counted as: itself and, of IPv6, the first 64 bits, below which one neighbour may use any address. Whatever
 * is no address is itself.
 */
export function listCounted(address: string): readonly Counted[] {
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

/** The eight groups of an IPv6 address. */
function writeGroups(address: string): readonly number[] {
  // The parser of addresses writes the last 32 bits as groups, whatever they came as.
  const [before = "", after] = new URL(`http://[${address}]`).hostname.slice(1, -1).split("::");
  const read = (part = "") => (part === "" ? [] : part.split(":").map((group) => Number.parseInt(group, 16)));
  const [head, tail] = [read(before), read(after)];
  return [...head, ...Array.from({ length: 8 - head.length - tail.length }, () => 0), ...tail];
}
