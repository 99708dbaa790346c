/**
 * The checks of an install script that need other files: its TypeScript is there and inside the catalog, parses,
 * exports the entrypoint, and asks for inputs and times that its declaration gives; its icon is there.
 */
import { readFile, realpath, stat } from "node:fs/promises";
import { join, resolve, sep } from "node:path";
import type { Json } from "../core/json.ts";
import type { CodedFinding } from "../core/rules/finding.ts";
import { iconPath, judgeIcon } from "../core/rules/icon-rules.ts";
import { judgeSource, type SourceFacts } from "../core/rules/source-rules.ts";
import { scriptUses } from "../core/script-uses.ts";
import { createSourceReader } from "./script-source.ts";

/** Checks the TypeScript and the icon of one install script, given as the value of its JSON. */
export type ScriptCheck = (script: Json | undefined) => Promise<readonly CodedFinding[]>;

/** Checks scripts against a catalog root; a source is read into facts once (cached by hash). */
export function createScriptCheck(root: string): ScriptCheck {
  const readFacts = createSourceReader();
  return async (script) => {
    const icon = iconPath(script);
    const findings: CodedFinding[] =
      icon === undefined ? [] : [...judgeIcon({ icon, present: await isFile(root, icon) })];
    for (const use of scriptUses(script)) {
      const source =
        use.source.kind === "inline" ? { text: use.source.content } : await readScript(root, use.source.path);
      const facts: SourceFacts = "text" in source ? await readFacts(source.text) : { kind: "absent", ...source };
      findings.push(...judgeSource(use, facts));
    }
    return findings;
  };
}

async function isFile(root: string, path: string): Promise<boolean> {
  return await stat(resolve(root, path)).then(
    (found) => found.isFile(),
    () => false,
  );
}

/** The text of a script file, or why it can't be had. A symbolic link that leaves the catalog is refused. */
async function readScript(root: string, path: string): Promise<{ text: string } | { reason: string }> {
  try {
    const [realRoot, file] = await Promise.all([realpath(root), realpath(resolve(root, path))]);
    if (!file.startsWith(join(realRoot, sep))) return { reason: `"${path}" leads outside the catalog` };
    return { text: await readFile(file, "utf8") };
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "";
    if (code === "ENOENT" || code === "ENOTDIR") return { reason: `there is no file "${path}" in the catalog` };
    return { reason: `the file "${path}" can't be read${code === "" ? "" : ` (${code})`}` };
  }
}
