/**
 * The cost of snapshot queries (docs/host-api.md, section 8). Releases before 26.0 read one snapshot by its id, or names
 * alone; for every other query they read all snapshots of all pools with all properties, and filter afterwards. Later ones
 * read the snapshots of a dataset, or those between two transactions.
 */
import type { Json } from "../../core/json/json.ts";
import type { SnapshotRecord } from "../host-state.ts";
import { createCallError } from "../rpc/rpc-error.ts";
import { isSince } from "../settings.ts";
import type { World } from "../world.ts";

type Select = readonly (string | readonly string[])[];

/** The snapshots a query reads, before its filters; `names`: only their names. Throws for a scan that is not allowed. */
export function readSnapshots(
  world: World,
  filters: readonly Json[],
  select: Select,
): { readonly found: readonly SnapshotRecord[]; readonly names: boolean } {
  const { snapshots } = world.state;
  const id = findId(filters);
  const names = select.length === 1 && select[0] === "name" && filters.every(isOfName);
  const found = id === null ? snapshots : snapshots.filter(({ dataset, name }) => `${dataset}@${name}` === id);
  countReads(world, found.length, names);
  const isScan = id === null && !names && !isSince(world.generation, "26.0");
  if (isScan) refuseScan(world, "This query reads every snapshot of every pool with all properties");
  // The host promises no order of names; the one here is not that of their times.
  return { found: names ? found.toReversed() : found, names };
}

/** Throws for a scan if the stand-in allows none. */
export function refuseScan({ scansSnapshots }: World, reason: string): void {
  if (!scansSnapshots) throw createCallError("EFAULT", reason);
}

/** Adds a query to the counts. */
export function countReads({ snapshotReads }: World, read: number, names: boolean): void {
  snapshotReads.queries += 1;
  snapshotReads[names ? "names" : "rows"] += read;
}

function findId(filters: readonly Json[]): string | null {
  const [filter] = filters;
  if (filters.length !== 1 || !Array.isArray(filter)) return null;
  const [field, operator, value] = filter;
  return (field === "id" || field === "name") && operator === "=" && typeof value === "string" ? value : null;
}

function isOfName(filter: Json): boolean {
  return Array.isArray(filter) && ["name", "dataset", "pool"].includes(String(filter[0]));
}
