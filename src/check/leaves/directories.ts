import { isAtOrBelow } from "../../core/plan/directory-path.ts";
import type { HostFacts } from "../../core/plan/host-facts.ts";
import { resolvePlan } from "../../core/plan/resolve-plan.ts";
import type { Dictionary } from "../../core/script/dictionary.ts";
import type { AnswerSet } from "../trials/generate-answers.ts";

/** Host paths by entry of `ensure_directories_exists`; null: a location itself, or one that is not resolved. */
export type Directories = readonly (string | null)[];

/** Resolves the directories an app declares on a host. */
export function resolveDeclared(dictionary: Dictionary, facts: HostFacts, answers: AnswerSet): Directories {
  const random = (length: number) => "R".repeat(length);
  const { draft } = resolvePlan({ dictionary, request: { answers }, facts, mode: "install", random });
  return draft.directories.map(({ path, root }) => (root ? null : path));
}

/** The first entry that lies at, in or around a directory another app declares; null: none does. */
export function findShared(own: Directories, other: Directories): number | null {
  const index = own.findIndex((path) => path !== null && findTouching(other, path) >= 0);
  return index < 0 ? null : index;
}

/** The place in the script of the entry that a host path belongs to; the script itself where it belongs to none. */
export function placeDirectory(directories: Directories, at: string): readonly (string | number)[] {
  const index = findTouching(directories, at);
  return index < 0 ? [] : ["ensure_directories_exists", index];
}

function findTouching(directories: Directories, at: string): number {
  return directories.findIndex((path) => path !== null && (isAtOrBelow(at, path) || isAtOrBelow(path, at)));
}
