/** What the host makes of one value: it converts as pydantic's lax mode does, and refuses in pydantic's words. */
import type { Json } from "../json/json.ts";
import { coerceAddress, coerceUri, normalizePath } from "./coerce-text.ts";
import type { Coerced } from "./coerced.ts";
import type { ValueType } from "./question.ts";

/** Types that hold one value. */
export type ScalarType = Exclude<ValueType, "dict" | "list">;

/** Converts a value of a scalar type. Lengths, bounds and choices are not its concern. */
export function coerceScalar(type: ScalarType, value: Json): Coerced {
  switch (type) {
    case "string":
    case "text":
    case "hostpath":
      return typeof value === "string" ? accept(value) : refuse("Input should be a valid string");
    case "path":
      return typeof value === "string" ? accept(normalizePath(value)) : refuse("Input is not a valid path");
    case "int":
      return coerceInt(value);
    case "boolean":
      return coerceBoolean(value);
    case "uri":
      return coerceUri(value);
    case "ipaddr":
      return coerceAddress(value);
  }
}

function accept(value: Json): Coerced {
  return { ok: true, value };
}

function refuse(reason: string): Coerced {
  return { ok: false, kind: "type", reason };
}

const WHOLE_NUMBER = /^[+-]?\d+(?:_\d+)*(?:\.0+)?$/;
const NO_INTEGER = "Input should be a valid integer";

function coerceInt(value: Json): Coerced {
  if (typeof value === "boolean") return accept(value ? 1 : 0);
  if (typeof value === "number") {
    return Number.isInteger(value) ? accept(value) : refuse(`${NO_INTEGER}, got a number with a fractional part`);
  }
  if (typeof value !== "string") return refuse(NO_INTEGER);
  const text = value.trim();
  if (!WHOLE_NUMBER.test(text)) return refuse(`${NO_INTEGER}, unable to parse string as an integer`);
  // adding 0 makes 0 of -0
  return accept(Number(text.replaceAll("_", "")) + 0);
}

const TRUE: readonly Json[] = [true, 1, "1", "true", "t", "yes", "y", "on"];
const FALSE: readonly Json[] = [false, 0, "0", "false", "f", "no", "n", "off"];
const NO_BOOLEAN = "Input should be a valid boolean";

function coerceBoolean(value: Json): Coerced {
  const word = typeof value === "string" ? value.toLowerCase() : value;
  if (TRUE.includes(word)) return accept(true);
  if (FALSE.includes(word)) return accept(false);
  const isReadable = typeof value === "string" || Number.isInteger(value);
  return refuse(isReadable ? `${NO_BOOLEAN}, unable to interpret input` : NO_BOOLEAN);
}
