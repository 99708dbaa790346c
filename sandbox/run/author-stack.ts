/** Stack traces in the author's TypeScript: bundle positions mapped back, the guest's own frames left out. */
import { SourceMap, type SourceMapPayload } from "node:module";
import type { Mask } from "../../src/core/report/mask.ts";
import type { CompiledScript } from "../contract.ts";
import { GUEST_URL, SCRIPT_BUNDLE } from "../protocol/ops.ts";

/** Most frames shown. */
const FRAMES = 20;
/** Most characters shown of a source line, around the place. */
const EXCERPT = 160;

/** Maps a raw stack, masked; the source line of the innermost frame stands first, as Node prints it. */
export function readAuthorStack(stack: string, script: CompiledScript, mask: Mask): string {
  const payload: SourceMapPayload = JSON.parse(script.sourceMap);
  const map = new SourceMap(payload);
  const lines: string[] = [];
  let excerpt = "";
  for (const line of stack.split("\n")) {
    if (line.includes(GUEST_URL) || line.includes("<isolated-vm")) continue;
    const place = findPlace(line, map);
    if (place === null) {
      if (!line.includes(SCRIPT_BUNDLE.url)) lines.push(line);
      continue;
    }
    if (excerpt === "") excerpt = cutExcerpt(place, payload, mask);
    if (lines.length < FRAMES) lines.push(line.replace(POSITION, `${place.file}:${place.line}:${place.column}`));
  }
  return excerpt + mask(lines.join("\n"));
}

interface Place {
  readonly file: string;
  /** 1-based. */
  readonly line: number;
  readonly column: number;
}

const POSITION = new RegExp(`${SCRIPT_BUNDLE.url}:(\\d+):(\\d+)`);

function findPlace(line: string, map: SourceMap): Place | null {
  const at = POSITION.exec(line);
  if (at === null) return null;
  const entry = map.findEntry(Number(at[1]) - 1, Number(at[2]) - 1);
  if (!("originalSource" in entry) || entry.originalSource === undefined) return null;
  return { file: entry.originalSource, line: entry.originalLine + 1, column: entry.originalColumn + 1 };
}

/** Masked before it is cut: half a secret is found by nobody. */
function cutExcerpt(place: Place, payload: SourceMapPayload, mask: Mask): string {
  const source = payload.sourcesContent[payload.sources.indexOf(place.file)];
  const text = source?.split("\n")[place.line - 1];
  if (text === undefined) return "";
  const masked = mask(text);
  // the column is that of the text as it was
  if (masked !== text) return `${mask(place.file)}:${place.line}:${place.column}\n${masked.slice(0, EXCERPT)}\n\n`;
  const from = Math.max(0, place.column - 1 - EXCERPT / 2);
  const shown = text.slice(from, from + EXCERPT);
  return `${mask(place.file)}:${place.line}:${place.column}\n${shown}\n${" ".repeat(place.column - 1 - from)}^\n\n`;
}
