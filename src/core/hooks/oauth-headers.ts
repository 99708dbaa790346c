/**
 * The headers an OAuth flow may send: those a page's own `fetch` may set. Forbidden are those that frame the message, route it
 * or say who asks for whom (https://fetch.spec.whatwg.org/#forbidden-request-header).
 */
const FORBIDDEN = [
  "accept-charset",
  "accept-encoding",
  "access-control-request-headers",
  "access-control-request-method",
  "access-control-request-private-network",
  "connection",
  "content-length",
  "cookie",
  "cookie2",
  "date",
  "dnt",
  "expect",
  "host",
  "keep-alive",
  "origin",
  "referer",
  "set-cookie",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
  "via",
  "x-http-method",
  "x-http-method-override",
  "x-method-override",
];
const FORBIDDEN_PREFIXES = ["proxy-", "sec-"];

/** Most headers of a flow, and most characters of all their names and values. */
export const PROVIDER_HEADER_LIMITS = { count: 20, characters: 4_096 } as const;

/** Of a header's value: what fits in one line. */
export const PROVIDER_HEADER_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;

const FORBIDDEN_NAME = `${FORBIDDEN.map(ignoreCase).join("|")}|(${FORBIDDEN_PREFIXES.map(ignoreCase).join("|")}).*`;

/** Of a header's name, in any case; without flags, so that it can stand in a JSON Schema. */
export const PROVIDER_HEADER_NAME = new RegExp(`^(?!(${FORBIDDEN_NAME})$)[!#$%&'*+.^_\`|~0-9A-Za-z-]+$`);

/** The headers no flow may send, for the end of a sentence. */
export const FORBIDDEN_HEADERS = [...FORBIDDEN, ...FORBIDDEN_PREFIXES.map((prefix) => `${prefix}*`)].join(", ");

/** Each letter as a class of both its cases. */
function ignoreCase(text: string): string {
  return text.replaceAll(/[a-z]/g, (letter) => `[${letter.toUpperCase()}${letter}]`);
}

/** Whether an OAuth flow may send a header of this name and value. */
export function isProviderHeader(name: string, value: string): boolean {
  return PROVIDER_HEADER_NAME.test(name) && PROVIDER_HEADER_VALUE.test(value);
}

/** Whether an OAuth flow may send as many headers as these. */
export function fitProviderHeaders(headers: Readonly<Record<string, string>>): boolean {
  const entries = Object.entries(headers);
  const { count, characters } = PROVIDER_HEADER_LIMITS;
  return entries.length <= count && entries.flat().join("").length <= characters;
}
