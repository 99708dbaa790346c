/** Bundles scripts: esbuild over an in-memory plugin, so that an import reaches nothing the plugin does not hand out. */
import { createHash } from "node:crypto";
import { readFile, realpath } from "node:fs/promises";
import { extname, join } from "node:path";
import { type BuildOptions, type BuildResult, build, type Loader, type Message, type Plugin } from "esbuild";
import { type ParseError, parse, printParseErrorCode } from "jsonc-parser";
import type { Code } from "../src/core/codes.ts";
import { BUNDLE_BYTES, FILE_BYTES, FILES, findFile } from "./bundle-files.ts";
import { BundleFault, ENTRY, problemAt, problemOf, withoutNamespace } from "./bundle-problems.ts";
import { BundlerDied, withEsbuild } from "./bundle-service.ts";
import type { CompileRequest, CompileResult } from "./contract.ts";
import { SCRIPT_BUNDLE, VIRTUAL_MODULES } from "./ops.ts";

/** Most compiled scripts kept. */
const CACHED = 256;

/** Compiles scripts; see `Sandbox.compile`. */
export interface Compiler {
  compile(request: CompileRequest): Promise<CompileResult>;
}

/** A compiler with a cache: a script is built again only when a file it was made of has changed. */
export function createCompiler(): Compiler {
  const cache = new Map<string, Compiled>();
  const compile = async (request: CompileRequest): Promise<CompileResult> => {
    const root = request.root === null ? null : await realpath(request.root);
    const key = sha256(JSON.stringify([root, request.source, request.entrypoint, request.label]));
    const cached = cache.get(key);
    if (cached !== undefined && (await isFresh(cached, root))) return cached.result;
    const files = new Map<string, string>();
    const result = await withEsbuild(() => compileScript({ ...request, root }, files)).catch((error: unknown) => {
      if (error instanceof BundlerDied) return failure(request, "the script can't be bundled, it nests too deeply");
      throw error;
    });
    cache.delete(key);
    // not to be tried again: what kills the bundler. Another fault may be mended by a file that was not there
    if (result.ok || isBundlerFault(result)) {
      cache.set(key, { result, files });
      const [oldest] = cache.keys();
      if (cache.size > CACHED && oldest !== undefined) cache.delete(oldest);
    }
    return result;
  };
  return {
    compile: (request) =>
      compile(request).catch((error: unknown) =>
        failure(request, `the script can't be bundled: ${error instanceof Error ? error.message : String(error)}`),
      ),
  };
}

interface Compiled {
  readonly result: CompileResult;
  /** Content hash of every file the script was made of. */
  readonly files: ReadonlyMap<string, string>;
}

function failure({ source, label }: CompileRequest, message: string): CompileResult {
  const file = source.kind === "file" ? source.path : label;
  return { ok: false, problems: [problemAt("SANDBOX_NOT_BUNDLED", message, file)] };
}

function isBundlerFault(result: CompileResult): boolean {
  return !result.ok && result.problems.some(({ code }) => code === "SANDBOX_NOT_BUNDLED");
}

async function isFresh({ files }: Compiled, root: string | null): Promise<boolean> {
  if (root === null) return true;
  for (const [path, hash] of files) {
    const text = await readFile(join(root, path), "utf8").catch(() => null);
    if (text === null || sha256(text) !== hash) return false;
  }
  return true;
}

async function compileScript(request: CompileRequest, files: Map<string, string>): Promise<CompileResult> {
  const { source, entrypoint, label } = request;
  const file = source.kind === "file" ? source.path : label;
  const fail = (code: Code, message: string): CompileResult => ({
    ok: false,
    problems: [problemAt(code, message, file)],
  });
  if (!/^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u.test(entrypoint)) {
    return fail("SANDBOX_ENTRYPOINT_MISSING", `"${entrypoint}" is no name of a function`);
  }
  if (source.kind === "inline" && Buffer.byteLength(source.content) > FILE_BYTES) {
    return fail("SANDBOX_SCRIPT_TOO_LARGE", `the script is larger than the allowed ${FILE_BYTES} bytes`);
  }
  // an export by name is esbuild's own check that the entrypoint exists
  const built = await tryBuild({
    ...BUILD,
    plugins: [scriptFiles(request, files)],
    stdin: { contents: `export { ${entrypoint} } from ${JSON.stringify(ENTRY)};`, sourcefile: ENTRY, loader: "js" },
  });
  if (!built.ok) {
    if (built.errors.some(isMissingExport))
      return fail("SANDBOX_ENTRYPOINT_MISSING", await missingExport(request, file));
    return { ok: false, problems: built.errors.map((message) => problemOf(message, file)) };
  }
  if (built.result.warnings.some(isMissingExport))
    return fail("SANDBOX_ENTRYPOINT_MISSING", await missingExport(request, file));
  const [map, code] = built.result.outputFiles ?? [];
  if (map === undefined || code === undefined) throw new Error("esbuild wrote no bundle");
  if (code.contents.length > BUNDLE_BYTES) {
    return fail("SANDBOX_SCRIPT_TOO_LARGE", `the bundled script is larger than the allowed ${BUNDLE_BYTES} bytes`);
  }
  return {
    ok: true,
    script: { sha256: sha256(code.text), code: code.text, sourceMap: withAuthorsNames(map.text) },
  };
}

const BUILD = {
  bundle: true,
  write: false,
  outfile: "script.js",
  format: "iife",
  globalName: SCRIPT_BUNDLE.exports,
  // no lowering: it would change the number of microtasks
  target: "esnext",
  sourcemap: "external",
  keepNames: true,
  charset: "utf8",
  logLevel: "silent",
  logLimit: 0,
  tsconfigRaw: "{}",
} as const satisfies BuildOptions;

type Built =
  | { readonly ok: true; readonly result: BuildResult }
  | { readonly ok: false; readonly errors: readonly Message[] };

async function tryBuild(options: BuildOptions): Promise<Built> {
  try {
    return { ok: true, result: await build(options) };
  } catch (error) {
    if (error instanceof Error && "errors" in error && Array.isArray(error.errors))
      return { ok: false, errors: error.errors };
    throw error;
  }
}

/** An error for a file with other exports, a warning for one without any. */
function isMissingExport({ id, location, text }: Message): boolean {
  return location?.file === ENTRY && (text.startsWith("No matching export") || id === "import-is-undefined");
}

/** Says what is exported instead. */
async function missingExport(request: CompileRequest, file: string): Promise<string> {
  const built = await tryBuild({
    ...BUILD,
    format: "esm",
    metafile: true,
    plugins: [scriptFiles(request, new Map())],
    stdin: { contents: `export * from ${JSON.stringify(ENTRY)};`, sourcefile: ENTRY, loader: "js" },
  });
  const outputs = built.ok ? Object.values(built.result.metafile?.outputs ?? {}) : [];
  const names = outputs.flatMap(({ exports }) => exports).filter((name) => name !== "default");
  const instead =
    names.length === 0 ? "it exports nothing" : `its exports are ${names.map((n) => `"${n}"`).join(", ")}`;
  return `"${file}" has no export "${request.entrypoint}", ${instead}`;
}

/** Hands out the script's own files and the virtual modules, and refuses everything else. */
function scriptFiles({ root, source, label }: CompileRequest, files: Map<string, string>): Plugin {
  const paths = new Set<string>();
  return {
    name: "script-files",
    setup: (plugin) => {
      plugin.onResolve({ filter: /.*/ }, async ({ path, importer, namespace, kind }) => {
        if (path === ENTRY && source.kind === "inline") return { path: label, namespace: "inline" };
        if (VIRTUAL.has(path) && kind !== "require-call") return { path, namespace: "virtual" };
        const isEntry = path === ENTRY && source.kind === "file";
        if (!isEntry && (!/^\.\.?\//.test(path) || kind === "require-call" || kind === "require-resolve")) {
          return fault("SANDBOX_IMPORT_FORBIDDEN", `"${path}" can't be imported, allowed are ${ALLOWED}`);
        }
        if (root === null) {
          return fault("SANDBOX_FILE_MISSING", `"${path}" can't be imported by code without a catalog`);
        }
        const from = namespace === "catalog" ? importer : "";
        const found = await findFile(root, from, isEntry ? source.path : path);
        if (!found.ok) return fault(found.code, found.message);
        paths.add(found.path);
        if (paths.size > FILES) {
          return fault("SANDBOX_SCRIPT_TOO_LARGE", `the script has more than the allowed ${FILES} files`);
        }
        return { path: found.path, namespace: "catalog" };
      });
      plugin.onLoad({ filter: /.*/, namespace: "virtual" }, ({ path }) => ({
        contents: `module.exports = ${SCRIPT_BUNDLE.modules}(${JSON.stringify(path)});`,
        loader: "js",
      }));
      plugin.onLoad({ filter: /.*/, namespace: "inline" }, () => ({
        contents: source.kind === "inline" ? source.content : "",
        loader: "ts",
      }));
      plugin.onLoad({ filter: /.*/, namespace: "catalog" }, async ({ path }) => {
        const text = await readFile(join(root ?? "", path), "utf8");
        files.set(path, sha256(text));
        return path.endsWith(".jsonc") ? loadJsonc(path, text) : { contents: text, loader: loaderOf(path) };
      });
    },
  };
}

const VIRTUAL: ReadonlySet<string> = new Set(VIRTUAL_MODULES);
const ALLOWED = `relative .ts, .js, .json and .jsonc files of the catalog, ${VIRTUAL_MODULES.join(", ")}`;

function fault(code: Code, text: string) {
  return { errors: [{ text, detail: new BundleFault(code) }] };
}

function loaderOf(path: string): Loader {
  return extname(path) === ".json" ? "json" : extname(path) === ".js" ? "js" : "ts";
}

/** esbuild's own loader knows neither comments nor trailing commas. */
function loadJsonc(path: string, text: string) {
  const errors: ParseError[] = [];
  const value: unknown = parse(text, errors, { allowTrailingComma: true });
  const [first] = errors;
  if (first === undefined) return { contents: JSON.stringify(value), loader: "json" as const };
  const before = text.slice(0, first.offset).split("\n");
  const column = Buffer.byteLength(before.at(-1) ?? "");
  const lineText = text.split("\n")[before.length - 1] ?? "";
  const location = { file: path, line: before.length, column, length: first.length, lineText };
  return { errors: [{ text: `${printParseErrorCode(first.error)} in JSON with comments`, location }] };
}

/** The source map with sources named as authors know them, relative to the catalog's root. */
function withAuthorsNames(text: string): string {
  const map: { sources: string[] } = JSON.parse(text);
  return JSON.stringify({ ...map, sources: map.sources.map(withoutNamespace) });
}

function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
