import lt from "semver/functions/lt.js";
import parse from "semver/functions/parse.js";
import satisfies from "semver/functions/satisfies.js";
import type { ScriptVersion } from "./dictionary.ts";

/** Whether a script is older than the one an app was installed with: nothing goes back to it. */
export function isOlder({ version }: Pick<ScriptVersion, "version">, installed: string): boolean {
  return parse(installed) !== null && lt(version, installed);
}

/**
 * Whether a script may update an app installed with an earlier version of it: `updateCompatibility` admits that
 * version; without it the same major version does (docs/decisions.md, section 4).
 */
export function admitsUpdate(script: ScriptVersion, installed: string): boolean {
  const { version, updateCompatibility } = script;
  if (version === installed) return true;
  if (isOlder(script, installed)) return false;
  if (updateCompatibility !== undefined) return satisfies(installed, updateCompatibility, { includePrerelease: true });
  const [ours, theirs] = [parse(version), parse(installed)];
  return ours !== null && theirs !== null && ours.major === theirs.major;
}
