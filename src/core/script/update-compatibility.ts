import { parse, satisfies } from "semver";
import type { ScriptVersion } from "./dictionary.ts";

/**
 * Whether a script may update an app installed with an earlier version of it: `updateCompatibility` admits that
 * version; without it the same major version does (docs/decisions.md, section 4).
 */
export function admitsUpdate(script: ScriptVersion, installed: string): boolean {
  const { version, updateCompatibility } = script;
  if (version === installed) return true;
  if (updateCompatibility !== undefined) return satisfies(installed, updateCompatibility, { includePrerelease: true });
  const [ours, theirs] = [parse(version), parse(installed)];
  return ours !== null && theirs !== null && ours.major === theirs.major;
}
