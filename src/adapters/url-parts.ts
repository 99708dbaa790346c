/** The parts of a URL that a connection is opened to. */

/** The port a URL names or its scheme implies: 443 for `https:` and `wss:`, else 80. */
export function readPort({ port, protocol }: URL): number {
  if (port !== "") return Number(port);
  return protocol === "https:" || protocol === "wss:" ? 443 : 80;
}

/** A URL's host without the brackets of an IPv6 literal. */
export function readHost({ hostname }: URL): string {
  return hostname.startsWith("[") ? hostname.slice(1, -1) : hostname;
}
