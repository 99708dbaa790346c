/** How many frames of the host's protocol a run of the tests held against the real host's schemas. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";

const Counts = z.record(z.string(), z.int());
const Key = z.tuple([z.string(), z.string(), z.string()]);

/** A table of what the files of a folder count, by method and release; says so if nothing was checked. */
export function describeFrameCounts(folder: string): string {
  const totals = new Map<string, Map<string, Map<string, number>>>();
  for (const file of readdirSync(folder)) {
    for (const [key, count] of Object.entries(Counts.parse(JSON.parse(readFileSync(join(folder, file), "utf8"))))) {
      const [release, kind, method] = Key.parse(JSON.parse(key));
      const kinds = takeMap(takeMap(totals, method), release);
      kinds.set(kind, (kinds.get(kind) ?? 0) + count);
    }
  }
  if (totals.size === 0) return "no frame was checked: the schemas of the host's API are absent";
  return [...totals]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([method, releases]) =>
      [...releases]
        .toSorted(([a], [b]) => (a < b ? -1 : 1))
        .map(([release, kinds]) => `${method.padEnd(30)} ${release.padEnd(5)} ${describeKinds(kinds)}`),
    )
    .join("\n");
}

function takeMap<V>(maps: Map<string, Map<string, V>>, key: string): Map<string, V> {
  const known = maps.get(key) ?? new Map<string, V>();
  maps.set(key, known);
  return known;
}

function describeKinds(kinds: ReadonlyMap<string, number>): string {
  return [...kinds]
    .toSorted(([a], [b]) => (a < b ? 1 : -1))
    .map(([kind, count]) => `${count} ${kind}`)
    .join(", ");
}
