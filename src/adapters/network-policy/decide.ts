/** The network policy as a pure decision (facts/sandbox.md, "Network policy"): deny unless a row allows. */
import { canonicalAddress, isPublicUnicast } from "./addresses.ts";

/** What the decision is made of. */
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
  /** Addresses of this machine: none of them is "public", whatever it looks like. */
  readonly ownAddresses: readonly string[];
}

export type Decision =
  | { readonly allowed: true; readonly address: string; readonly verifyTls: boolean }
  | { readonly allowed: false; readonly reason: string };

const SCHEMES: ReadonlySet<string> = new Set(["http:", "https:"]);
const READ_METHODS: ReadonlySet<string> = new Set(["GET", "HEAD"]);
const INTERNET_PORTS: ReadonlySet<number> = new Set([80, 443]);

/** Allows a request at one of its addresses, or says why at none. */
export function decide(wish: Wish): Decision {
  if (!SCHEMES.has(wish.url.protocol)) return refuse("only http and https are offered");
  if (wish.readOnly && !READ_METHODS.has(wish.method)) return refuse("widgets may only use GET and HEAD");
  let reason = "the name has no address";
  for (const address of wish.addresses) {
    const refusal = refusalAt(address, wish);
    if (refusal === null) return { allowed: true, address, verifyTls: !isLan(address, wish) };
    reason = refusal;
  }
  return refuse(reason);
}

function refusalAt(address: string, wish: Wish): string | null {
  const port = portOf(wish.url);
  if (isLan(address, wish)) {
    return wish.lanPorts.includes(port) ? null : `port ${port} of the host belongs to no installed app`;
  }
  if (!isPublicUnicast(address) || wish.ownAddresses.some((own) => isSame(own, address))) {
    return "the address is neither the host's LAN address nor a public one";
  }
  if (!wish.internet) return "the internet is switched off for this script";
  return INTERNET_PORTS.has(port) ? null : `port ${port} of a public address, allowed are 80 and 443`;
}

/** The port a URL names or its scheme implies. */
export function portOf(url: URL): number {
  if (url.port !== "") return Number(url.port);
  return url.protocol === "https:" ? 443 : 80;
}

function isLan(address: string, { lanIp }: Wish): boolean {
  return isSame(address, lanIp);
}

function isSame(a: string, b: string): boolean {
  return canonicalAddress(a) === canonicalAddress(b);
}

function refuse(reason: string): Decision {
  return { allowed: false, reason };
}
