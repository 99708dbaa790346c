/** Where the directories lie that the script of an installed app names, as far as its answers are known. Pure. */
import { parseTemplate } from "../macros/parse.ts";
import { confine, isLocationRoot, normalisePath } from "./directory-path.ts";
import { openMacros } from "./plan-macros.ts";
import type { ResolveRequest } from "./resolve-request.ts";
import { resolveToText, toPlace } from "./values/resolve-values.ts";

/** A host path, or where that is not known the one it lies in. */
export interface DeclaredPath {
  readonly path: string;
  readonly isKnown: boolean;
}

/** Stands for a generated string nobody has kept: no path holds it. */
const LOST = "\0";

/** Lists them, but for locations themselves, and what lies in none. */
export function listDeclaredPaths({
  dictionary,
  facts,
  stored = {},
}: Pick<ResolveRequest, "dictionary" | "facts" | "stored">): readonly DeclaredPath[] {
  const random = (length: number) => LOST.repeat(length);
  const { scope } = openMacros({ dictionary, request: {}, facts, mode: "upgrade", stored, random }, []);
  return dictionary.directories.flatMap(({ path: written }, at): DeclaredPath[] => {
    const raw = resolveToText(written, toPlace(["ensure_directories_exists", at, "path"]), scope);
    const isKnown = raw !== null && !raw.includes(LOST);
    const known = isKnown ? raw : readBeginning(written, facts.locations);
    if (known === null) return [];
    const confined = confine(known, facts.locations);
    if ("fault" in confined) return isKnown ? [] : [{ path: normalisePath(known), isKnown }];
    return isKnown && isLocationRoot(confined.path, facts.locations) ? [] : [{ path: confined.path, isKnown }];
  });
}

/** The directory a path begins with whatever is put into it; null: it begins with a location the host does not have. */
function readBeginning(written: string, locations: Readonly<Record<string, string>>): string | null {
  let text = "";
  for (const part of parseTemplate(written).root.parts) {
    if (typeof part === "string") text += part;
    else if (part.name !== "LOCATION") break;
    else if (Object.hasOwn(locations, part.location)) text += locations[part.location] ?? "";
    else return null;
  }
  return text.slice(0, text.lastIndexOf("/") + 1) || "/";
}
