import { z } from "zod";
import { type ArgumentFault, createInvalidParams, ERRNO } from "./rpc-error.ts";

/** A string argument: at most 1024 characters, as everywhere on the host unless a call says otherwise. */
export const HostString = z.string().max(1024);

/**
 * Checks positional arguments the strict way of the host: no unknown keys, no `"1"` for `1`. Attribute paths start with
 * the argument's name, e.g. `app_create.app_name`. Throws -32602.
 */
export function parseArguments<S extends z.ZodType>(
  names: readonly string[],
  schema: S,
  params: readonly unknown[],
): z.output<S> {
  if (params.length > names.length) {
    throw createInvalidParams([
      [null, `Too many arguments (expected ${names.length}, found ${params.length})`, ERRNO.EINVAL],
    ]);
  }
  const padded = [...params, ...Array.from({ length: names.length - params.length }, () => undefined)];
  const parsed = schema.safeParse(padded, { reportInput: true });
  if (parsed.success) return parsed.data;
  throw createInvalidParams(parsed.error.issues.flatMap((issue) => listArgumentFaults(names, issue)));
}

function listArgumentFaults(names: readonly string[], issue: z.core.$ZodIssue): readonly ArgumentFault[] {
  const [index, ...rest] = issue.path;
  const name = typeof index === "number" ? names[index] : undefined;
  return listFaultsAt(name === undefined ? [] : [name, ...rest.map(String)], issue);
}

function listFaultsAt(path: readonly string[], issue: z.core.$ZodIssue): readonly ArgumentFault[] {
  if (issue.code === "unrecognized_keys") {
    return issue.keys.map((key) => [[...path, key].join("."), "Extra inputs are not permitted", ERRNO.EINVAL]);
  }
  return [[path.join(".") || null, wordFinding(issue), ERRNO.EINVAL]];
}

/** pydantic's sentence for a finding. */
function wordFinding(issue: z.core.$ZodIssue): string {
  if (issue.code !== "custom" && issue.input === undefined) return "Field required";
  switch (issue.code) {
    case "invalid_type":
      return `Input should be a valid ${PYDANTIC_TYPES[issue.expected] ?? issue.expected}`;
    case "invalid_value":
      return `Input should be ${issue.values.map((value) => `'${String(value)}'`).join(" or ")}`;
    case "too_big":
      return issue.origin === "string"
        ? `String should have at most ${issue.maximum} characters`
        : `Input should be less than or equal to ${issue.maximum}`;
    case "too_small":
      return issue.origin === "string"
        ? `String should have at least ${issue.minimum} character`
        : `Input should be greater than or equal to ${issue.minimum}`;
    case "invalid_format":
      return `String should match pattern '${issue.pattern ?? issue.format}'`;
    case "custom":
      return `Value error, ${issue.message}`;
    default:
      return issue.message;
  }
}

const PYDANTIC_TYPES: Readonly<Record<string, string>> = {
  int: "integer",
  // No call of the host takes a fraction.
  number: "integer",
  object: "dictionary",
  record: "dictionary",
  array: "list",
};
