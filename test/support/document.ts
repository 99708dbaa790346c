import { readFileSync } from "node:fs";

/** A document of the repository, by its path from the root. */
export function readDocument(file: string): string {
  return readFileSync(new URL(`../../${file}`, import.meta.url), "utf8");
}

/** The first code block of a text, without its fence. */
export function codeBlock(text: string): string {
  const code = /```\w*\n([\s\S]*?)```/.exec(text)?.[1];
  if (code === undefined) throw new Error("there is no code block");
  return code;
}
