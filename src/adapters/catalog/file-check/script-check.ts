/**
 * The checks of an install script that need other files: its TypeScript is there and inside the catalog, parses,
 * exports the entrypoint, and asks for inputs and times that its declaration gives; its icon is there.
 */
import { FILE_BYTES } from "../../../../sandbox/compile/bundle-files.ts";
import { openBelow } from "../../../../sandbox/files/open-below.ts";
import { readFileBelow } from "../../../../sandbox/files/read-below.ts";
import type { Json } from "../../../core/json/json.ts";
import { DiagnosticList } from "../../../core/rules/diagnostic-list.ts";
import { checkIcon, readIconPath } from "../../../core/rules/rows/icon-rules.ts";
import { checkSource, type SourceFacts } from "../../../core/rules/rows/source-rules.ts";
import { isInsideCatalog } from "../../../core/script/catalog-path.ts";
import { listScriptUses } from "../../../core/script/script-uses.ts";
import type { ReadSource } from "../script-source.ts";

/** Does a piece of work when it is its turn. */
export type TakeTurn = <Result>(work: () => Result) => Promise<Result>;

/** Where nothing else waits. */
export const AT_ONCE: TakeTurn = async (work) => work();

/** Checks the TypeScript and the icon of one install script, given as the value of its JSON. */
export type ScriptCheck = (script: Json | undefined) => Promise<DiagnosticList>;

/** Checks scripts against a catalog root; `readFacts` reads their TypeScript, each judgement takes a turn. */
export function createScriptCheck(root: string, readFacts: ReadSource, inTurn = AT_ONCE): ScriptCheck {
  return async (script) => {
    const diagnostics = new DiagnosticList();
    const icon = readIconPath(script);
    if (icon !== undefined) diagnostics.addAll(checkIcon({ icon, present: await isFile(root, icon) }));
    for (const use of listScriptUses(script)) {
      const source =
        use.source.kind === "inline" ? { text: use.source.content } : await readScript(root, use.source.path);
      const facts: SourceFacts = "text" in source ? await readFacts(source.text) : { kind: "absent", ...source };
      await inTurn(() => diagnostics.addAll(checkSource(use, facts)));
    }
    return diagnostics;
  };
}

async function isFile(root: string, path: string): Promise<boolean> {
  if (!isInsideCatalog(path)) return false;
  const found = await openBelow({ root, path });
  if (!found.ok) return false;
  await found.handle.close();
  return found.stats.isFile();
}

/** The text of a script file, or why it can't be had. A path or symbolic link that leaves the catalog is refused. */
async function readScript(
  root: string,
  path: string,
): Promise<{ readonly text: string } | { readonly reason: string; readonly hint?: string }> {
  if (!isInsideCatalog(path)) return { reason: `"${path}" leads outside the catalog` };
  const read = await readFileBelow({ root, path }, FILE_BYTES);
  if (read.ok) return { text: read.bytes.toString("utf8") };
  switch (read.code) {
    case "OUTSIDE":
      return {
        reason: `"${path}" is a link, or lies behind one, that leads outside the catalog`,
        hint: "put the file itself into the catalog: a link that leads out is not followed",
      };
    case "ENOENT":
    case "ENOTDIR":
      return { reason: `there is no file "${path}" in the catalog` };
    case "EISDIR":
    case "NOT_FILE":
      return { reason: `"${path}" is not a regular file` };
    case "TOO_LARGE":
      return { reason: `the file "${path}" has more than the allowed ${FILE_BYTES} bytes` };
    default:
      return { reason: `the file "${path}" can't be read (${read.code})` };
  }
}
