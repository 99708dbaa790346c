/**
 * The bundler's process: esbuild, asked about one script at a time. It reads no file: what an import names it asks the
 * engine for. Bundled into one file (bundler/files.ts); started as `node ... PROGRAM ESBUILD`, where ESBUILD is esbuild's
 * native file.
 *
 * Invariants:
 * 1. No resolver and no loader of esbuild's own has a say: every import and every module is answered here, in every
 *    namespace.
 * 2. Nothing of a script is kept when the next one comes.
 * 3. When the pipe ends or esbuild dies, the process ends.
 */
import { Socket } from "node:net";
import type { BuildOptions, BuildResult, OnLoadResult, OnResolveArgs, OnResolveResult, Plugin } from "esbuild";
import { build } from "esbuild";
import { PARENT_FRAME_LIMITS } from "../../limits.ts";
import { encodeFrame, type Frame, FrameReader } from "../../protocol/frames.ts";
import { SCRIPT_BUNDLE, VIRTUAL_MODULES } from "../../protocol/ops.ts";
import { BUNDLE_BYTES } from "../bundle-files.ts";
import { DiagnosticCode, toDiagnostics } from "./diagnostics.ts";
import {
  type BundlerDiagnostic,
  type BundlerMessage,
  type BundlerOrder,
  type BundlerRequest,
  ENTRY,
  MAP_BYTES,
} from "./messages.ts";
import { loadModule } from "./modules.ts";
import { readFacts } from "./source-facts.ts";

type BundleOrder = Extract<BundlerRequest, { t: "bundle" }>;
type FileAnswer = Exclude<BundlerOrder, BundlerRequest>;

const pipe = new Socket({ fd: 3, readable: true, writable: true });
const reader = new FrameReader(PARENT_FRAME_LIMITS);
/** Imports the engine has been asked about. */
const asked = new Map<number, (answer: FileAnswer, text: string) => void>();
let asks = 0;

pipe.on("data", (chunk: Buffer) => {
  for (const frame of reader.push(chunk)) take(frame);
});
pipe.on("close", () => process.exit(0));
send({ t: "ready" });

function take({ header, body }: Frame): void {
  const order: BundlerOrder = JSON.parse(header);
  const text = body.toString("utf8");
  if (order.t === "file" || order.t === "refused") {
    asked.get(order.id)?.(order, text);
    asked.delete(order.id);
    return;
  }
  answer(order, text).then(
    ({ message, parts }) => send(message, parts),
    // esbuild has died: without a word, as it would end itself
    () => process.exit(1),
  );
}

function send(message: BundlerMessage, body?: Uint8Array): void {
  for (const part of encodeFrame(JSON.stringify(message), body)) pipe.write(part);
}

interface Outcome {
  readonly message: BundlerMessage;
  readonly parts?: Uint8Array;
}

async function answer(order: BundlerRequest, text: string): Promise<Outcome> {
  return order.t === "bundle" ? bundleScript(order, text) : { message: { t: "facts", facts: await readFacts(text) } };
}

async function bundleScript(order: BundleOrder, text: string): Promise<Outcome> {
  // an export by name is esbuild's own check that the entrypoint exists
  const built = await buildScript(order, text, `export { ${order.entrypoint} } from ${JSON.stringify(ENTRY)};`);
  const isMissing = (built.ok ? built.result.warnings : built.errors).some(
    // an error for a file with other exports, a warning for one without any
    ({ id, location, text }) =>
      location?.file === ENTRY && (text.startsWith("No matching export") || id === "import-is-undefined"),
  );
  if (isMissing) return { message: { t: "missing", exports: await listExports(order, text) } };
  if (!built.ok) return { message: { t: "faulty", diagnostics: toDiagnostics(built.errors) } };
  const { outputFiles = [], metafile } = built.result;
  const [mapFile, code] = outputFiles;
  if (mapFile === undefined || code === undefined) throw new Error("esbuild wrote no bundle");
  if (code.contents.byteLength > BUNDLE_BYTES || mapFile.contents.byteLength > MAP_BYTES) {
    return { message: { t: "faulty", diagnostics: [createTooLargeDiagnostic()] } };
  }
  const map: { sources: string[]; names: string[]; mappings: string } = JSON.parse(mapFile.text);
  return {
    message: {
      t: "built",
      codeBytes: code.contents.byteLength,
      inputs: Object.keys(metafile?.inputs ?? {}),
      sources: map.sources,
      names: map.names,
    },
    parts: Buffer.concat([code.contents, Buffer.from(map.mappings)]),
  };
}

async function listExports(order: BundleOrder, text: string): Promise<string[]> {
  const built = await buildScript(order, text, `export * from ${JSON.stringify(ENTRY)};`, "esm");
  const outputs = built.ok ? Object.values(built.result.metafile?.outputs ?? {}) : [];
  return outputs.flatMap(({ exports }) => exports).filter((name) => name !== "default");
}

function createTooLargeDiagnostic(): BundlerDiagnostic {
  const message = `the bundled script is larger than the allowed ${BUNDLE_BYTES} bytes`;
  return { code: "SANDBOX_SCRIPT_TOO_LARGE", message, module: null, line: 1, column: 0, length: 0 };
}

type Built =
  | { readonly ok: true; readonly result: BuildResult }
  | { readonly ok: false; readonly errors: BuildResult["errors"] };

async function buildScript(
  order: BundleOrder,
  text: string,
  contents: string,
  format: "iife" | "esm" = "iife",
): Promise<Built> {
  const stdin = { contents, sourcefile: ENTRY, loader: "js" } as const;
  try {
    return { ok: true, result: await build({ ...BUILD, format, plugins: [answerAll(order, text)], stdin }) };
  } catch (error) {
    if (error instanceof Error && "errors" in error && Array.isArray(error.errors)) {
      return { ok: false, errors: error.errors };
    }
    throw error;
  }
}

const BUILD = {
  bundle: true,
  write: false,
  outfile: "script.js",
  globalName: SCRIPT_BUNDLE.exports,
  // no lowering: it would change the number of microtasks
  target: "esnext",
  // neither is run by the guest
  supported: { "import-defer": false, "import-source": false },
  // a pattern in `require` would be looked for without asking
  define: { require: "undefined", "module.require": "undefined" },
  sourcemap: "external",
  sourcesContent: false,
  metafile: true,
  keepNames: true,
  charset: "utf8",
  logLevel: "silent",
  logLimit: 0,
  tsconfigRaw: "{}",
} as const satisfies BuildOptions;

/** Answers every import and every module; what it does not know is refused. */
function answerAll({ entry }: BundleOrder, text: string): Plugin {
  const files = new Map([[`${entry.namespace}:${entry.path}`, text]]);
  return {
    name: "answer-all",
    setup: (plugin) => {
      plugin.onResolve({ filter: /.*/ }, async (args) => {
        if (args.path === ENTRY && args.importer === ENTRY) return { ...entry };
        return resolveImport(args, files);
      });
      plugin.onLoad({ filter: /.*/ }, async ({ path, namespace }): Promise<OnLoadResult> => {
        const known = files.get(`${namespace}:${path}`);
        if (known !== undefined) return loadModule(namespace, path, known);
        if (namespace !== "virtual")
          return refuse(new DiagnosticCode("SANDBOX_IMPORT_FORBIDDEN"), `"${path}" is not a file of the script`);
        return { contents: `module.exports = ${SCRIPT_BUNDLE.modules}(${JSON.stringify(path)});`, loader: "js" };
      });
    },
  };
}

const VIRTUAL: ReadonlySet<string> = new Set(VIRTUAL_MODULES);
const ALLOWED = `relative .ts, .js, .json and .jsonc files of the catalog, ${VIRTUAL_MODULES.join(", ")}`;

async function resolveImport(args: OnResolveArgs, files: Map<string, string>): Promise<OnResolveResult> {
  const { path, importer, namespace, kind } = args;
  const isImport = kind === "import-statement" || kind === "dynamic-import";
  if (isImport && VIRTUAL.has(path)) return { path, namespace: "virtual" };
  if (!isImport || !/^\.\.?\//.test(path)) {
    return refuse(
      new DiagnosticCode("SANDBOX_IMPORT_FORBIDDEN"),
      `"${path}" can't be imported, allowed are ${ALLOWED}`,
    );
  }
  const attribute = Object.entries(args.with).find(([name, value]) => name !== "type" || value !== "json");
  if (attribute !== undefined) {
    const [name, value] = attribute;
    const text = `"${path}" can't be imported with ${name} "${value}", allowed is type "json"`;
    return refuse(new DiagnosticCode("SANDBOX_IMPORT_FORBIDDEN"), text);
  }
  const { answer, text } = await ask(path, namespace === "catalog" ? importer : "");
  if (answer.t === "refused") return refuse(new DiagnosticCode(answer.code), answer.message);
  if (answer.isNew) files.set(`catalog:${answer.path}`, text);
  return { path: answer.path, namespace: "catalog" };
}

function ask(specifier: string, from: string): Promise<{ readonly answer: FileAnswer; readonly text: string }> {
  const id = ++asks;
  return new Promise((resolve) => {
    asked.set(id, (answer, text) => resolve({ answer, text }));
    send({ t: "ask", id, specifier, from });
  });
}

function refuse(detail: DiagnosticCode, text: string): { errors: { text: string; detail: DiagnosticCode }[] } {
  return { errors: [{ text, detail }] };
}
