/** The real install scripts as far as they are there: a copy without the hooks and widgets whose TypeScript is missing. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isJsonObject, type Json } from "../../src/core/json/json.ts";

/** Copies the scripts of a folder into another; gives the ids of what was left out, by app. */
export function copyWithoutMissing(from: string, to: string): ReadonlyMap<string, readonly string[]> {
  const left = new Map<string, readonly string[]>();
  for (const file of readdirSync(from).filter((name) => name.endsWith(".json"))) {
    const text = readFileSync(join(from, file), "utf8");
    const script: Json = JSON.parse(text);
    const out = isJsonObject(script) ? dropMissing(script, from) : [];
    writeFileSync(join(to, file), out.length === 0 ? text : JSON.stringify(script, null, 2));
    if (out.length > 0) left.set(file.replace(/\.json$/, ""), out);
  }
  return left;
}

function dropMissing(script: Record<string, Json | undefined>, folder: string): readonly string[] {
  return ["hooks", "widgets"].flatMap((kind) => {
    const all = script[kind];
    if (!Array.isArray(all)) return [];
    const isMissing = (one: Json) =>
      isJsonObject(one) && typeof one["script"] === "string" && !existsSync(join(folder, one["script"]));
    script[kind] = all.filter((one) => !isMissing(one));
    return all.filter(isMissing).map((one) => `${kind.slice(0, -1)} ${isJsonObject(one) ? one["id"] : ""}`);
  });
}
