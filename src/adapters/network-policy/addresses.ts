/**
 * Which addresses are public unicast. A deny list over the whole of both families: what is reserved, private, local,
 * multicast, for documentation, or carries an IPv4 address inside an IPv6 one (RFC 6890, RFC 4291, RFC 6052, RFC 3056,
 * RFC 4380). Node's `BlockList` matches `::ffff:a.b.c.d` with IPv4 rules but not `::a.b.c.d`, so `::/96` is a row.
 */
import { BlockList, isIP } from "node:net";

const IPV4 = [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24],
  ["192.88.99.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["224.0.0.0", 4],
  ["240.0.0.0", 4],
] as const;

const IPV6 = [
  ["::", 96],
  ["::ffff:0:0", 96],
  ["64:ff9b::", 96],
  ["64:ff9b:1::", 48],
  ["100::", 64],
  ["2001::", 23],
  ["2001:db8::", 32],
  ["2002::", 16],
  ["3fff::", 20],
  ["5f00::", 16],
  ["fc00::", 7],
  ["fe80::", 10],
  ["fec0::", 10],
  ["ff00::", 8],
] as const;

// one list per family: in a common one `::ffff:0:0/96` would match every IPv4 address
const DENIED_IPV4 = new BlockList();
for (const [net, prefix] of IPV4) DENIED_IPV4.addSubnet(net, prefix, "ipv4");
const DENIED_IPV6 = new BlockList();
for (const [net, prefix] of IPV6) DENIED_IPV6.addSubnet(net, prefix, "ipv6");

/** Tells whether an IP literal is a public unicast address; anything that is no plain literal is not. */
export function isPublicUnicast(address: string): boolean {
  const family = isIP(address);
  if (family === 4) return !DENIED_IPV4.check(address, "ipv4");
  // a zone (`fe80::1%eth0`) belongs to link-local addresses only
  if (family !== 6 || address.includes("%")) return false;
  return isGlobalUnicast(address) && !DENIED_IPV6.check(address, "ipv6");
}

/** 2000::/3, all that IANA has given out as global unicast. */
function isGlobalUnicast(address: string): boolean {
  const [first = ""] = address.split(":");
  const group = Number.parseInt(first, 16);
  return group >= 0x2000 && group <= 0x3fff;
}

/** Bits of the networks a site gets from its provider: a /48 at most in IPv6, and what shares a /24 in IPv4. */
const SITE_BITS = { ipv4: 24, ipv6: 48 } as const;

/**
 * Tells whether a public address lies in the network of another one: with public addresses at home, those of the router,
 * the printer and the neighbours behind the same firewall.
 */
export function isOfSite(own: string, address: string): boolean {
  const family = isIP(own) === 4 ? "ipv4" : "ipv6";
  if (isIP(own) !== isIP(address) || !isPublicUnicast(own)) return false;
  const site = new BlockList();
  site.addSubnet(own, SITE_BITS[family], family);
  return site.check(address, family);
}

/** Refused as a host's LAN address, which is private or public, of one machine, and reached over a network. */
const NOT_LAN = new BlockList();
for (const [net, prefix] of [
  ["0.0.0.0", 8],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["224.0.0.0", 3],
] as const) {
  NOT_LAN.addSubnet(net, prefix, "ipv4");
}

/** Tells whether an IP literal can be the address of a host in a LAN: neither loopback, link-local nor multicast. */
export function isLanAddress(address: string): boolean {
  if (isIP(address) === 4) return !NOT_LAN.check(address, "ipv4");
  return isPublicUnicast(address) || (isIP(address) === 6 && /^f[cd]/.test(normalizeAddress(address)));
}

/** Tells whether an IP literal is a loopback address in its plain form (`127.0.0.0/8`, `::1`). */
export function isLoopback(address: string): boolean {
  return isIP(address) === 4 ? address.startsWith("127.") : normalizeAddress(address) === "::1";
}

/** One spelling per address, so that two can be compared. */
export function normalizeAddress(address: string): string {
  if (isIP(address) !== 6) return address;
  return URL.parse(`http://[${address}]/`)?.hostname.slice(1, -1) ?? address;
}
