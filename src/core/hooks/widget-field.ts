/** One field of a widget's result (docs/decisions.md, section 6). Pure. */
import { z } from "zod";
import { measureData } from "../pictures/data-picture.ts";
import { MOST_PIXELS } from "../pictures/measure-picture.ts";
import { toPlainLines } from "../report/plain-words.ts";

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

/** Pixels of all pictures of a field. */
export function measureField(field: WidgetField): number {
  const shown = field.type === "list" ? field.entries : field.type === "image" ? [field] : [];
  return shown.reduce((pixels, { image }) => pixels + (image === undefined ? 0 : (measureData(image) ?? 0)), 0);
}

/** The field as people read it: without what deceives them. */
export function cleanField(field: WidgetField): WidgetField {
  switch (field.type) {
    case "text":
      return { ...field, text: toPlainLines(field.text) };
    case "stat":
      return { ...field, label: toPlainLines(field.label), value: cleanValue(field.value) };
    case "list":
      return { ...field, entries: field.entries.map(cleanEntry) };
    case "image":
      return field.alt === undefined ? field : { ...field, alt: toPlainLines(field.alt) };
  }
}

function cleanEntry(entry: z.infer<typeof Entry>): z.infer<typeof Entry> {
  const { title, subtitle, meta } = entry;
  return {
    ...entry,
    title: toPlainLines(title),
    ...(subtitle !== undefined && { subtitle: toPlainLines(subtitle) }),
    ...(meta !== undefined && { meta: toPlainLines(meta) }),
  };
}

function cleanValue(value: string | number): string | number {
  return typeof value === "string" ? toPlainLines(value) : value;
}
