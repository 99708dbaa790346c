/** Which of the host's addresses is its LAN address. Pure. */
import { isIP } from "node:net";
import { isLanAddress, isLoopback, isPublicUnicast, normalizeAddress } from "../network-policy/addresses.ts";

/** What the host says about its addresses (docs/host-api.md, section 9). */
export interface KnownAddresses {
  /** The host's end of this session's socket, null where it can't tell. */
  readonly reached: string | null;
  /** Addresses of its interfaces, in its order; it leaves out loopback and container bridges. */
  readonly inUse: readonly string[];
}

/**
 * The LAN address, IPv6 without brackets, or null where the host has none. An address that no interface has in use is
 * that of a tunnel, of a container bridge or of the host itself. IPv4 goes before IPv6, the address this session reached
 * before the others, private networks before shared and public ones, then the host's order. `loopback` admits a stand-in,
 * whose LAN is a loopback network; a real host never lists one.
 */
export function chooseLanAddress({ reached, inUse }: KnownAddresses, loopback: boolean): string | null {
  const usable = inUse.map(toPlainAddress).filter((address) => isUsable(address, loopback));
  const own = reached === null ? "" : toPlainAddress(reached);
  const ranked = usable.toSorted((a, b) => rankAddress(a, own) - rankAddress(b, own));
  return ranked[0] ?? null;
}

function isUsable(address: string, loopback: boolean): boolean {
  return isLanAddress(address) || (loopback && isLoopback(address));
}

/** The lowest is taken. */
function rankAddress(address: string, own: string): number {
  const family = isIP(address) === 4 ? 0 : 100;
  if (address === own) return family;
  if (isLoopback(address)) return family + 4;
  if (isPublicUnicast(address)) return family + 3;
  return family + (isPrivate(address) ? 1 : 2);
}

/** RFC 1918 and RFC 4193: the networks homes and offices have. */
function isPrivate(address: string): boolean {
  return isIP(address) === 6 || /^(10\.|192\.168\.|172\.(1[6-9]|2\d|3[01])\.)/.test(address);
}

/** One spelling per address; a socket of both families shows an IPv4 address inside an IPv6 one. */
function toPlainAddress(text: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(text.trim())?.[1];
  return normalizeAddress(mapped ?? text.trim());
}
