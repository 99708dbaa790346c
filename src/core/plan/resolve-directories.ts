/** The directories of a plan: macros resolved, each kept at or below its location (docs/decisions.md, section 2.9). */

import type { JsonPath } from "../json/json.ts";
import { asText } from "../macros/evaluate.ts";
import { parseTemplate } from "../macros/parse.ts";
import type { Call } from "../macros/tree.ts";
import type { Dictionary, DirectoryEntry } from "../script/dictionary.ts";
import { confine, isLocationRoot } from "./directory-path.ts";
import type { PlannedDirectory } from "./plan.ts";
import { type PlaceScope, placeAt, resolveToText } from "./resolve-values.ts";
import type { ResolvedAnswers } from "./settle-answers.ts";

/** A directory whose path or location may not be resolved. */
export interface DraftDirectory extends Omit<PlannedDirectory, "path" | "location"> {
  readonly path: string | null;
  readonly location: string | null;
}

/** Resolves the directory entries in order; one that leaves its location is null with a finding. */
export function resolveDirectories(
  { directories }: Dictionary,
  answers: ResolvedAnswers,
  scope: PlaceScope,
): readonly DraftDirectory[] {
  return directories.map((entry, index) => {
    return resolveDirectory(entry, ["ensure_directories_exists", index, "path"], answers, scope);
  });
}

function resolveDirectory(
  { path: written, networkShare, owner, snapshot }: DirectoryEntry,
  place: JsonPath,
  answers: ResolvedAnswers,
  scope: PlaceScope,
): DraftDirectory {
  const { locations } = scope.facts;
  const used: Call[] = [];
  const raw = resolveToText(written, placeAt(place), {
    ...scope,
    used: (at, call, value) => {
      used.push(call.call);
      return scope.used(at, call, value);
    },
  });
  const location = writtenLocation(written);
  const rest = { share: networkShare, ...(owner && { owner }), ...(snapshot && { snapshot }) };
  if (raw === null) return { path: null, location, root: false, ...rest };
  const given = used.flatMap((call) => (call.name === "QUESTION" ? [call.key] : []));
  const absolute = given.find((key) => asText(answers.answer(key).value ?? "").startsWith("/"));
  const confined = confine(raw, locations, location ?? undefined);
  const fault =
    absolute !== undefined
      ? `the answer to "${absolute}" is an absolute path where a name below a location belongs`
      : "fault" in confined
        ? confined.fault
        : location === null && used.length === 0 && isLocationRoot(confined.path, locations)
          ? `the directory "${raw}" is a location itself; write "$LOCATION(${confined.location})" to share it`
          : null;
  if (fault === null && !("fault" in confined)) {
    return { ...confined, root: isLocationRoot(confined.path, locations), ...rest };
  }
  const culprit = absolute ?? given.find((key) => answers.answer(key).source === "given");
  const path = culprit === undefined ? place : ["answers", culprit];
  scope.report({ code: "DIRECTORY_OUTSIDE", severity: "error", message: fault ?? "", path });
  return { path: null, location, root: false, ...rest };
}

function writtenLocation(written: string): string | null {
  const [first] = parseTemplate(written).root.parts;
  return typeof first === "object" && first.name === "LOCATION" ? first.location : null;
}
