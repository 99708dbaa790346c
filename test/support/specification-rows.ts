import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** The rows of each section of the specification, by heading: names of fields where a table has them, else numbers. */
export type SectionRows = ReadonlyMap<string, readonly string[]>;

/**
 * Reads the specification beside the project; null if the folder is absent (the tests are then reported as skipped). With
 * `CI=true` its absence is a failure.
 */
export function readSpecificationRows(): SectionRows | null {
  const file = fileURLToPath(new URL("../../../shared/spec/specification.md", import.meta.url));
  if (existsSync(file)) return collectRows(readFileSync(file, "utf8"));
  if (process.env["CI"] === "true") throw new Error(`CI needs the specification in ${file}`);
  return null;
}

/** The rows of a text of Markdown: every row of a table, every item of a list. Sections without rows are left out. */
export function collectRows(text: string): SectionRows {
  const sections = new Map<string, string[]>();
  let rows: string[] = [];
  for (const block of text.split(/\n\n+/)) {
    const heading = /^#{2,3} (.+)$/.exec(block)?.[1];
    if (heading !== undefined) rows = [];
    if (heading !== undefined) sections.set(heading, rows);
    else rows.push(...nameRows(block.split("\n")));
  }
  return new Map([...sections].filter(([, found]) => found.length > 0));
}

function nameRows(lines: readonly string[]): readonly string[] {
  if (!lines.every((line) => line.startsWith("|"))) {
    return lines.filter((line) => /^(\d+\.|-) /.test(line)).map((_, index) => String(index + 1));
  }
  const names = lines.slice(2).map((line) => (line.split("|")[1] ?? "").replaceAll("`", "").trim());
  const short = names.map((name) => name.split(/[(<]| \//)[0] ?? "");
  const areNames = short.every((name) => /^[\w$]+$/.test(name)) && new Set(short).size === short.length;
  return areNames ? short : short.map((_, index) => String(index + 1));
}
