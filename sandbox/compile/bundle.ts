/**
 * Compiles scripts: the bundler's process does the work (bundler/), the files are found and read here.
 *
 * Invariant: a bundle is made of what was served for it and of nothing else, as far as the bundler can be held to its
 * word: a name it was not given ends it.
 */

import { createHash } from "node:crypto";
import { realpath } from "node:fs/promises";
import type { Code } from "../../src/core/codes/code.ts";
import { readMessage } from "../../src/core/codes/read-message.ts";
import type { CompiledScript, CompileRequest, CompileResult, SandboxLayer } from "../contract.ts";
import { VIRTUAL_MODULES } from "../protocol/ops.ts";
import { FILE_BYTES, FILES, type FoundFile, findFile, rereadFile, SCRIPT_BYTES } from "./bundle-files.ts";
import { createFileProblem, dropNamespace, toProblem } from "./bundle-problems.ts";
import { Bundlers } from "./bundler/bundlers.ts";
import { type BundlerAnswer, ENTRY } from "./bundler/messages.ts";
import type { BundleOutcome, ServedFile } from "./bundler/process.ts";
import { type StarterOptions, WeakIsolationError } from "./bundler/starter.ts";

/** Most compiled scripts kept. */
const CACHED = 256;
/** How long a script that ends the bundler or takes it too long is not tried again, ms. */
const BAD_MS = 10 * 60_000;

/** Compiles scripts; see `Sandbox.compile`. */
export interface Compiler {
  compile(request: CompileRequest): Promise<CompileResult>;
  /** Starts the process of an app whose scripts are about to be compiled. */
  prepare(app: string): void;
  /** The isolation of the processes. */
  layer(): Promise<SandboxLayer>;
  /** Ends the processes; resolves when nothing is left of them. */
  close(): Promise<void>;
}

/** A compiler with a cache: a script is built again only when a file it was made of has changed. It closes its bundlers. */
export function createCompiler(options: StarterOptions, bundlers = new Bundlers(options)): Compiler {
  return new CachingCompiler(bundlers);
}

class CachingCompiler implements Compiler {
  readonly #bundlers: Bundlers;
  readonly #cache = new Map<string, Compiled>();

  constructor(bundlers: Bundlers) {
    this.#bundlers = bundlers;
  }

  async compile(request: CompileRequest): Promise<CompileResult> {
    try {
      return await this.#compileUnlessCached(request);
    } catch (error) {
      const message = readMessage(error);
      if (error instanceof WeakIsolationError) return createFailure(request, "SANDBOX_UNAVAILABLE", message);
      return createFailure(request, "SANDBOX_NOT_BUNDLED", `the script can't be bundled: ${message}`);
    }
  }

  prepare(app: string): void {
    this.#bundlers.prepare(app);
  }

  layer(): Promise<SandboxLayer> {
    return this.#bundlers.layer();
  }

  close(): Promise<void> {
    return this.#bundlers.close();
  }

  async #compileUnlessCached(request: CompileRequest): Promise<CompileResult> {
    const root = request.root === null ? null : await realpath(request.root);
    const key = hashText(JSON.stringify([request.app, root, request.source, request.entrypoint, request.label]));
    const cached = this.#cache.get(key);
    if (cached !== undefined && (await isFresh(cached, root))) return cached.result;
    const { result, texts, isBad } = await compileScript({ ...request, root }, this.#bundlers);
    this.#cache.delete(key);
    // another error may be mended by a file that was not there
    if (result.ok || isBad) {
      const hashes = new Map([...texts].map(([name, text]) => [name, hashText(text)]));
      this.#cache.set(key, { result, hashes, until: isBad ? performance.now() + BAD_MS : Number.POSITIVE_INFINITY });
      const [oldest] = this.#cache.keys();
      if (this.#cache.size > CACHED && oldest !== undefined) this.#cache.delete(oldest);
    }
    return result;
  }
}

interface Compiled {
  readonly result: CompileResult;
  /** Content hash of every file the script was made of, by its name with its namespace. */
  readonly hashes: ReadonlyMap<string, string>;
  /** Forgotten then, ms of the monotonic clock. */
  readonly until: number;
}

async function isFresh({ hashes, until }: Compiled, root: string | null): Promise<boolean> {
  if (performance.now() > until) return false;
  for (const [name, hash] of hashes) {
    if (root === null || !name.startsWith(CATALOG)) continue;
    const text = await rereadFile(root, name.slice(CATALOG.length));
    if (text === null || hashText(text) !== hash) return false;
  }
  return true;
}

const CATALOG = "catalog:";
/** Modules that may be in a bundle beside files that were served. */
const OFFERED: ReadonlySet<string> = new Set([ENTRY, ...VIRTUAL_MODULES.map((name) => `virtual:${name}`)]);

interface Attempt {
  readonly result: CompileResult;
  /** Texts that were served, by name with namespace. */
  readonly texts: ReadonlyMap<string, string>;
  /** Not to be tried again soon: it ends the bundler. */
  readonly isBad: boolean;
}

async function compileScript(request: CompileRequest, bundlers: Bundlers): Promise<Attempt> {
  const { source, entrypoint, root } = request;
  const texts = new Map<string, string>();
  const end = (result: CompileResult, isBad = false): Attempt => ({ result, texts, isBad });
  const fail = (code: Code, message: string) => end(createFailure(request, code, message));
  if (!/^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u.test(entrypoint)) {
    return fail("SANDBOX_ENTRYPOINT_MISSING", `"${entrypoint}" is not a name of a function`);
  }
  const entry = await readEntry(request);
  if (!entry.ok) return fail(entry.code, entry.message);
  const namespace = source.kind === "file" ? "catalog" : "inline";
  texts.set(`${namespace}:${entry.path}`, entry.text);
  const outcome = await bundlers.ask(request.app, {
    order: { t: "bundle", entrypoint, entry: { namespace, path: entry.path } },
    text: entry.text,
    find: (specifier, from) => serveFile(root, texts, specifier, from),
  });
  if (outcome.kind !== "answered")
    return end(createFailure(request, "SANDBOX_NOT_BUNDLED", describeOutcome(outcome)), true);
  const { answer, body } = outcome;
  if (answer.t === "faulty") {
    return end({
      ok: false,
      problems: answer.diagnostics.map((diagnostic) => toProblem(diagnostic, texts, entry.path)),
    });
  }
  if (answer.t === "missing") {
    return fail("SANDBOX_ENTRYPOINT_MISSING", describeMissingExport(entry.path, entrypoint, answer.exports));
  }
  const script = answer.t === "built" ? readScript(answer, body, texts) : null;
  if (script === null) {
    const message = "the script can't be bundled: the bundler answered with what it was not given";
    await bundlers.discard(request.app);
    return end(createFailure(request, "SANDBOX_NOT_BUNDLED", message), true);
  }
  return end({ ok: true, script });
}

function createFailure({ source, label }: CompileRequest, code: Code, message: string): CompileResult {
  return { ok: false, problems: [createFileProblem(code, message, source.kind === "file" ? source.path : label)] };
}

async function readEntry({ source, label, root }: CompileRequest): Promise<FoundFile> {
  if (source.kind === "file") {
    if (root !== null) return findFile(root, "", source.path);
    return { ok: false, code: "SANDBOX_FILE_MISSING", message: `"${source.path}" can't be found without a catalog` };
  }
  if (Buffer.byteLength(source.content) <= FILE_BYTES) return { ok: true, path: label, text: source.content };
  const message = `the script is larger than the allowed ${FILE_BYTES} bytes`;
  return { ok: false, code: "SANDBOX_SCRIPT_TOO_LARGE", message };
}

/**
 * Serves the file an import names; the bundler's process may ask for anything, so nothing of the question is trusted.
 */
async function serveFile(
  root: string | null,
  texts: Map<string, string>,
  specifier: string,
  from: string,
): Promise<ServedFile> {
  if (root === null) {
    const message = `"${specifier}" can't be imported by code without a catalog`;
    return { ok: false, code: "SANDBOX_FILE_MISSING", message };
  }
  const found = await findFile(root, from, specifier);
  if (!found.ok) return found;
  const { path, text } = found;
  if (texts.has(CATALOG + path)) return { ok: true, path, text: null };
  const bytes = [...texts.values(), text].reduce((sum, each) => sum + Buffer.byteLength(each), 0);
  if (texts.size === FILES || bytes > SCRIPT_BYTES) {
    const message = `the script has more than the allowed ${FILES} files or ${SCRIPT_BYTES} bytes`;
    return { ok: false, code: "SANDBOX_SCRIPT_TOO_LARGE", message };
  }
  texts.set(CATALOG + path, text);
  return { ok: true, path, text };
}

function describeOutcome(outcome: Exclude<BundleOutcome, { kind: "answered" }>): string {
  if (outcome.kind === "late") return `the script can't be bundled: ${outcome.message}`;
  if (outcome.kind === "died") return "the script can't be bundled, it nests too deeply or needs too much memory";
  return `the script can't be bundled: the bundler was ended, ${outcome.message}`;
}

function describeMissingExport(file: string, entrypoint: string, exports: readonly string[]): string {
  const instead =
    exports.length === 0 ? "it exports nothing" : `its exports are ${exports.map((name) => `"${name}"`).join(", ")}`;
  return `"${file}" has no export "${entrypoint}", ${instead}`;
}

/**
 * The bundle with its source map: sources named as authors know them, relative to the catalog's root, and their texts as
 * they were served. Null where it is made of anything else.
 */
function readScript(
  { codeBytes, inputs, sources, names }: Extract<BundlerAnswer, { t: "built" }>,
  body: Buffer,
  texts: ReadonlyMap<string, string>,
): CompiledScript | null {
  const isKnown = (name: string) => texts.has(name) || OFFERED.has(name);
  const mappings = body.toString("latin1", codeBytes);
  if (!inputs.every(isKnown) || !sources.every(isKnown) || !/^[A-Za-z0-9+/,;]*$/.test(mappings)) return null;
  const code = body.toString("utf8", 0, codeBytes);
  const sourceMap = JSON.stringify({
    version: 3,
    sources: sources.map(dropNamespace),
    sourcesContent: sources.map((name) => texts.get(name) ?? null),
    mappings,
    names,
  });
  return { sha256: hashText(code), code, sourceMap };
}

function hashText(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
