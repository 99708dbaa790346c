import { readFileSync } from "node:fs";

/** The text between `<!-- name -->` and `<!-- /name -->` of the README. */
export function readmePart(name: string): string {
  const text = readFileSync(new URL("../../README.md", import.meta.url), "utf8");
  const part = new RegExp(`<!-- ${name} -->\n([\\s\\S]*?)<!-- /${name} -->`).exec(text)?.[1];
  if (part === undefined) throw new Error(`the README has no part "${name}"`);
  return part;
}

/** The first code block of a text, without its fence. */
export function codeBlock(text: string): string {
  const code = /```\w*\n([\s\S]*?)```/.exec(text)?.[1];
  if (code === undefined) throw new Error("there is no code block");
  return code;
}
