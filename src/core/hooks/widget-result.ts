/** Results of widget queries, and the part of them a tile shows (docs/decisions.md, section 6). Pure. */
import type { z } from "zod";
import type { Problem } from "../codes/problems.ts";
import { isJsonObject, type Json, type JsonObject } from "../json/json.ts";
import { toPlainLines } from "../report/plain-words.ts";
import type { Widget, WidgetSlot } from "../script/dictionary.ts";
import { cleanField, measureField, WIDGET_LIMITS, WidgetField } from "./widget-field.ts";

/** Most problems of one result that are listed; past them no further field is checked. */
const LISTED = 20;
/** Most characters of a field's name in a problem, in UTF-16 units. */
const NAME_LENGTH = 100;

/** A query's answer, ready to serve. */
export type WidgetResult =
  | {
      readonly kind: "fields";
      readonly fields: Readonly<Record<string, WidgetField>>;
      readonly problems: readonly Problem[];
    }
  | { readonly kind: "needsSetup"; readonly reason: string }
  | { readonly kind: "invalid"; readonly message: string };

/**
 * Reads a query's result: a faulty field is left out with a problem, a field a size names but the result lacks is a
 * problem too, and the tile still renders. After 20 problems one more says how many parts there are beyond them.
 */
export function readWidgetResult(widget: Widget, result: Json): WidgetResult {
  if (isJsonObject(result) && result["needsSetup"] === true) {
    const reason = result["reason"];
    return {
      kind: "needsSetup",
      reason: typeof reason === "string" ? toPlainLines(reason) : "the app needs to be set up first",
    };
  }
  const found = isJsonObject(result) ? result["fields"] : undefined;
  if (!isJsonObject(found)) {
    return { kind: "invalid", message: "the query returned neither {fields} nor {needsSetup, reason}" };
  }
  const fields = new Map<string, WidgetField>();
  const problems: Problem[] = [];
  let pixels = 0;
  let unread = 0;
  for (const [name, value] of sortFields(widget, found)) {
    if (problems.length >= LISTED) {
      unread += 1;
      continue;
    }
    if (fields.size === WIDGET_LIMITS.fields) {
      problems.push(
        toProblem(
          "WIDGET_RESULT_INVALID",
          `field "${shorten(name)}" is beyond the ${WIDGET_LIMITS.fields} a result may have`,
          name,
        ),
      );
      continue;
    }
    const read = WidgetField.safeParse(value);
    const added = read.success ? measureField(read.data) : 0;
    if (read.success && pixels + added <= WIDGET_LIMITS.pixels) {
      fields.set(name, cleanField(read.data));
      pixels += added;
      continue;
    }
    const fault = read.success ? "the pictures of a result have at most 16 megapixels" : describeFault(read.error);
    problems.push(toProblem("WIDGET_RESULT_INVALID", `field "${shorten(name)}" can't be shown: ${fault}`, name));
  }
  for (const name of listReferencedFields(widget)) {
    if (Object.hasOwn(found, name)) continue;
    problems.push(toProblem("WIDGET_FIELD_MISSING", `a size refers to field "${name}", which the result lacks`, name));
  }
  for (const { size, type, field } of listNamedSlots(widget)) {
    const served = fields.get(field)?.type ?? type;
    if (served === type) continue;
    const message = `the ${size} size shows field "${field}" as "${type}", the result has "${served}"`;
    problems.push(toProblem("WIDGET_FIELD_TYPE", message, field));
  }
  const shown = Object.keys(found).flatMap((name): [string, WidgetField][] => {
    const field = fields.get(name);
    return field === undefined ? [] : [[name, field]];
  });
  return { kind: "fields", fields: Object.fromEntries(shown), problems: countRest(problems, unread) };
}

/** The fields the sizes name are checked first, however many others there are: they are what is shown. */
function sortFields(widget: Widget, found: JsonObject): readonly (readonly [string, Json])[] {
  const named = new Set(listReferencedFields(widget));
  return Object.entries(found).sort(([a], [b]) => Number(named.has(b)) - Number(named.has(a)));
}

function countRest(problems: readonly Problem[], unread: number): readonly Problem[] {
  const rest = Math.max(0, problems.length - LISTED) + unread;
  if (rest === 0) return problems;
  const message = `${rest} more parts of the result are missing, can't be shown or were not looked at`;
  return [...problems.slice(0, LISTED), { ...NOWHERE, code: "WIDGET_RESULT_INVALID", message, path: ["fields"] }];
}

function shorten(name: string): string {
  return name.length > NAME_LENGTH ? `${name.slice(0, NAME_LENGTH)}…` : name;
}

/** Every field a widget's sizes name, once, in the order named. */
export function listReferencedFields(widget: Widget): readonly string[] {
  return [...new Set(listNamedSlots(widget).map(({ field }) => field))];
}

/** The places of a widget's sizes; media is a picture. */
function listNamedSlots({ sizes = {} }: Widget): readonly (WidgetSlot & { readonly size: "small" | "large" })[] {
  return (["small", "large"] as const).flatMap((size) => {
    const { media, slots = [] } = sizes[size] ?? {};
    const picture = media === undefined ? [] : [{ size, type: "image", field: media.field } as const];
    return [...picture, ...slots.map((slot) => ({ size, ...slot }))];
  });
}

function describeFault(error: z.ZodError): string {
  const [issue] = error.issues;
  return issue === undefined ? "it is malformed" : `${["", ...issue.path].join(".")} ${issue.message}`.trim();
}

/** A query's result is no file: its problems point at the field by path. */
const NOWHERE = { severity: "warning", line: 1, column: 1, length: 0 } as const;

function toProblem(
  code: "WIDGET_RESULT_INVALID" | "WIDGET_FIELD_MISSING" | "WIDGET_FIELD_TYPE",
  message: string,
  field: string,
): Problem {
  return { ...NOWHERE, code, message, path: ["fields", shorten(field)] };
}
