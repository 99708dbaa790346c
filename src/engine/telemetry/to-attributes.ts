import type { Attributes } from "@opentelemetry/api";

/** The attributes that are there: an SDK takes one that is undefined for one with a value. */
export function toAttributes(attributes: Readonly<Record<string, string | number | boolean | undefined>>): Attributes {
  return Object.fromEntries(Object.entries(attributes).filter(([, value]) => value !== undefined));
}
