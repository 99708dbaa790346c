/** Secrets masked by value wherever they appear (decisions.md 5: shorter than 6 characters by place only). */
import { isJsonObject, type Json, type JsonPath } from "./json.ts";

/** What a masked secret reads. */
export const MASKED = "********";

/** Shortest secret masked by value: a shorter one would tear up unrelated text. */
const MIN_MASKED_LENGTH = 6;

/** Masks every secret in a text; written as it is, JSON-escaped or URL-encoded. */
export function createMask(secrets: Iterable<string>): (text: string) => string {
  const forms = new Set<string>();
  for (const secret of secrets) {
    if (secret.length >= MIN_MASKED_LENGTH) for (const form of writtenForms(secret)) forms.add(form);
  }
  if (forms.size === 0) return (text) => text;
  // Longest first: a secret that begins with another is masked whole.
  const pattern = [...forms]
    .sort((a, b) => b.length - a.length)
    .map(RegExp.escape)
    .join("|");
  const anySecret = new RegExp(pattern, "g");
  return (text) => text.replace(anySecret, MASKED);
}

/** A copy with its strings and keys masked; the values at the given places are masked whole, whatever their length. */
export function maskJson(value: Json, mask: (text: string) => string, places: readonly JsonPath[] = []): Json {
  return maskBelow(value, mask, places);
}

function maskBelow(value: Json, mask: (text: string) => string, places: readonly JsonPath[]): Json {
  if (places.some((place) => place.length === 0)) return value === "" || value === null ? value : MASKED;
  if (typeof value === "string") return mask(value);
  if (Array.isArray(value)) return value.map((item: Json, index) => maskBelow(item, mask, below(places, index)));
  if (!isJsonObject(value)) return value;
  const entries = Object.entries(value);
  return Object.fromEntries(entries.map(([key, item]) => [mask(key), maskBelow(item, mask, below(places, key))]));
}

function below(places: readonly JsonPath[], step: string | number): readonly JsonPath[] {
  return places.filter(([first]) => first === step).map((place) => place.slice(1));
}

function writtenForms(secret: string): readonly string[] {
  const json = JSON.stringify(secret).slice(1, -1);
  const uri = encodeUri(secret);
  const form = new URLSearchParams({ "": secret }).toString().slice(1);
  const forms = [secret, json, JSON.stringify(json).slice(1, -1), json.replaceAll("/", "\\/"), uri, form];
  return [...forms, ...[uri, form].map((text) => text.replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase()))];
}

/** A lone surrogate has no encoding. */
function encodeUri(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}
