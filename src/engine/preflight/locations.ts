/** What an install finds where its directories will lie: what is in the way, and how much room there is. */
import { posix } from "node:path";
import type { Failure } from "../../core/codes/problems.ts";
import type { PlannedDirectory } from "../../core/plan/plan.ts";
import { lookAtDeclared, toDeclared } from "../effects/files/declared-path.ts";
import { HostError } from "../host-error.ts";
import type { Host } from "../ports/host.ts";
import { createFailure } from "./fault.ts";

/** Free room where a location lies. */
export interface LocationRoom {
  readonly location: string;
  readonly dataset: string;
  readonly availableBytes: number;
}

/** Below this an image hardly fits: 1 GiB. */
const LEAST_ROOM_BYTES = 1024 ** 3;

/** Looks from the location down to what exists of the path; the rest will be created below it. */
export async function checkDirectory(
  host: Host,
  { path, location, root, owner }: PlannedDirectory,
  locations: Readonly<Record<string, string>>,
): Promise<Failure[]> {
  const base = locations[location];
  const createBlockedFailures = (message: string) => [createFailure("HOST_DIRECTORY_BLOCKED", message)];
  if (base === undefined) return createBlockedFailures(`the location "${location}" is not configured on the host`);
  const look = await lookAtDeclared(host, root ? base : path, locations);
  const steps = [look.top, ...look.below];
  const top = steps.find((step) => step.path === posix.resolve("/", base));
  if (top?.found == null)
    return createBlockedFailures(`the path "${base}" of the location "${location}" does not exist`);
  try {
    toDeclared(look);
  } catch (error) {
    if (error instanceof HostError && error.code === "HOST_PATH_LINKED")
      return [createFailure(error.code, error.message)];
    throw error;
  }
  const below = steps.slice(steps.indexOf(top) + 1);
  const other = below.find(({ found }) => found !== null && found.type !== "DIRECTORY");
  if (other !== undefined) return createBlockedFailures(`"${other.path}" exists and is not a directory`);
  if (root || owner === undefined) return [];
  const { path: existing, real } = [top, ...below].findLast(({ found }) => found !== null) ?? top;
  // A dataset of its own gets the ACLs of an app's dataset; anything else has those of the dataset it lies on. What is
  // missing below a dataset becomes datasets all the way down.
  const holder = await host.datasetOf(existing);
  const becomesDataset = existing !== path && holder.mountpoint === real;
  const dataset = becomesDataset ? null : await host.dataset(holder.dataset);
  if (dataset?.acltype !== "OFF") return [];
  return [
    createFailure("HOST_ACL_UNSUPPORTED", `"${path}" cannot be given an owner: ACLs are off on "${dataset.name}"`),
  ];
}

/** One row per location used; a location that is missing has its fault elsewhere. */
export async function measureRoom(
  host: Host,
  directories: readonly PlannedDirectory[],
  locations: Readonly<Record<string, string>>,
): Promise<LocationRoom[]> {
  const used = [...new Set(directories.map(({ location }) => location))];
  const rows = await Promise.all(
    used.map(async (location) => {
      const base = locations[location];
      if (base === undefined || (await host.stat(base)) === null) return [];
      const { dataset, availableBytes } = await host.datasetOf(base);
      return [{ location, dataset, availableBytes }];
    }),
  );
  return rows.flat();
}

/** The fault of a location with too little room. */
export function checkRoom({ location, dataset, availableBytes }: LocationRoom): Failure[] {
  if (availableBytes >= LEAST_ROOM_BYTES) return [];
  const megabytes = Math.floor(availableBytes / 1024 / 1024);
  return [
    createFailure(
      "HOST_SPACE_LOW",
      `the location "${location}" (${dataset}) has ${megabytes} MB left, 1024 are needed`,
    ),
  ];
}
