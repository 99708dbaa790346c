/** Macros that are still in a value when all were resolved. */
import type { Json, JsonPath } from "../../core/json/json.ts";
import { parseTemplate } from "../../core/macros/parse.ts";
import { listMacroStrings } from "../../core/macros/places.ts";

/** A macro that was left, as it is written there. */
interface LeftMacro {
  readonly path: JsonPath;
  readonly written: string;
}

/** Every string and key of a resolved value that is a macro to whoever reads it again. */
export function findLeftMacros(value: Json, path: JsonPath): readonly LeftMacro[] {
  return listMacroStrings(value, path).flatMap((place) => {
    const { calls, faults } = parseTemplate(place.text);
    const span = calls[0] ?? faults.find(({ severity }) => severity === "error");
    if (span === undefined) return [];
    return [{ path: place.path, written: place.text.slice(span.offset, span.offset + span.length) }];
  });
}
