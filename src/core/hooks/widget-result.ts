/** Results of widget queries, and the part of them a tile shows (docs/decisions.md, section 6). Pure. */
import { z } from "zod";
import type { Problem } from "../codes/problems.ts";
import { isJsonObject, type Json } from "../json/json.ts";
import { measureData } from "../pictures/data-picture.ts";
import { MOST_PIXELS } from "../pictures/measure-picture.ts";
import type { Widget, WidgetSlot } from "../script/dictionary.ts";

/** Caps of one result. Characters in UTF-16 units; the pixels of all its pictures, which a page unpacks at once. */
export const WIDGET_LIMITS = { fields: 16, text: 500, entries: 20, image: 60_000, pixels: 4 * MOST_PIXELS } as const;

const Image = z
  .string()
  .max(WIDGET_LIMITS.image, `an image is at most ${WIDGET_LIMITS.image} characters`)
  // Without a flag: a JSON Schema's pattern has none.
  .regex(/^[Dd][Aa][Tt][Aa]:/, 'an image is a "data:" URI')
  .refine(
    (image) => measureData(image) !== null,
    "an image is a PNG, JPEG, WebP or GIF that does not move, of at most 4 megapixels, or a well-formed SVG with nothing that takes a browser long to draw",
  );

const Elapsed = z.object({
  ms: z.number(),
  ofMs: z.number().exactOptional(),
  state: z.enum(["running", "paused"]).exactOptional(),
});

const Entry = z.object({
  title: z.string(),
  subtitle: z.string().exactOptional(),
  meta: z.string().exactOptional(),
  image: Image.exactOptional(),
  elapsed: Elapsed.exactOptional(),
});

/** One field of a result. */
export const WidgetField = z.discriminatedUnion("type", [
  z.object({ type: z.literal("text"), text: z.string().max(WIDGET_LIMITS.text) }),
  z.object({ type: z.literal("stat"), label: z.string(), value: z.union([z.string(), z.number()]) }),
  z.object({ type: z.literal("list"), entries: z.array(Entry).max(WIDGET_LIMITS.entries) }),
  z.object({ type: z.literal("image"), image: Image, alt: z.string().exactOptional() }),
]);
export type WidgetField = z.infer<typeof WidgetField>;

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
 * problem too, and the tile still renders.
 */
export function readWidgetResult(widget: Widget, result: Json): WidgetResult {
  if (isJsonObject(result) && result["needsSetup"] === true) {
    const reason = result["reason"];
    return { kind: "needsSetup", reason: typeof reason === "string" ? reason : "the app needs to be set up first" };
  }
  const found = isJsonObject(result) ? result["fields"] : undefined;
  if (!isJsonObject(found)) {
    return { kind: "invalid", message: "the query returned neither {fields} nor {needsSetup, reason}" };
  }
  const fields = new Map<string, WidgetField>();
  const problems: Problem[] = [];
  let pixels = 0;
  for (const [name, value] of Object.entries(found)) {
    if (fields.size === WIDGET_LIMITS.fields) {
      problems.push(
        toProblem(
          "WIDGET_RESULT_INVALID",
          `field "${name}" is beyond the ${WIDGET_LIMITS.fields} a result may have`,
          name,
        ),
      );
      continue;
    }
    const read = WidgetField.safeParse(value);
    const added = read.success ? measureField(read.data) : 0;
    if (read.success && pixels + added <= WIDGET_LIMITS.pixels) {
      fields.set(name, read.data);
      pixels += added;
      continue;
    }
    const fault = read.success ? "the pictures of a result have at most 16 megapixels" : describeFault(read.error);
    problems.push(toProblem("WIDGET_RESULT_INVALID", `field "${name}" can't be shown: ${fault}`, name));
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
  return { kind: "fields", fields: Object.fromEntries(fields), problems };
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

function measureField(field: WidgetField): number {
  const shown = field.type === "list" ? field.entries : field.type === "image" ? [field] : [];
  return shown.reduce((pixels, { image }) => pixels + (image === undefined ? 0 : (measureData(image) ?? 0)), 0);
}

function describeFault(error: z.ZodError): string {
  const [issue] = error.issues;
  return issue === undefined ? "it is malformed" : `${["", ...issue.path].join(".")} ${issue.message}`.trim();
}

/** A query's result is no file: its problems point at the field by path, at line and column 1. */
function toProblem(
  code: "WIDGET_RESULT_INVALID" | "WIDGET_FIELD_MISSING" | "WIDGET_FIELD_TYPE",
  message: string,
  field: string,
): Problem {
  return { code, severity: "warning", message, path: ["fields", field], line: 1, column: 1, length: 0 };
}
