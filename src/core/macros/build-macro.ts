/** Arguments to macro: how many each takes, what each may be, what is wrong with it (docs/install-scripts.md, "Macros"). */
import { type CalledMacro, MAX_RANDOM_LENGTH } from "./names.ts";
import type { Argument, Role } from "./read-arguments.ts";
import { readCondition } from "./read-condition.ts";
import { type Reader, readSequence, trimRange } from "./reader.ts";
import { type Branch, type Macro, readLiteralText, type Sequence } from "./tree.ts";

/** A macro, or what is wrong with its arguments as one sentence. */
export type Built = Macro | { readonly fault: string };

interface Signature {
  readonly min: number;
  readonly max: number;
  /** As an author writes it, for messages. */
  readonly form: string;
  readonly build: (reader: Reader, items: readonly Argument[]) => Built;
}

const SIGNATURES: Readonly<Record<CalledMacro, Signature>> = {
  GPU_CONFIG: { min: 0, max: 0, form: "$GPU_CONFIG()", build: () => ({ name: "GPU_CONFIG" }) },
  LOCATION: {
    min: 1,
    max: 1,
    form: "$LOCATION(locationId)",
    build: (reader, [id]) => {
      const location = readLiteralText(readArgumentSequence(reader, id));
      return location === null ? { fault: "the location id must be written out" } : { name: "LOCATION", location };
    },
  },
  QUESTION: {
    min: 1,
    max: 1,
    form: "$QUESTION(key)",
    build: (reader, [argument]) => {
      const key = readLiteralText(readArgumentSequence(reader, argument));
      return key === null ? { fault: "the question's key must be written out" } : { name: "QUESTION", key };
    },
  },
  RANDOM_STRING: {
    min: 1,
    max: 1,
    form: "$RANDOM_STRING(length)",
    build: (reader, [length]) => {
      const text = readLiteralText(readArgumentSequence(reader, length)) ?? "";
      const characters = /^\d+$/.test(text) ? Number(text) : 0;
      return characters >= 1 && characters <= MAX_RANDOM_LENGTH
        ? { name: "RANDOM_STRING", characters }
        : { fault: `the length must be a whole number from 1 to ${MAX_RANDOM_LENGTH}` };
    },
  },
  MEMORY: {
    min: 2,
    max: 2,
    form: "$MEMORY(percentage, minimum_mb)",
    build: (reader, items) => {
      const [percent, minimum] = [readArgumentSequence(reader, items[0]), readArgumentSequence(reader, items[1])];
      const written = { percent: readLiteralText(percent), minimum: readLiteralText(minimum) };
      if (written.percent !== null && readPercent(written.percent) === null) return { fault: PERCENT_FORM };
      if (written.minimum !== null && readMegabytes(written.minimum) === null) return { fault: MEGABYTES_FORM };
      return { name: "MEMORY", percent, minimum };
    },
  },
  HOST_PATH: {
    min: 1,
    max: 1,
    form: "$HOST_PATH(path)",
    build: (reader, [path]) => ({ name: "HOST_PATH", path: readArgumentSequence(reader, path) }),
  },
  MOUNTED_HOST_PATH: {
    min: 2,
    max: 2,
    form: "$MOUNTED_HOST_PATH(path, mount_point)",
    build: (reader, [path, mountPoint]) => ({
      name: "MOUNTED_HOST_PATH",
      path: readArgumentSequence(reader, path),
      mountPoint: readArgumentSequence(reader, mountPoint),
    }),
  },
  APP_INSTALLED: {
    min: 1,
    max: 1,
    form: "$APP_INSTALLED(appName)",
    build: (reader, [app]) => ({ name: "APP_INSTALLED", app: readArgumentSequence(reader, app) }),
  },
  IF: { min: 2, max: 4, form: "$IF(condition, trueValue, [falseValue], [AND|OR])", build: buildIf },
};

/** The message for a percentage of `$MEMORY` that can't be read. */
export const PERCENT_FORM = "the percentage must be a number from 0 to 100";
/** The message for a minimum of `$MEMORY` that can't be read. */
export const MEGABYTES_FORM = "the minimum must be a whole number of MB";

/** The number of a percentage, its sign optional; null where it is none. */
export function readPercent(text: string): number | null {
  const number = text.trim().replace(/%$/, "").trimEnd();
  return !/^\d+(?:\.\d+)?$/.test(number) || Number(number) > 100 ? null : Number(number);
}

/** The number of a whole count of MB; null where it is none. */
export function readMegabytes(text: string): number | null {
  return /^\s*\d{1,12}\s*$/.test(text) ? Number(text) : null;
}

/** The role of the argument at an index (0-based) of a macro. */
export function findRole(name: CalledMacro, index: number): Role {
  if (name !== "IF") return "text";
  return index === 0 ? "condition" : index < 3 ? "branch" : "text";
}

export function buildMacro(reader: Reader, name: CalledMacro, items: readonly Argument[]): Built {
  const { min, max, form, build } = SIGNATURES[name];
  const given = items.length === 1 && isEmpty(items[0]) ? [] : items;
  if (given.length < min || given.length > max) {
    return { fault: `it has ${given.length} arguments, "${form}" is allowed; an argument with a comma needs quotes` };
  }
  return build(reader, given);
}

function buildIf(reader: Reader, items: readonly Argument[]): Built {
  const [condition, first, second, third] = items;
  if (condition === undefined || first === undefined) return { fault: "a condition and a value are needed" };
  // `$IF([a, b], x, OR)` has no else-branch: the operator is the last argument of a list.
  const short = condition.kind === "list" && third === undefined ? readOperator(reader, second) : null;
  const operator = short ?? (third === undefined ? "all" : readOperator(reader, third));
  if (operator === null) return { fault: 'the last of four arguments must be "AND" or "OR"' };
  return {
    name: "IF",
    condition: readCondition(reader, condition, operator),
    whenTrue: readBranch(reader, first),
    whenFalse: second === undefined || short !== null ? null : readBranch(reader, second),
  };
}

function readOperator(reader: Reader, argument: Argument | undefined): "all" | "any" | null {
  const word =
    argument?.kind === "text" ? readLiteralText(readArgumentSequence(reader, argument))?.toUpperCase() : undefined;
  return word === "AND" ? "all" : word === "OR" ? "any" : null;
}

/** Quotes keep the white space between them in a branch: it is what the author asked for. */
function readBranch(reader: Reader, argument: Argument): Branch {
  if (argument.kind === "literal") return argument.branch;
  if (argument.kind === "list") throw new Error("only the first argument of $IF is read as a list");
  warnOfBrokenJson(reader, argument.start, argument.end);
  return readSequence(reader, argument);
}

function warnOfBrokenJson(reader: Reader, start: number, end: number): void {
  const range = trimRange(reader.text, { start, end });
  const first = reader.text.charAt(range.start);
  if (range.start === range.end || (first !== "{" && first !== "[")) return;
  reader.fault({
    code: "MACRO_BRANCH_JSON",
    severity: "warning",
    message: `the branch begins like JSON with "${first}" but is not; it is kept as text`,
    offset: range.start,
    length: range.end - range.start,
  });
}

function readArgumentSequence(reader: Reader, argument: Argument | undefined): Sequence {
  if (argument?.kind !== "text") return { kind: "sequence", parts: [] };
  return readSequence(reader, trimRange(reader.text, argument));
}

function isEmpty(argument: Argument | undefined): boolean {
  return argument?.kind === "text" && !argument.quoted && argument.start === argument.end;
}
