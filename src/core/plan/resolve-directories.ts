/** The directories of a plan: macros resolved, each kept at or below its location (docs/decisions.md, section 2.9). */

import type { JsonPath } from "../json/json.ts";
import { toText } from "../macros/macro-values.ts";
import { parseTemplate } from "../macros/parse.ts";
import type { Call } from "../macros/tree.ts";
import type { Dictionary, DirectoryEntry } from "../script/dictionary.ts";
import { checkSnapshotId, confine, isLocationRoot } from "./directory-path.ts";
import type { PlannedDirectory } from "./plan.ts";
import type { ResolvedAnswers } from "./resolve-answers.ts";
import { type PlaceScope, resolveToText, toPlace } from "./values/resolve-values.ts";

/** A directory whose path or location may not be resolved. */
export interface DraftDirectory extends Omit<PlannedDirectory, "path" | "location"> {
  readonly path: string | null;
  readonly location: string | null;
}

/** Resolves the directory entries in order; one that leaves its location is null with a diagnostic. */
export function resolveDirectories(
  { directories }: Dictionary,
  answers: ResolvedAnswers,
  scope: PlaceScope,
): readonly DraftDirectory[] {
  return directories.map((entry, index) => {
    return resolveDirectory(entry, ["ensure_directories_exists", index], answers, scope);
  });
}

function resolveDirectory(
  entry: DirectoryEntry,
  at: JsonPath,
  answers: ResolvedAnswers,
  scope: PlaceScope,
): DraftDirectory {
  const { locations } = scope.facts;
  const { path: written, networkShare } = entry;
  const place = [...at, "path"];
  const used: Call[] = [];
  const raw = resolveToText(written, toPlace(place), {
    ...scope,
    used: (where, call, value) => {
      used.push(call.call);
      return scope.used(where, call, value);
    },
  });
  const location = readWrittenLocation(written);
  const details = resolveDetails(entry, at, scope);
  const rest = { share: networkShare, ...details };
  if (raw === null || details === null) return { path: null, location, root: false, ...rest };
  const given = used.flatMap((call) => (call.name === "QUESTION" ? [call.key] : []));
  const absolute = given.find((key) => toText(answers.answer(key).value ?? "").startsWith("/"));
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

/** Owner and snapshot of an entry with their macros resolved; null where one of them can't be. */
function resolveDetails(
  { owner, snapshot }: DirectoryEntry,
  at: JsonPath,
  scope: PlaceScope,
): Pick<PlannedDirectory, "owner" | "snapshot"> | null {
  const resolve = (text: string, ...place: readonly string[]) => {
    return resolveToText(text, toPlace([...at, ...place]), scope);
  };
  const user = owner === undefined ? undefined : resolve(owner.user, "owner", "user");
  const group = owner?.group === undefined ? undefined : resolve(owner.group, "owner", "group");
  const id = snapshot === undefined ? undefined : resolve(snapshot.id, "snapshot", "id");
  if (user === null || group === null || id === null) return null;
  const fault = id === undefined ? null : checkSnapshotId(id);
  if (fault !== null) {
    const path = [...at, "snapshot", "id"];
    scope.report({ code: "DIRECTORY_SNAPSHOT_ID", severity: "error", message: fault, path });
    return null;
  }
  return {
    ...(user !== undefined && { owner: { user, ...(group !== undefined && { group }) } }),
    ...(id !== undefined && { snapshot: { id } }),
  };
}

function readWrittenLocation(written: string): string | null {
  const [first] = parseTemplate(written).root.parts;
  return typeof first === "object" && first.name === "LOCATION" ? first.location : null;
}
