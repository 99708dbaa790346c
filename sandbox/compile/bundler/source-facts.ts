/**
 * Reads the facts a TypeScript source tells about itself, without running it: esbuild strips the types, acorn reads the
 * rest. Works in the bundler's process.
 */
import { SourceMap } from "node:module";
import { type Declaration, type Node, type Program, parse } from "acorn";
import { transform } from "esbuild";
import type { SourcePlace, TextFacts, WaitOptions } from "../../../src/core/rules/rows/source-rules.ts";
import { type KnownObject, readKey } from "./known-values.ts";
import { MOST_EXPORTS, MOST_PLACES } from "./messages.ts";
import { NO_SOURCE_MAP } from "./no-source-map.ts";
import { readSureCalls } from "./sure-calls.ts";

/** Most characters of a message. */
const MESSAGE = 1_000;

/** Facts of one TypeScript text; of more calls or exports than the engine takes the first ones. */
export async function readFacts(text: string): Promise<TextFacts> {
  const options = {
    loader: "ts",
    format: "esm",
    sourcemap: "external",
    logLevel: "silent",
    tsconfigRaw: "{}",
  } as const;
  try {
    // Below decorators, which acorn does not read.
    const { code, map } = await transform(text + NO_SOURCE_MAP, { ...options, target: "es2024" });
    return readCodeFacts(code, map);
  } catch (error) {
    return createFaultyFacts(error, text);
  }
}

function readCodeFacts(code: string, map: string): TextFacts {
  try {
    return readProgramFacts(parse(code, { ecmaVersion: "latest", sourceType: "module", locations: true }), map);
  } catch (error) {
    // esbuild has read it and acorn has not: nested deeper than acorn's stack, in practice.
    const reason = error instanceof Error ? error.message.replace(/ \(\d+:\d+\)$/, "") : String(error);
    return {
      kind: "faulty",
      message: `the code can't be read: ${reason.slice(0, MESSAGE)}`,
      place: { line: 1, column: 1, length: 1 },
    };
  }
}

interface EsbuildMessage {
  readonly text: string;
  readonly location: {
    readonly line: number;
    readonly column: number;
    readonly length: number;
    readonly lineText: string;
  } | null;
}

function createFaultyFacts(error: unknown, text: string): TextFacts {
  const first = isTransformFailure(error) ? error.errors[0] : undefined;
  if (first === undefined) throw error;
  const { location } = first;
  const message = first.text
    .replaceAll(/\s*\n\s*/g, " ")
    .replace(/\.$/, "")
    .slice(0, MESSAGE);
  if (location === null) return { kind: "faulty", message, place: { line: 1, column: 1, length: 1 } };
  const lines = text.split(/\r\n|[\n\r\u2028\u2029]/);
  // What lies behind the text's end is shown at its end.
  if (location.line > lines.length) {
    const column = (lines.at(-1) ?? "").length + 1;
    return { kind: "faulty", message, place: { line: lines.length, column, length: 1 } };
  }
  // esbuild counts columns in UTF-8 bytes.
  const column = Buffer.from(location.lineText).subarray(0, location.column).toString().length + 1;
  return { kind: "faulty", message, place: { line: location.line, column, length: Math.max(location.length, 1) } };
}

function isTransformFailure(error: unknown): error is { readonly errors: readonly EsbuildMessage[] } {
  return error instanceof Error && "errors" in error && Array.isArray(error.errors);
}

function readProgramFacts(program: Program, map: string): TextFacts {
  const placeOf = createPlaceReader(map);
  const sureCalls = readSureCalls(program);
  const getInputs: { entrypoint: string; id: string; place: SourcePlace }[] = [];
  const waits: { entrypoint: string; options: WaitOptions; place: SourcePlace }[] = [];
  for (const { name: entrypoint, local } of listExportedNames(program)) {
    if (getInputs.length + waits.length >= MOST_PLACES) break;
    for (const { method, call, values, caught } of sureCalls(local)) {
      const [first, second] = values;
      const [firstNode, secondNode] = call.arguments;
      if (method === "getInput" && !caught && first?.kind === "constant" && firstNode !== undefined) {
        getInputs.push({ entrypoint, id: String(first.value), place: placeOf(firstNode) });
      }
      const options = method === "waitForApp" && second?.kind === "object" ? readWaitOptions(second) : null;
      if (options !== null && secondNode !== undefined) waits.push({ entrypoint, options, place: placeOf(secondNode) });
    }
  }
  const most = { getInputs: getInputs.slice(0, MOST_PLACES), waits: waits.slice(0, MOST_PLACES) };
  return { kind: "read", ...readExports(program), ...most };
}

/** Lists a text's own exports, by both names; of too many the first. */
function listExportedNames(program: Program): readonly { readonly name: string; readonly local: string }[] {
  const names = program.body.flatMap((statement) => {
    if (statement.type !== "ExportNamedDeclaration" || statement.source != null) return [];
    const { declaration, specifiers } = statement;
    const declared = declaration == null ? [] : listDeclaredNames(declaration).map((name) => ({ name, local: name }));
    return [
      ...declared,
      ...specifiers.map(({ exported, local }) => ({ name: readName(exported), local: readName(local) })),
    ];
  });
  return names.slice(0, MOST_EXPORTS);
}

function listDeclaredNames(declaration: Declaration): readonly string[] {
  if (declaration.type !== "VariableDeclaration") return [declaration.id.name];
  return declaration.declarations.flatMap(({ id }) => (id.type === "Identifier" ? [id.name] : []));
}

function readExports(program: Program): { exports: readonly string[]; open: boolean } {
  const exports = new Set<string>();
  let open = false;
  for (const statement of program.body) {
    if (statement.type === "ExportAllDeclaration" && statement.exported == null) open = true;
    if (statement.type === "ExportAllDeclaration" && statement.exported) exports.add(readName(statement.exported));
    if (statement.type === "ExportDefaultDeclaration") exports.add("default");
    if (statement.type !== "ExportNamedDeclaration") continue;
    for (const { exported } of statement.specifiers) exports.add(readName(exported));
    const { declaration } = statement;
    for (const name of declaration == null ? [] : listDeclaredNames(declaration)) exports.add(name);
  }
  return { exports: [...exports].slice(0, MOST_EXPORTS), open: open || exports.size > MOST_EXPORTS };
}

function readName(node: { type: "Identifier"; name: string } | { type: "Literal"; value?: unknown }): string {
  return node.type === "Identifier" ? node.name : String(node.value);
}

const WAIT_NAMES: Readonly<Record<string, keyof WaitOptions>> = {
  retries: "retries",
  maxAttempts: "retries",
  timeout: "timeout",
  timeoutMs: "timeout",
  initialDelayMs: "initialDelayMs",
  maxDelayMs: "maxDelayMs",
};

/** The options where all that count are known; null where one can't be told. */
function readWaitOptions({ node, scope }: KnownObject): WaitOptions | null {
  const options: Partial<Record<keyof WaitOptions, number>> = {};
  for (const property of node.properties) {
    const key = property.type === "Property" && !property.computed ? readKey(property.key) : undefined;
    if (property.type !== "Property" || key === undefined) return null;
    const name = Object.hasOwn(WAIT_NAMES, key) ? WAIT_NAMES[key] : undefined;
    if (name === undefined) continue;
    const value = scope.valueOf(property.value);
    if (value?.kind !== "constant" || typeof value.value !== "number") return null;
    options[name] = value.value;
  }
  return options;
}

/** From places in esbuild's output back to the author's text. */
function createPlaceReader(map: string): (node: Node) => SourcePlace {
  const sourceMap = new SourceMap(JSON.parse(map));
  return (node) => {
    const start = node.loc?.start ?? { line: 1, column: 0 };
    const entry = sourceMap.findEntry(start.line - 1, start.column);
    const length = node.end - node.start;
    if (!("originalLine" in entry)) return { line: 1, column: 1, length };
    return { line: entry.originalLine + 1, column: entry.originalColumn + 1, length };
  };
}
