import { type Context, Hono, type HonoRequest } from "hono";
import { readScheme } from "./client-address.ts";
import { matchesEtag } from "./entity-tag.ts";
import { findPageFolder, type PageFile, readPageFiles } from "./page-files.ts";
import { NO_SNIFF } from "./problem-details.ts";
import { isLoopback } from "./server-address.ts";

export interface PageOptions {
  /** The path the page stands at, e.g. `/slipway/`; it calls the interface at `api` below it. Default: `/`. */
  readonly base?: string;
  /** `base` is taken off each path before the page sees it, as Hono's `mount` does. Default: it is not, as with `route`. */
  readonly isStripped?: boolean;
  /** Folder of its built files. Default: the package's own. */
  readonly files?: string;
  /** Show the lines scripts write with `ctx.log`: they are for developers, and in no owner's words. Default: false. */
  readonly logs?: boolean;
}

/** The first segments of the page's own addresses: below each of them it shows what it knows, or that it knows it not. */
export const PAGE_AREAS: readonly string[] = [
  "",
  "apps",
  "activity",
  "audit",
  "files",
  "health",
  "notifications",
  "upgrades",
];

/** Of the page's document and of its workers. Elements find what they need beside them, and load nothing from elsewhere. */
const POLICY = [
  "default-src 'self'",
  "img-src 'self' data:",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types lit-html slipway",
].join("; ");

const HEADERS = {
  "content-security-policy": POLICY,
  "cross-origin-resource-policy": "same-origin",
  "referrer-policy": "no-referrer",
  ...NO_SNIFF,
} as const;
/** For documents that browsers trust to be what was sent, by https or from their own machine: of others they complain of it. */
const ALONE = { "cross-origin-opener-policy": "same-origin" } as const;

/**
 * The page as a Hono app of files in memory: mount it beside `createHttpApp` behind your own authentication. It answers
 * GET and HEAD of its own addresses below `base` and leaves every other one to whatever comes after it. Throws where
 * `base` is no path or the page was not built.
 */
export function createPage(options: PageOptions = {}): Hono {
  return openPage(options).app;
}

/** The page, and which paths are its own. */
export interface OpenedPage {
  readonly app: Hono;
  /** What a path is of: a document a browser shows, a file of it, or nothing of the page. */
  classify(path: string): "document" | "file" | undefined;
}

/** Reads the page's files; see `createPage`. */
export function openPage(options: PageOptions = {}): OpenedPage {
  const base = readBase(options.base ?? "/");
  const folder = findPageFolder(options.files);
  const files = folder === undefined ? undefined : readPageFiles(folder, { base, logs: options.logs ?? false });
  const index = files?.get("index.html");
  if (files === undefined || index === undefined) throw new Error("the page is not built: npm run build:web");
  const strip = options.isStripped === true ? (path: string) => path.slice(1) : (path: string) => readBelow(path, base);
  const app = new Hono();
  app.all("*", async (c, next) => {
    const below = strip(c.req.path);
    const file = below === null ? undefined : (files.get(below) ?? (isDocument(below) ? index : undefined));
    if (file === undefined) return next();
    const { method } = c.req;
    if (method !== "GET" && method !== "HEAD") {
      return c.text("Method Not Allowed", 405, { ...HEADERS, allow: "GET, HEAD" });
    }
    return answer(c, file);
  });
  return {
    app,
    classify: (path) => {
      const below = strip(path);
      if (below === null) return undefined;
      if (isDocument(below)) return "document";
      return files.has(below) ? "file" : undefined;
    },
  };
}

function answer(c: Context, file: PageFile): Response {
  const headers = {
    ...HEADERS,
    ...(isTrustworthy(c.req) && ALONE),
    "cache-control": file.isImmutable ? "public, max-age=31536000, immutable" : "no-cache",
    etag: file.etag,
    vary: "accept-encoding",
  };
  if (matchesEtag(c.req.header("if-none-match"), file.etag)) return c.body(null, 304, headers);
  const typed = { ...headers, "content-type": file.type };
  const gzipped = /\bgzip\b/.test(c.req.header("accept-encoding") ?? "") ? file.gzip() : undefined;
  if (gzipped === undefined) return c.body(file.bytes, 200, typed);
  return c.body(gzipped, 200, { ...typed, "content-encoding": "gzip" });
}

/**
 * Whether a browser takes the answer as one nobody else has had in hand. A proxy is believed whoever it is: what a request says
 * of itself decides about nothing but one header of its own answer.
 */
function isTrustworthy(request: HonoRequest): boolean {
  const { protocol, hostname } = new URL(request.url);
  const scheme = readScheme(request.header("x-forwarded-proto")) ?? protocol.slice(0, -1);
  return scheme === "https" || isLoopback(hostname.replace(/^\[(.*)\]$/, "$1"));
}

/** A path with a slash at both ends that can stand in an attribute as it is. */
function readBase(base: string): string {
  const whole = base.endsWith("/") ? base : `${base}/`;
  if (/^\/(?:[\w~-][\w.~-]*\/)*$/.test(whole)) return whole;
  throw new Error(`"${base}" is not a path such as "/slipway/"`);
}

/** The path below the page's own; null where it lies elsewhere. */
function readBelow(path: string, base: string): string | null {
  return `${path}/`.startsWith(base) ? path.slice(base.length) : null;
}

function isDocument(below: string): boolean {
  return PAGE_AREAS.includes(below.split("/", 1)[0] ?? "");
}
