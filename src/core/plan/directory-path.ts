/** Keeping a directory at or below its location, lexically (docs/decisions.md, section 2.9); symlinks are the host's part. */
import type { Template } from "../macros/tree.ts";

/** A directory path within its location. */
export interface ConfinedPath {
  /** Absolute, without `.`, `..`, doubled or trailing slashes. */
  readonly path: string;
  /** Location id. */
  readonly location: string;
}

/** Whether a directory's path begins with a host path instead of a location: only a plan can tell where that lies. */
export function isWrittenOut({ root }: Template): boolean {
  const [first] = root.parts;
  return typeof first === "string" && first.startsWith("/");
}

/**
 * Says what is wrong with a directory's path whatever the host and the answers are; null where nothing is. A path that
 * begins with a macro other than `$LOCATION` is judged when it is resolved.
 */
export function checkDirectoryPath(template: Template): string | null {
  const [first, ...rest] = template.root.parts;
  if (isWrittenOut(template)) return null;
  if (first === undefined || typeof first === "string") {
    return `the directory "${template.source}" does not begin with "$LOCATION(locationId)"`;
  }
  if (first.name !== "LOCATION") return null;
  // A macro in the path counts as one name of unknown depth: only what is certain is refused here.
  const below = rest.map((part) => (typeof part === "string" ? part : "x")).join("");
  if (below !== "" && !below.startsWith("/") && typeof rest[0] === "string") {
    return `the directory "${template.source}" needs a "/" after its location`;
  }
  if (rest.every((part) => typeof part === "string") && climbs(below)) {
    return `the directory "${template.source}" leaves its location by ".."`;
  }
  return null;
}

/**
 * The directory a resolved path names, or what is wrong with it. `preferred` is the location it was written with;
 * another that holds the path is taken where that one does not.
 */
export function confine(
  raw: string,
  locations: Readonly<Record<string, string>>,
  preferred?: string,
): ConfinedPath | { readonly fault: string } {
  if (raw.includes("\0")) return { fault: `the directory ${JSON.stringify(raw)} holds a zero character` };
  if (!raw.startsWith("/")) return { fault: `the directory "${raw}" is not an absolute path` };
  const holders = Object.entries(locations)
    .map(([location, root]) => ({ location, root: normalisePath(root), below: readBelow(normalisePath(root), raw) }))
    .filter((holder) => holder.below !== null)
    .sort((a, b) => rank(b, preferred) - rank(a, preferred) || b.root.length - a.root.length);
  const [holder] = holders;
  if (holder?.below == null) return { fault: `the directory "${raw}" lies outside every configured location` };
  if (climbs(holder.below)) return { fault: `the directory "${raw}" leaves its location "${holder.location}" by ".."` };
  return { path: normalisePath(`${holder.root}/${holder.below}`), location: holder.location };
}

/** Whether a path is a location itself: never created, owned or repaired. */
export function isLocationRoot(path: string, locations: Readonly<Record<string, string>>): boolean {
  return Object.values(locations).some((root) => normalisePath(root) === path);
}

function rank(holder: { readonly location: string }, preferred: string | undefined): number {
  return holder.location === preferred ? 1 : 0;
}

/** The rest of a path behind its root, as written; null where it does not begin with the root. */
function readBelow(root: string, raw: string): string | null {
  const path = raw.replace(/\/(?:\.?\/)+/g, "/");
  if (path === root) return "";
  return path.startsWith(root === "/" ? "/" : `${root}/`) ? path.slice(root.length) : null;
}

/** Whether a path goes above where it starts at any of its steps. */
function climbs(path: string): boolean {
  let depth = 0;
  for (const step of path.split("/")) {
    if (step === "..") depth -= 1;
    else if (step !== "" && step !== ".") depth += 1;
    if (depth < 0) return true;
  }
  return false;
}

/** An absolute path without `.`, `..`, doubled or trailing slashes, lexically. */
export function normalisePath(path: string): string {
  const steps: string[] = [];
  for (const step of path.split("/")) {
    if (step === "..") steps.pop();
    else if (step !== "" && step !== ".") steps.push(step);
  }
  return `/${steps.join("/")}`;
}

/** The fault of a snapshot's id, which becomes part of its name on the host, or null. */
export function checkSnapshotId(id: string): string | null {
  if (/^[A-Za-z0-9_.:-]{1,64}$/.test(id)) return null;
  return `the snapshot id ${JSON.stringify(id)} is not 1 to 64 letters, digits, "_", ".", ":" or "-"`;
}

/** Whether an absolute path without `.` and `..` is another one or lies below it, by its names alone. */
export function isAtOrBelow(path: string, parent: string): boolean {
  return path === parent || path.startsWith(parent === "/" ? "/" : `${parent}/`);
}
