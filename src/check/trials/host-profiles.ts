/** The hosts a script is resolved on: each has or lacks what a script may ask for. */

import { readLiteralText } from "../../core/macros/tree.ts";
import type { HostFacts, InstalledApp } from "../../core/plan/host-facts.ts";
import type { Dictionary } from "../../core/script/dictionary.ts";
import { LOCATIONS, UNLISTED_LOCATIONS } from "../../core/script/script-words.ts";
import { findMacroCalls } from "../resolve/macro-calls.ts";

/** A host to resolve a script on. */
export interface HostProfile {
  readonly name: string;
  readonly facts: HostFacts;
}

const GIB_MB = 1024;

const INTEL = { slot: "0000:00:02.0", vendor: "INTEL" } as const;
const NVIDIA = { slot: "0000:01:00.0", vendor: "NVIDIA", uuid: "GPU-00000000-0000-0000-0000-000000000001" } as const;

/** The machines a script may come to. */
export const MACHINES = {
  large: { memoryMb: 256 * GIB_MB, cores: 32, gpus: [INTEL] },
  small: { memoryMb: 2 * GIB_MB, cores: 2, gpus: [] },
  nvidia: { memoryMb: 256 * GIB_MB, cores: 32, gpus: [NVIDIA] },
} as const satisfies Readonly<Record<string, Pick<HostFacts, "memoryMb" | "cores" | "gpus">>>;

/** The host of the plainest profile, where the embedded host has its locations too. */
export const PLAIN_FACTS: HostFacts = {
  lanIp: "192.0.2.10",
  hostId: "a1b2c3d4",
  ...MACHINES.large,
  locations: placeLocations("/mnt/tank", [...LOCATIONS, ...UNLISTED_LOCATIONS]),
  apps: {},
};

/**
 * The profiles a script is resolved on, the plainest first. "Everything installed" is what the script asks about: no other
 * app can change what it resolves to.
 */
export function listProfiles(dictionary: Dictionary): readonly HostProfile[] {
  const required = dictionary.requirements.locations;
  const large = PLAIN_FACTS;
  return [
    { name: "large", facts: large },
    { name: "small, without a GPU", facts: { ...large, ...MACHINES.small } },
    { name: "NVIDIA", facts: { ...large, ...MACHINES.nvidia } },
    { name: "without optional locations", facts: { ...large, locations: placeLocations("/mnt/tank", required) } },
    { name: "POSIX datasets", facts: { ...large, locations: placeLocations("/mnt/tank/posix data", required) } },
    { name: "everything installed", facts: { ...large, apps: listAskedApps(dictionary) } },
  ];
}

function placeLocations(parent: string, ids: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(ids.map((id) => [id, `${parent}/${id}`]));
}

function listAskedApps(dictionary: Dictionary): Readonly<Record<string, InstalledApp>> {
  const ids = findMacroCalls(dictionary).flatMap(({ call }) => {
    const id = call.name === "APP_INSTALLED" ? readLiteralText(call.app)?.trim() : undefined;
    return id === undefined || id === "" ? [] : [id];
  });
  return Object.fromEntries(ids.map((id) => [id, { state: "RUNNING", version: "1.0.0", ports: [] }]));
}
