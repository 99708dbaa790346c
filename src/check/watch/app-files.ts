/** The files an app is made of, so that a change of one can be told to be a change of the app. */
import { realpath } from "node:fs/promises";
import { join, relative } from "node:path";
import { FILE_BYTES, FILES, listCandidates } from "../../../sandbox/compile/bundle-files.ts";
import { readFileBelow } from "../../../sandbox/files/read-below.ts";
import { SCENARIOS_ENDS } from "../../adapters/catalog/list-scripts.ts";
import { readJson, withoutByteOrderMark } from "../../core/json/json-source.ts";
import { readIconPath } from "../../core/rules/rows/icon-rules.ts";
import { MAX_SCRIPT_BYTES } from "../../core/script/script-limits.ts";
import { listScriptUses } from "../../core/script/script-uses.ts";
import type { ListedApp } from "../read-apps.ts";
import { nameFake } from "../world/read-fake.ts";

/** Whatever may name a file beside this one: too many cost a needless run, too few a missed one. */
const RELATIVE = /["'`](\.{1,2}\/[^"'`\n]{1,200})["'`]/g;

const NONE: ReadonlySet<string> = new Set();

/**
 * Every file that is part of an app, relative to the catalog; also one that is not there yet, where its scripts would find
 * it. Of a script that can't be read now, what it names is not known: the files `before` stay then. Never rejects.
 */
export async function listAppFiles({ appId, root, files }: ListedApp, before = NONE): Promise<ReadonlySet<string>> {
  const found = new Set([...files, `${appId}${SCENARIOS_ENDS.json}`, nameFake(appId)]);
  await addScript(root, `${appId}${SCENARIOS_ENDS.typescript}`, found);
  for (const file of files) {
    const source = readJson(withoutByteOrderMark((await readText(root, file, MAX_SCRIPT_BYTES)) ?? ""));
    const value = source.ok ? source.value : undefined;
    if (!source.ok) for (const path of before) found.add(path);
    const icon = readIconPath(value);
    if (icon !== undefined) found.add(join(icon));
    for (const { source: script } of listScriptUses(value)) {
      if (script.kind === "inline") await addImports(root, file, script.content, found);
      else await addScript(root, join(script.path), found);
    }
  }
  await addLinked(root, found);
  return found;
}

/** The files one script is made of, relative to the catalog. */
export async function listScriptFiles(root: string, path: string): Promise<ReadonlySet<string>> {
  const found = new Set<string>();
  await addScript(root, join(path), found);
  await addLinked(root, found);
  return found;
}

async function addScript(root: string, path: string, found: Set<string>): Promise<void> {
  if (found.has(path)) return;
  found.add(path);
  const text = await readText(root, path, FILE_BYTES);
  if (text !== null) await addImports(root, path, text, found);
}

async function addImports(root: string, from: string, text: string, found: Set<string>): Promise<void> {
  for (const [, specifier = ""] of text.matchAll(RELATIVE)) {
    for (const candidate of listCandidates(from, specifier)) {
      if (candidate.startsWith("..") || found.size > FILES * 20) continue;
      await addScript(root, candidate, found);
    }
  }
}

/** What links below the catalog lead to. */
async function addLinked(root: string, found: Set<string>): Promise<void> {
  const base = await realpath(root).catch(() => root);
  for (const path of [...found]) {
    const real = await realpath(join(base, path)).catch(() => null);
    const inside = real === null ? ".." : relative(base, real);
    if (inside !== path && !inside.startsWith("..")) found.add(inside);
  }
}

async function readText(root: string, path: string, most: number): Promise<string | null> {
  const read = await readFileBelow({ root, path }, most);
  return read.ok ? read.bytes.toString("utf8") : null;
}
