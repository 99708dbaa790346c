/**
 * The network policy as a pure decision: deny unless a row allows. Made in two steps, so that no name is looked up for
 * a request that is refused wherever the name leads.
 */
import { isIP } from "node:net";
import { readHost, readPort } from "../url-parts.ts";
import { isLanAddress, isLoopback, isOfSite, isPublicUnicast, normalizeAddress } from "./addresses.ts";

export interface Wish {
  readonly method: string;
  readonly url: URL;
  /** Where the host's name leads, or the literal itself. */
  readonly addresses: readonly string[];
  readonly lanIp: string;
  /** Asked for at this request. */
  readonly lanPorts: readonly number[];
  readonly internet: boolean;
  readonly readOnly: boolean;
  /** Addresses of this machine and of the host: neither they nor their networks are "public", whatever they look like. */
  readonly ownAddresses: readonly string[];
  /** Ports this engine listens on: nobody reaches it through itself. */
  readonly ownPorts: readonly number[];
  /** The LAN address may be a loopback one: a stand-in, or development. */
  readonly loopback: boolean;
}

/** Where a request may go, or why nowhere. */
export type Decision = { readonly allowed: true; readonly address: string; readonly verifyTls: boolean } | Refusal;

/** Why a request may not be made. */
export interface Refusal {
  readonly allowed: false;
  readonly reason: string;
  /** No app publishes the port: one that does not run yet may still do so. */
  readonly isUnpublished?: true;
}

const SCHEMES: ReadonlySet<string> = new Set(["http:", "https:"]);
const READ_METHODS: ReadonlySet<string> = new Set(["GET", "HEAD"]);
const INTERNET_PORTS: ReadonlySet<number> = new Set([80, 443]);

/** Refuses what is refused wherever the name leads; null where that has to be found out. */
export function refuseUnresolved(wish: Omit<Wish, "addresses" | "lanPorts">): Refusal | null {
  const { url } = wish;
  if (!SCHEMES.has(url.protocol)) return refuse("only http and https are offered");
  if (url.username !== "" || url.password !== "") return refuse("the address has a user name or a password in it");
  if (wish.readOnly && !READ_METHODS.has(wish.method)) return refuse("widgets may only use GET and HEAD");
  if (isIP(readHost(url)) === 0 && !wish.internet) {
    return refuse("no name is looked up while the internet is switched off for this script, use the host's address");
  }
  return null;
}

/** Whether the ports of the host's apps have to be known before the name is looked up. */
export function asksPortsFirst(url: URL): boolean {
  return isIP(readHost(url)) === 0 && !INTERNET_PORTS.has(readPort(url));
}

/** Allows a request at one of its addresses, or says why at none. */
export function decide(wish: Wish): Decision {
  const early = refuseUnresolved(wish);
  if (early !== null) return early;
  let refusal = refuse("the name has no address");
  for (const address of wish.addresses) {
    const found = explainRefusal(address, wish);
    if (found === null) return { allowed: true, address, verifyTls: !isLan(address, wish) };
    refusal = found;
  }
  return refusal;
}

function explainRefusal(address: string, wish: Wish): Refusal | null {
  if (isLan(address, wish)) return refuseLanPort(wish);
  if (!isPublicUnicast(address)) return refuse("the address is neither the host's LAN address nor a public one");
  if ([wish.lanIp, ...wish.ownAddresses].some((own) => isOfSite(own, address))) {
    return refuse("the address is of the network this machine or the host is in");
  }
  if (!wish.internet) return refuse("the internet is switched off for this script");
  const port = readPort(wish.url);
  return INTERNET_PORTS.has(port) ? null : refuse(`port ${port} of a public address, allowed are 80 and 443`);
}

/** Refuses a port of the LAN address that no app publishes, or that is the engine's own; null where it is allowed. */
export function refuseLanPort({
  url,
  lanPorts,
  ownPorts,
}: Pick<Wish, "url" | "lanPorts" | "ownPorts">): Refusal | null {
  const port = readPort(url);
  if (ownPorts.includes(port)) return refuse(`port ${port} is the engine's own`);
  if (lanPorts.includes(port)) return null;
  return { ...refuse(`port ${port} of the host belongs to no installed app`), isUnpublished: true };
}

/** Whether an address is the host's LAN address, as far as that is one. */
export function isLan(address: string, { lanIp, loopback }: Pick<Wish, "lanIp" | "loopback">): boolean {
  return isSame(address, lanIp) && (isLanAddress(lanIp) || (loopback && isLoopback(lanIp)));
}

function isSame(a: string, b: string): boolean {
  return normalizeAddress(a) === normalizeAddress(b);
}

function refuse(reason: string): Refusal {
  return { allowed: false, reason };
}
