/** Dataset snapshots under the names each release has for them (docs/host-api.md, sections 8 and 12). */
import { z } from "zod";
import type { Json } from "../../core/json/json.ts";
import { HostError } from "../../engine/host-error.ts";
import type { Host } from "../../engine/ports/host.ts";
import type { HostSnapshot } from "../../engine/ports/host-records.ts";
import { nameOnWire } from "./host-calls.ts";
import type { Session } from "./session.ts";

/** `{value, rawvalue}`, from 26.0 on `{value, raw}`. */
const Property = z.object({
  value: z.union([z.string(), z.number(), z.boolean()]).nullish(),
  rawvalue: z.string().nullish(),
  raw: z.string().nullish(),
});
const Metadata = z.record(z.string(), z.union([z.string(), Property, z.null()]).catch(null));
const Snapshot = z.object({
  /** `<dataset>@<name>`; one of the two is there in every release. */
  id: z.string().exactOptional(),
  name: z.string().exactOptional(),
  properties: Metadata.nullish().catch(null),
  user_properties: Metadata.nullish().catch(null),
  /** Number of the transaction that made it; a text before 26.0. */
  createtxg: z.int().optional().catch(undefined),
});

interface FoundSnapshot extends HostSnapshot {
  readonly createtxg?: number;
}

/** Metadata keys of ours begin so. */
const METADATA_PREFIX = "platform:";

/** The part of the port that deals with snapshots. */
export function createSnapshots(
  session: Session,
): Pick<Host, "snapshotNames" | "snapshots" | "createSnapshot" | "deleteSnapshot"> {
  /** From 26.0 on snapshots are asked for by the path of their dataset. */
  const readsPaths = async () =>
    nameOnWire("pool.snapshot.query", (await session.version()).release) === "zfs.resource.snapshot.query";
  async function ask(dataset: string, params: Json[]): Promise<FoundSnapshot[]> {
    // From 26.0 on a dataset that is gone is an error; older hosts answer an empty list.
    const found = await session.call("pool.snapshot.query", params, z.array(Snapshot)).catch(emptyUnlessLasting);
    return found.flatMap((row) => toHostSnapshots(row)).filter((snapshot) => snapshot.dataset === dataset);
  }
  /** Before 26.0 a query that is neither by id nor for names alone reads every snapshot of every pool. */
  async function askById(dataset: string, names: readonly string[]): Promise<FoundSnapshot[]> {
    return (await Promise.all(names.map((name) => ask(dataset, [[["id", "=", `${dataset}@${name}`]]])))).flat();
  }
  /** From 26.0 on a query reads the snapshots of a dataset, or those between two of its transactions. */
  async function askByTransaction(dataset: string, names: readonly string[]): Promise<FoundSnapshot[]> {
    const all = await ask(dataset, [{ paths: [dataset], properties: null }]);
    const asked = all
      .filter(({ name }) => names.includes(name))
      .map(({ createtxg }) => {
        // One more on each side: whether the bounds count is not known.
        const span = createtxg !== undefined && { min_txg: Math.max(0, createtxg - 1), max_txg: createtxg + 1 };
        return ask(dataset, [{ paths: [dataset], properties: ["referenced"], get_user_properties: true, ...span }]);
      });
    const found = (await Promise.all(asked)).flat();
    return [...new Map(found.map((snapshot) => [snapshot.name, snapshot])).values()];
  }
  return {
    async snapshotNames(dataset) {
      const byPath = [{ paths: [dataset], properties: null }];
      const byFilter = [[["dataset", "=", dataset]], { select: ["name"] }];
      return (await ask(dataset, (await readsPaths()) ? byPath : byFilter)).map(({ name }) => name);
    },
    async snapshots(dataset, names) {
      if (names.length === 0) return [];
      const found = await ((await readsPaths()) ? askByTransaction : askById)(dataset, names);
      return found.flatMap(({ createtxg: _, ...snapshot }) => (names.includes(snapshot.name) ? [snapshot] : []));
    },
    async createSnapshot({ dataset, name, properties }) {
      await session.call("pool.snapshot.create", [{ dataset, name, properties }], z.unknown());
    },
    async deleteSnapshot(dataset, name) {
      try {
        await session.call("pool.snapshot.delete", [`${dataset}@${name}`], z.unknown());
      } catch (error) {
        if (!(error instanceof HostError && error.code === "HOST_NOT_FOUND")) throw error;
      }
    },
  };
}

function emptyUnlessLasting(error: unknown): [] {
  if (error instanceof HostError && error.code === "HOST_NOT_FOUND") return [];
  throw error;
}

function toHostSnapshots(row: z.infer<typeof Snapshot>): FoundSnapshot[] {
  const [dataset, name] = (row.id ?? row.name ?? "").split("@");
  if (dataset === undefined || name === undefined) return [];
  const properties: Record<string, string> = {};
  for (const [key, property] of Object.entries({ ...row.properties, ...row.user_properties })) {
    const value = typeof property === "string" ? property : property?.value;
    if (key.startsWith(METADATA_PREFIX) && typeof value === "string") properties[key] = value;
  }
  const size = row.properties?.["referenced"];
  const bytes = typeof size === "object" ? Number(size?.rawvalue ?? size?.raw ?? Number.NaN) : Number.NaN;
  const { createtxg } = row;
  return [
    {
      dataset,
      name,
      properties,
      ...(Number.isSafeInteger(bytes) && { bytes }),
      ...(createtxg !== undefined && { createtxg }),
    },
  ];
}
