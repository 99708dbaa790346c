import { isQuicklyDrawn } from "./draw-cost.ts";

/** Whether the picture of a `data:` address is no SVG, or one that is drawn in no time. */
export function isLightData(address: string): boolean {
  // As a browser reads an address: without what breaks it into lines, and up to its fragment.
  const [, type = "", data = ""] = /^data:([^,]*),([^#]*)/i.exec(address.replace(/[\t\n\r]/g, "")) ?? [];
  if (!/svg|xml/i.test(type)) return true;
  if (/charset\s*=(?!\s*"?(?:utf-?8|us-ascii)\b)/i.test(type)) return false;
  const bytes = decodeData(data, /;\s*base64\s*$/i.test(type));
  return bytes !== null && isQuicklyDrawn(bytes);
}

/** null for what can't be decoded. */
function decodeData(written: string, isBase64: boolean): Uint8Array | null {
  try {
    const text = decodeURIComponent(written.replace(/%(?![\da-f]{2})/gi, "%25"));
    return isBase64 ? Uint8Array.from(atob(text), (byte) => byte.charCodeAt(0)) : new TextEncoder().encode(text);
  } catch {
    return null;
  }
}
