/** Pages of other origins: browsers send them along with what they ask, the cookies of this one too. */
import { createProblemDetails, type ProblemDetails } from "./problem-details.ts";

/** What a request says of the page it comes from; programs say nothing of one. */
export interface PageOfRequest {
  readonly host: string | undefined;
  readonly origin: string | undefined;
  /** `Sec-Fetch-Site`: browsers say it where they reach this server by https, or on loopback. */
  readonly fetchSite: string | undefined;
  /** The scheme this server is reached by, where that is known: behind a proxy it often is not. */
  readonly scheme?: string | undefined;
}

/** `none`: a person typed the address. */
const OWN_SITES: ReadonlySet<string> = new Set(["same-origin", "none"]);
const SCHEMES: ReadonlySet<string> = new Set(["http:", "https:"]);
/** Methods that change nothing. */
export const READS: ReadonlySet<string> = new Set(["GET", "HEAD"]);

/** The refusal of a request of a foreign page; null for one of an own page, of an allowed origin, or of a program. */
export function refuseForeignPage(
  page: PageOfRequest,
  allowedOrigins: ReadonlySet<string> = new Set(),
): ProblemDetails | null {
  const { origin, fetchSite } = page;
  if (origin !== undefined && allowedOrigins.has(origin)) return null;
  if (origin !== undefined && !isOwnOrigin(origin, page)) {
    return createProblemDetails("HTTP_ORIGIN_REFUSED", `a page of "${origin}" may not call this server`);
  }
  if (fetchSite !== undefined && !OWN_SITES.has(fetchSite)) {
    return createProblemDetails("HTTP_ORIGIN_REFUSED", "a page of another origin may not call this server");
  }
  return null;
}

/** Origins as browsers write them. Throws for what is none. */
export function readOrigins(named: readonly string[]): ReadonlySet<string> {
  return new Set(
    named.map((text) => {
      const url = URL.canParse(text) ? new URL(text) : undefined;
      if (url !== undefined && SCHEMES.has(url.protocol)) return url.origin;
      throw new Error(`"${text}" is no origin such as "https://nas.example"`);
    }),
  );
}

function isOwnOrigin(origin: string, { host = "", scheme }: PageOfRequest): boolean {
  if (!URL.canParse(origin)) return false;
  const { protocol, host: own } = new URL(origin);
  if (!SCHEMES.has(protocol) || (scheme !== undefined && protocol !== `${scheme}:`)) return false;
  // Read as an address of that scheme, a host loses a port that goes without saying.
  return URL.canParse(`${protocol}//${host}`) && new URL(`${protocol}//${host}`).host === own;
}
