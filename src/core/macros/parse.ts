/**
 * A string to a template. Linear in the length of the string: each macro is read once, at its own place, whoever looks
 * there first; no search for a missing quote runs twice.
 */
import { buildMacro, findRole } from "./build-macro.ts";
import { BARE_MACROS, CALLED_MACROS, type CalledMacro, MACROS_AS_WRITTEN, MAX_NESTING } from "./names.ts";
import { readArguments } from "./read-arguments.ts";
import { type ReadCall, type Reader, readSequence } from "./reader.ts";
import type { Call, Macro, MacroFault, StringSpan, Template } from "./tree.ts";

const NAME = /\$([A-Z][A-Z0-9_]*)/y;
const CALLED: ReadonlyMap<string, CalledMacro> = new Map(CALLED_MACROS.map((name) => [name, name]));

/** Reads the macros of a string; faults are values, it never throws. */
export function parseTemplate(source: string): Template {
  if (!source.includes("$")) {
    return { source, root: { kind: "sequence", parts: source === "" ? [] : [source] }, calls: [], faults: [] };
  }
  const faults: MacroFault[] = [];
  const calls: Call[] = [];
  const reads = new Map<number, ReadCall | null>();
  const reader: Reader = { text: source, callAt, fault: (fault) => faults.push(fault), depth: 0, endless: new Map() };
  /** The outermost macro without its closing parenthesis: its inner ones are unclosed only because it is. */
  let unclosed: MacroFault | null = null;
  let tooDeep = false;

  function callAt(at: number): ReadCall | null {
    const known = reads.get(at);
    if (known !== undefined) return known;
    reader.depth += 1;
    const read = readCall(at);
    reader.depth -= 1;
    reads.set(at, read);
    if (read !== null) calls.push(read.call);
    return read;
  }

  function readCall(at: number): ReadCall | null {
    NAME.lastIndex = at;
    const name = NAME.exec(source)?.[1];
    if (name === undefined) return null;
    const afterName = at + 1 + name.length;
    const called = CALLED.get(name);
    if (called !== undefined && source[afterName] === "(") return readCalled(called, at, afterName + 1);
    if (called !== undefined) {
      const message = `the macro "$${name}" stands without its parentheses`;
      faults.push({ code: "MACRO_PARENTHESES", severity: "error", message, offset: at, length: afterName - at });
      return null;
    }
    if (source[afterName] === "(" && !BARE_MACROS.some((bare) => bare === name)) {
      const message = `"$${name}" is not a macro; allowed are ${MACROS_AS_WRITTEN}`;
      faults.push({ code: "MACRO_UNKNOWN", severity: "error", message, offset: at, length: afterName - at });
      return null;
    }
    const bare = BARE_MACROS.find((candidate) => name.startsWith(candidate));
    if (bare !== undefined) {
      const length = 1 + bare.length;
      if (source.startsWith("()", at + length)) {
        const message = `"$${bare}" takes no parentheses; "()" is kept as text`;
        faults.push({ code: "MACRO_ARGUMENTS", severity: "warning", message, offset: at, length: length + 2 });
      }
      return { call: { name: bare, offset: at, length }, end: at + length };
    }
    if (!/[a-z]/.test(source.charAt(afterName))) {
      const message = `"$${name}" is not a macro; it is kept as text`;
      faults.push({ code: "MACRO_BARE_NAME", severity: "warning", message, offset: at, length: afterName - at });
    }
    return null;
  }

  function readCalled(name: CalledMacro, at: number, from: number): ReadCall {
    const place = { offset: at, length: from - at };
    if (tooDeep || reader.depth > MAX_NESTING) {
      if (!tooDeep) {
        const message = `macros are nested deeper than ${MAX_NESTING} levels`;
        faults.push({ code: "MACRO_NESTING", severity: "error", message, ...place });
      }
      tooDeep = true;
      return { call: { name: "INVALID", ...place }, end: source.length };
    }
    const read = readArguments(reader, from, ")", (index) => findRole(name, index));
    if (read === null) {
      const message = `the macro "$${name}(" has no closing parenthesis`;
      if (unclosed === null || at < unclosed.offset) {
        unclosed = { code: "MACRO_UNCLOSED", severity: "error", message, ...place };
      }
      return { call: { name: "INVALID", ...place }, end: source.length };
    }
    const length = read.end - at;
    const built = buildMacro(reader, name, read.items);
    if ("name" in built) return { call: { ...built, offset: at, length }, end: read.end };
    const message = `the arguments of "$${name}" do not fit: ${built.fault}`;
    faults.push({ code: "MACRO_ARGUMENTS", severity: "error", message, offset: at, length });
    const invalid: Macro = { name: "INVALID" };
    return { call: { ...invalid, offset: at, length }, end: read.end };
  }

  const root = readSequence(reader, { start: 0, end: source.length });
  if (unclosed !== null && !tooDeep) faults.push(unclosed);
  return { source, root, calls: sortByOffset(calls), faults: sortByOffset(withoutGuesses(faults)) };
}

/** The text behind a macro without an end is in its arguments or is not: whether those fit is a guess. */
function withoutGuesses(faults: readonly MacroFault[]): MacroFault[] {
  const unclosed = faults.find(({ code }) => code === "MACRO_UNCLOSED");
  return faults.filter(
    ({ code, offset }) => unclosed === undefined || code !== "MACRO_ARGUMENTS" || offset < unclosed.offset,
  );
}

function sortByOffset<Item extends StringSpan>(items: Item[]): readonly Item[] {
  return items.length > 1 ? items.sort((a, b) => a.offset - b.offset) : items;
}
