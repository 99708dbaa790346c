/** Which files of web-platform-tests are run, and what their `META` comments ask for. */
import { globSync, readFileSync } from "node:fs";
import { dirname, join, posix } from "node:path";

/** The areas the sandbox promises, as glob patterns below the suite's root. */
export const AREAS = {
  url: ["url/*.any.js"],
  encoding: ["encoding/**/*.any.js"],
  streams: ["streams/**/*.any.js"],
  "dom/abort": ["dom/abort/*.any.js"],
  "dom/events": ["dom/events/*.any.js"],
  FileAPI: ["FileAPI/blob/*.any.js", "FileAPI/file/*.any.js"],
  atob: ["html/webappapis/atob/*.any.js"],
  "structured-clone": ["html/webappapis/structured-clone/*.any.js"],
  timers: ["html/webappapis/timers/*.any.js"],
  "microtask-queuing": ["html/webappapis/microtask-queuing/*.any.js"],
  "WebCryptoAPI random": ["WebCryptoAPI/getRandomValues.any.js", "WebCryptoAPI/randomUUID.https.any.js"],
} as const;
export type Area = keyof typeof AREAS;

/** One page of the suite: a file with one of its variants. */
export interface TestPage {
  readonly area: Area;
  /** Path below the suite's root, with the variant's query. */
  readonly name: string;
  /** Path below the suite's root. */
  readonly file: string;
  /** What `location.search` is. */
  readonly search: string;
  readonly title: string;
  /** The file's text after that of its `META: script` files, in order. */
  readonly code: string;
}

/** Reads every page of the areas but the files named to be skipped. */
export function selectPages(root: string, skipped: ReadonlySet<string>): TestPage[] {
  return Object.entries(AREAS).flatMap(([area, patterns]) =>
    globSync([...patterns], { cwd: root })
      .filter((file) => !skipped.has(file))
      .toSorted()
      .flatMap((file) => readPages(root, area as Area, file)),
  );
}

function readPages(root: string, area: Area, file: string): TestPage[] {
  const text = readFileSync(join(root, file), "utf8");
  const metas = [...text.matchAll(/^\/\/ META: (\w+)=(.*)$/gm)];
  const values = (key: string) => metas.filter((meta) => meta[1] === key).map((meta) => meta[2]?.trim() ?? "");
  const scripts = values("script").map((path) => readFileSync(join(root, resolvePath(file, path)), "utf8"));
  const variants = values("variant");
  return (variants.length === 0 ? [""] : variants).map((search) => ({
    area,
    name: `${file}${search}`,
    file,
    search,
    title: values("title")[0] ?? file,
    code: [...scripts, text].join("\n;\n"),
  }));
}

function resolvePath(file: string, path: string): string {
  return path.startsWith("/") ? path.slice(1) : posix.join(dirname(file), path);
}
