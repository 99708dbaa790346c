/** An IP address as it stands in a URL: IPv6 in brackets. */
export function toUrlHost(address: string): string {
  return address.includes(":") ? `[${address}]` : address;
}

/** Whether an address put between two texts stands in a URL or before a port, where IPv6 takes brackets. */
export function standsInUrl(before: string, after: string): boolean {
  return /(\/\/|@)$/.test(before) || (after.startsWith(":") && !before.endsWith("["));
}
