/** Generated parts of documents: what stands between `<!-- name -->` and `<!-- /name -->`. */
import { readFileSync, writeFileSync } from "node:fs";

/** A marked part of a document of the repository. */
export interface DocumentPart {
  /** Path from the repository's root. */
  readonly file: string;
  readonly name: string;
}

/** Writes the part's text. Throws where the document has no such part. */
export function writePart(part: DocumentPart, text: string): void {
  writeFileSync(place(part), withPart(part, text));
}

/** Whether the part holds the text already. Throws where the document has no such part. */
export function isPartCurrent(part: DocumentPart, text: string): boolean {
  return readFileSync(place(part), "utf8") === withPart(part, text);
}

/** The part's text. Throws where the document has no such part. */
export function readPart({ file, name }: DocumentPart): string {
  const part = buildPattern(name).exec(readFileSync(place({ file, name }), "utf8"))?.[0];
  if (part === undefined) throw new Error(`${file} has no part <!-- ${name} -->`);
  return part;
}

/** A text as it stands in a cell of a table. */
export function escapeCell(text: string): string {
  return text.replaceAll("|", "\\|").replaceAll("<", "&lt;");
}

function withPart(part: DocumentPart, text: string): string {
  readPart(part);
  return readFileSync(place(part), "utf8").replace(buildPattern(part.name), () => `${text.trim()}\n`);
}

function buildPattern(name: string): RegExp {
  return new RegExp(`(?<=<!-- ${name} -->\\n)[\\s\\S]*?(?=<!-- /${name} -->)`);
}

function place({ file }: DocumentPart): URL {
  return new URL(`../../${file}`, import.meta.url);
}
