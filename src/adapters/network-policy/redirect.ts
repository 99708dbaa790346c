/** Redirects by hand, as the Fetch standard has them (HTTP-redirect fetch), with credentials kept to their origin. */
import type { ScriptIoRequest } from "../../../sandbox/contract.ts";

/** Most redirects followed. */
export const REDIRECTS = 5;

const STATUSES: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** Headers that may go to another origin than the one the script named; any other may be a credential. */
const HARMLESS: ReadonlySet<string> = new Set([
  "accept",
  "accept-language",
  "cache-control",
  "content-language",
  "content-type",
  "if-modified-since",
  "if-none-match",
  "range",
  "user-agent",
]);

const OF_THE_BODY: ReadonlySet<string> = new Set([
  "content-encoding",
  "content-language",
  "content-location",
  "content-type",
]);

/** Tells whether a response is a redirect. */
export function isRedirect(status: number): boolean {
  return STATUSES.has(status);
}

/** The request a redirect asks for; null where its target is no URL. */
export function followRedirect(request: ScriptIoRequest, status: number, location: string): ScriptIoRequest | null {
  const from = new URL(request.url);
  const to = URL.parse(location, from.href);
  if (to === null) return null;
  if (to.hash === "") to.hash = from.hash;
  const toGet =
    (status === 303 && request.method !== "GET" && request.method !== "HEAD") ||
    ((status === 301 || status === 302) && request.method === "POST");
  const headers = request.headers
    .filter(([name]) => to.origin === from.origin || HARMLESS.has(name.toLowerCase()))
    .filter(([name]) => !toGet || !OF_THE_BODY.has(name.toLowerCase()));
  return {
    ...request,
    url: to.href,
    headers,
    ...(toGet && { method: "GET", body: null }),
  };
}
