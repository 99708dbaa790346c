/** Fields, their holders and values in the sentences of problems. */
import { isJsonObject } from "../json/json.ts";
import type { FieldIssue } from "./field-issue.ts";
import { findNearest } from "./nearest.ts";
import { quote } from "./row.ts";

/** A hint that names the nearest word of a closed set, if one is near. */
export function suggestWord({ value, words }: FieldIssue): string | undefined {
  const texts = words.filter((word) => typeof word === "string");
  const near = typeof value === "string" ? findNearest(value, texts) : undefined;
  return near === undefined ? undefined : `write "${near}"`;
}

/** A field, for the start of a sentence. */
export function nameField(path: FieldIssue["path"]): string {
  const last = path.at(-1);
  return typeof last === "number" ? `entry ${last + 1} of ${quote(path.at(-2))}` : quote(last);
}

/** The holder of a field, for the start of a sentence. */
export function nameHolder(path: FieldIssue["path"], holder: FieldIssue["holder"]): string {
  const [list, index] = path;
  if (path.length === 1) return "the script";
  if (path.length === 3 && typeof index === "number" && (list === "hooks" || list === "widgets")) {
    return `${list.slice(0, -1)} ${nameEntry(holder)}`;
  }
  return nameField(path.slice(0, -1));
}

/** The id of a hook or widget, quoted. */
export function nameEntry(holder: FieldIssue["holder"]): string {
  return isJsonObject(holder) && typeof holder["id"] === "string" ? quote(holder["id"]) : "without an id";
}

/** The type of a value, in the words of a sentence. */
export function nameType(value: FieldIssue["value"]): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "an array";
  if (typeof value === "object") return "an object";
  return typeof value === "string" ? `the string ${quote(value)}` : quote(value);
}
