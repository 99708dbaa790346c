import type { Json, JsonObject } from "../../../core/json/json.ts";

/** A text among an effect's parameters. Throws where the machine gave none: a bug of the machine. */
export function readTextParam(params: JsonObject, name: string): string {
  const value = params[name];
  if (typeof value !== "string")
    throw new Error(`the effect's parameter "${name}" is ${JSON.stringify(value)}, not a string`);
  return value;
}

/** A number among an effect's parameters. Throws where the machine gave none. */
export function readNumberParam(params: JsonObject, name: string): number {
  const value = params[name];
  if (typeof value !== "number")
    throw new Error(`the effect's parameter "${name}" is ${JSON.stringify(value)}, not a number`);
  return value;
}

/** The texts in a list of a note or of parameters; anything else is left out. */
export function readTexts(value: Json | undefined): readonly string[] {
  return Array.isArray(value) ? value.filter((item): item is string => typeof item === "string") : [];
}
