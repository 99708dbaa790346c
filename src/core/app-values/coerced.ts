import type { Json } from "../json/json.ts";

/** A value as the host keeps it, or why it refuses it: another type, or a text of another form. */
export type Coerced =
  | { readonly ok: true; readonly value: Json }
  | { readonly ok: false; readonly kind: "type" | "form"; readonly reason: string };
