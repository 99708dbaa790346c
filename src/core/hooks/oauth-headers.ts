/**
 * The headers an OAuth flow may send. An allow-list: what names the client and the form of the answer, never what frames
 * the message, routes it, or carries authority (`host`, `cookie`, `authorization`, `x-forwarded-*`).
 */
const NAMES = ["accept", "accept-language", "content-type", "user-agent", "client-id", "x-api-key", "x-api-version"];
const PREFIXES = ["x-plex-", "x-emby-", "x-client-", "x-device-", "x-app-"];

/** Of a header's value: printable ASCII, at most 1,024 characters. */
export const PROVIDER_HEADER_VALUE = /^[\x20-\x7e]{0,1024}$/;

/** Of a header's name, in any case; without flags, so that it can stand in a JSON Schema. */
export const PROVIDER_HEADER_NAME = new RegExp(
  `^(${[...NAMES, "x-client", ...PREFIXES.map((prefix) => `${prefix}[a-z0-9-]{1,64}`)].map(ignoreCase).join("|")})$`,
);

/** The allowed values, for the end of a sentence. */
export const PROVIDER_HEADERS = [...NAMES, "x-client", ...PREFIXES.map((prefix) => `${prefix}*`)].join(", ");

/** Each letter outside a quantifier as a class of both its cases. */
function ignoreCase(pattern: string): string {
  return pattern
    .replaceAll("[a-z0-9-]", "[A-Z-a-z0-9]")
    .replaceAll(/\[[^\]]*\]|[a-z]/g, (part) => (part.length > 1 ? part : `[${part.toUpperCase()}${part}]`));
}

/** Whether an OAuth flow may send a header of this name and value. */
export function isProviderHeader(name: string, value: string): boolean {
  return PROVIDER_HEADER_NAME.test(name) && PROVIDER_HEADER_VALUE.test(value);
}
