/**
 * Compiles one script: the bundler's process does the work (bundler/), the files are found and read here.
 *
 * Invariant: a bundle is made of what was served for it and of nothing else, as far as the bundler can be held to its
 * word: a name it was not given ends it.
 */

import { createHash } from "node:crypto";
import type { Code } from "../../src/core/codes/code.ts";
import type { CompiledScript, CompileRequest, CompileResult } from "../contract.ts";
import { VIRTUAL_MODULES } from "../protocol/ops.ts";
import { FILE_BYTES, FILES, type FoundFile, findFile, SCRIPT_BYTES } from "./bundle-files.ts";
import { createFileProblem, dropNamespace, toProblem } from "./bundle-problems.ts";
import type { Bundlers } from "./bundler/bundlers.ts";
import { type BundlerAnswer, ENTRY } from "./bundler/messages.ts";
import type { BundleOutcome, ServedFile } from "./bundler/process.ts";

/** Namespace of the catalog's files in names of a bundle. */
export const CATALOG = "catalog:";
/** Modules that may be in a bundle beside files that were served. */
const OFFERED: ReadonlySet<string> = new Set([ENTRY, ...VIRTUAL_MODULES.map((name) => `virtual:${name}`)]);

interface Attempt {
  readonly result: CompileResult;
  /** Texts that were served, by name with namespace. */
  readonly texts: ReadonlyMap<string, string>;
  /** Not to be tried again soon: it ends the bundler. */
  readonly isBad: boolean;
}

/** Compiles a script anew, whatever was compiled before. Never rejects for a fault of the script. */
export async function compileScript(request: CompileRequest, bundlers: Bundlers): Promise<Attempt> {
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

/** A compilation that failed, with one problem at the script's own place. */
export function createFailure({ source, label }: CompileRequest, code: Code, message: string): CompileResult {
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

/** SHA-256 of a text, hex. */
export function hashText(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
