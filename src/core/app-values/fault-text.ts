/** What authors read of a fault of a value. */
import type { Code } from "../codes/code.ts";
import type { Severity } from "../codes/problems.ts";
import { VALUE_CODES } from "../codes/value.ts";
import { isJsonObject, type Json } from "../json/json.ts";
import { findNearest } from "../rules/nearest.ts";
import { quote, quoteAll } from "../rules/row.ts";
import type { ValueQuestion } from "./question.ts";
import type { FaultKind, ValueFault } from "./value-fault.ts";

interface Row {
  readonly code: keyof typeof VALUE_CODES;
  /** Behind the value's key; `app` is its name and version. */
  readonly say: (fault: ValueFault, app: string) => string;
}

const ROWS: Readonly<Record<FaultKind, Row>> = {
  unknown: {
    code: "VALUE_UNKNOWN",
    say: (_, app) => `is no setting of ${app}: the host takes it and does nothing with it`,
  },
  missing: { code: "VALUE_MISSING", say: (_, app) => `is missing: ${app} requires it` },
  type: { code: "VALUE_TYPE", say: (fault) => `must be ${nameType(fault)}${describeValue(fault)}` },
  form: { code: "VALUE_FORM", say: (fault) => `must be ${nameForm(fault)}${describeValue(fault)}` },
  length: { code: "VALUE_LENGTH", say: ({ reason }, app) => `does not fit ${app}: ${reason}` },
  range: { code: "VALUE_RANGE", say: (fault) => `must be ${nameBounds(fault)}${describeValue(fault)}` },
  choice: {
    code: "VALUE_CHOICE",
    say: (fault) => `must be one of ${quoteAll((fault.question?.choices ?? []).map(toText))}${describeValue(fault)}`,
  },
  coerced: {
    code: "VALUE_COERCED",
    say: ({ value, kept }) =>
      `is the ${typeof value === "string" ? "text" : typeof value} ${quote(value)}; the host makes ${quote(kept)} of it`,
  },
  hidden: {
    code: "VALUE_HIDDEN",
    say: ({ hiddenBy }) =>
      hiddenBy === undefined
        ? "has no effect"
        : `has no effect: it counts only while "${hiddenBy.key}" is ${hiddenBy.negated ? "not " : ""}${quote(hiddenBy.value)}`,
  },
  host: {
    code: "VALUE_HOST",
    say: ({ value }) => `is certificate ${quote(value)} of the host, which not every host has`,
  },
  // only where a host is known
  certificate: {
    code: "VALUE_HOST",
    say: ({ value }) => `is certificate ${quote(value)}, which this host does not have`,
  },
  immutable: { code: "VALUE_HOST", say: (_, app) => `changes a value that ${app} keeps from its install on` },
};

/** Code, severity and one sentence about a fault; `app` is the app's name and version. */
export function describeFault(
  fault: ValueFault,
  app: string,
): { readonly code: Code; readonly severity: Severity; readonly message: string; readonly hint?: string } {
  const { code, say } = ROWS[fault.kind];
  const { severity } = VALUE_CODES[code];
  const hint = suggest(fault);
  const message = `${quote(fault.path.join("."))} ${say(fault, app)}`;
  return { code, severity, message, ...(hint === undefined ? {} : { hint }) };
}

const TYPES: Readonly<Record<ValueQuestion["type"], string>> = {
  string: "a text",
  text: "a text",
  int: "a whole number",
  boolean: "true or false",
  dict: "an object",
  list: "an array",
  hostpath: "a path",
  path: "a path",
  uri: "an http or https URL",
  ipaddr: "an IP address",
};

function nameType({ question }: ValueFault): string {
  return question === null ? "of another type" : TYPES[question.type];
}

function nameForm(fault: ValueFault): string {
  const { question } = fault;
  const pattern = question?.type === "string" ? question.validChars : undefined;
  return pattern === undefined ? nameType(fault) : `a text like ${quote(pattern)}`;
}

function nameBounds({ question, reason }: ValueFault): string {
  const { min, max } = question ?? {};
  if (min !== undefined && max !== undefined) return `a number from ${min} to ${max}`;
  return reason.replace("Input should be ", "");
}

function describeValue({ answers, answered = "text", value }: ValueFault): string {
  const [key] = answers ?? [];
  if (key !== undefined) return `; the question ${quote(key)} takes any ${answered}`;
  return isJsonObject(value) || Array.isArray(value) || value === undefined ? "" : `, not ${quote(value)}`;
}

function suggest({ kind, path, known = [], value, kept }: ValueFault): string | undefined {
  if (kind === "coerced") return `write ${quote(kept)}`;
  if (kind !== "unknown") return undefined;
  const nearest = findNearest(String(path.at(-1)), known);
  if (nearest !== undefined) return `write ${quote(nearest)}, or remove the key`;
  if (known.includes("additional_storage") && isJsonObject(value)) {
    return 'mount the folder by an entry of "additional_storage", with $MOUNTED_HOST_PATH(path, mount_point)';
  }
  return `remove the key; the app has ${quoteAll(known)}`;
}

function toText(value: Json): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
