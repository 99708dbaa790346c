/** A body as a fake can hold it. */
import { isJson, isJsonObject, type Json } from "../../core/json/json.ts";

/** An object or a list where it is JSON of either, else its text; null where it is neither text nor JSON. */
export function readBody(bytes: Uint8Array): Json | null {
  const text = readText(bytes);
  if (text === null || !/^\s*[[{]/.test(text)) return text;
  try {
    const value: unknown = JSON.parse(text);
    return isJson(value) && (isJsonObject(value) || Array.isArray(value)) ? value : text;
  } catch {
    return text;
  }
}

function readText(bytes: Uint8Array): string | null {
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return text.includes("\0") ? null : text;
  } catch {
    return null;
  }
}
