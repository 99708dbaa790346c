/** What a `data:` address holds, read as a browser reads it. Pure. */

export interface DataAddress {
  /** As written: a type, and parameters. */
  readonly type: string;
  readonly bytes: Uint8Array;
}

/** null for what is no such address, or can't be decoded. */
export function readDataAddress(address: string): DataAddress | null {
  // Without what breaks it into lines, and up to its fragment.
  const [, type, data] = /^data:([^,]*),([^#]*)/i.exec(address.replace(/[\t\n\r]/g, "")) ?? [];
  if (type === undefined || data === undefined) return null;
  const bytes = decodeData(data, /;\s*base64\s*$/i.test(type));
  return bytes === null ? null : { type, bytes };
}

function decodeData(written: string, isBase64: boolean): Uint8Array | null {
  try {
    const text = decodeURIComponent(written.replace(/%(?![\da-f]{2})/gi, "%25"));
    return isBase64 ? Uint8Array.from(atob(text), (byte) => byte.charCodeAt(0)) : new TextEncoder().encode(text);
  } catch {
    return null;
  }
}
