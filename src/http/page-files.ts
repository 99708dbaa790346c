/** The built files of the page, read once: nothing of a request ever becomes the name of a file. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { constants, gzipSync } from "node:zlib";
import { createEtag } from "./entity-tag.ts";

/** A file as it is answered. */
export interface PageFile {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** The same compressed, which is done when it is first asked for; undefined where that saves nothing. */
  gzip(): Uint8Array<ArrayBuffer> | undefined;
  readonly type: string;
  readonly etag: string;
  /** Its name changes with its content, so that a copy is right for ever. */
  readonly isImmutable: boolean;
}

const TYPES: Readonly<Record<string, string>> = {
  ".css": "text/css; charset=utf-8",
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".json": "application/json",
  ".svg": "image/svg+xml",
  ".woff2": "font/woff2",
};
/** The hash that the build puts into the names of chunks. */
const HASHED = /-[A-Z0-9]{8}\.(?:js|css)$/;

/** Where the package has its page: beside the built sources, and below `dist` of a checkout. */
const PLACES = ["../../web/", "../../dist/web/"];

/** The folder of the built page, the one named or the package's own; undefined before `npm run build:web`. */
export function findPageFolder(named: string | undefined): string | undefined {
  const folders = named === undefined ? PLACES.map((place) => fileURLToPath(new URL(place, import.meta.url))) : [named];
  return folders.find((folder) => existsSync(join(folder, "index.html")));
}

/**
 * The files of a folder by their paths below it, `index.html` with its addresses below `base`; `logs`: the page shows the
 * lines scripts write. Links are not followed, and files of a type the page has not are left out.
 */
export function readPageFiles(
  folder: string,
  { base, logs }: { readonly base: string; readonly logs: boolean },
): ReadonlyMap<string, PageFile> {
  const names = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return new Map(
    names.flatMap(({ name, parentPath }) => {
      const type = TYPES[extname(name)];
      if (type === undefined) return [];
      const path = join(parentPath, name);
      const bytes = readFileSync(path);
      const below = path.slice(join(folder, "/").length).replaceAll("\\", "/");
      return [[below, makeFile(below, type, below === "index.html" ? writePage(bytes, base, logs) : bytes)] as const];
    }),
  );
}

function writePage(page: Buffer, base: string, logs: boolean): Buffer {
  const placed = page.toString("utf8").replaceAll(/(src|href)="\//g, `$1="${base}`);
  return Buffer.from(logs ? placed.replace("<html ", "<html data-logs ") : placed);
}

/**
 * Compresses once what is sent often: the memory of zlib decides how long its blocks are, and which are best differs by the
 * file.
 */
export function gzipSmall(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const all = [5, 6, 7, 8].map((memLevel) => gzipSync(bytes, { level: constants.Z_BEST_COMPRESSION, memLevel }));
  return new Uint8Array(all.reduce((one, other) => (other.length < one.length ? other : one)));
}

function makeFile(path: string, type: string, bytes: Uint8Array): PageFile {
  let gzipped: Uint8Array<ArrayBuffer> | undefined;
  return {
    bytes: new Uint8Array(bytes),
    gzip() {
      if (type.startsWith("font/")) return undefined;
      gzipped ??= gzipSmall(bytes);
      return gzipped.length < bytes.length ? gzipped : undefined;
    },
    type,
    etag: createEtag(bytes),
    isImmutable: HASHED.test(path),
  };
}
