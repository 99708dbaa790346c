/** MIME types of a Content-Type (MIME sniffing standard, section 4; Fetch standard, section 2.2.2). */
import type { Headers } from "./headers.ts";

interface MimeType {
  readonly essence: string;
  readonly parameters: ReadonlyMap<string, string>;
  /** Serialized (MIME sniffing standard, section 4.5). */
  readonly text: string;
}

const TOKEN = "[!#$%&'*+\\-.^_`|~0-9A-Za-z]+";
const PARAMETER = new RegExp(`[\\t\\n\\r ]*(${TOKEN})=(?:"((?:[^"\\\\]|\\\\.)*)"|([^;]*))`, "y");

/** "Extract a MIME type" of the last Content-Type that parses. */
export function extractMimeType(headers: Headers): MimeType | undefined {
  const values = headers.get("content-type");
  if (values === null) return undefined;
  let found: MimeType | undefined;
  for (const value of splitQuoted(values)) {
    const parsed = parseMimeType(value);
    if (parsed === undefined || parsed.essence === "*/*") continue;
    const charset = found?.essence === parsed.essence ? found.parameters.get("charset") : undefined;
    if (charset === undefined || parsed.parameters.has("charset")) found = parsed;
    else found = createMimeType(parsed.essence, new Map([...parsed.parameters, ["charset", charset]]));
  }
  return found;
}

/** Splits a header value at commas outside quotes. */
function splitQuoted(value: string): string[] {
  return value.match(/(?:[^",]|"(?:[^"\\]|\\.)*"?)+/g) ?? [];
}

function parseMimeType(value: string): MimeType | undefined {
  const text = value.replace(/^[\t\n\r ]+|[\t\n\r ]+$/g, "");
  const head = new RegExp(`^(${TOKEN}/${TOKEN})[\\t\\n\\r ]*(?:;|$)`).exec(text);
  if (head?.[1] === undefined) return undefined;
  const parameters = new Map<string, string>();
  let at = head[0].length;
  while (at < text.length) {
    PARAMETER.lastIndex = at;
    const match = PARAMETER.exec(text);
    if (match?.[1] !== undefined) {
      const name = match[1].toLowerCase();
      const plain = match[2]?.replace(/\\(.)/g, "$1") ?? match[3]?.replace(/[\t\n\r ]+$/, "") ?? "";
      const kept = match[2] !== undefined || plain !== "";
      if (kept && /^[\t\x20-\x7e\x80-\xff]*$/.test(plain) && !parameters.has(name)) parameters.set(name, plain);
    }
    const next = text.indexOf(";", match === null ? at : PARAMETER.lastIndex);
    at = next < 0 ? text.length : next + 1;
  }
  return createMimeType(head[1].toLowerCase(), parameters);
}

function createMimeType(essence: string, parameters: ReadonlyMap<string, string>): MimeType {
  let text = essence;
  for (const [name, value] of parameters) {
    const isToken = new RegExp(`^${TOKEN}$`).test(value);
    text += `;${name}=${isToken ? value : `"${value.replace(/["\\]/g, "\\$&")}"`}`;
  }
  return { essence, parameters, text };
}
