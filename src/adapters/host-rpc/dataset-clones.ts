/** Datasets made of snapshots, and put in the place of others (docs/host-api.md, sections 8 and 12). */
import { z } from "zod";
import type { Host } from "../../engine/ports/host.ts";
import { nameOnWire } from "./host-calls.ts";
import type { Session } from "./session.ts";

/** By their names in zfs: the settings a clone inherits from its parent unless they are sent with it. */
const OWN_SETTINGS = [
  "aclinherit",
  "aclmode",
  "acltype",
  "atime",
  "checksum",
  "compression",
  "copies",
  "exec",
  "quota",
  "readonly",
  "recordsize",
  "refquota",
  "snapdir",
  "special_small_blocks",
  "sync",
  "xattr",
] as const;

/** The names `pool.dataset.query` has for settings that zfs names differently. */
const RENAMED: Readonly<Record<string, string>> = { special_small_blocks: "special_small_block_size" };

const Setting = z.object({ rawvalue: z.string().nullish(), source: z.string().nullish() }).nullish().catch(null);
const Settings = z.record(z.string(), z.unknown());

type ClonesPart = Pick<
  Host,
  "holdsDatasets" | "renamesDatasets" | "renameDataset" | "cloneSnapshot" | "promoteDataset"
>;

/** The part of the port that deals with clones. */
export function createClones(session: Session): ClonesPart {
  async function readOwnSettings(dataset: string): Promise<Record<string, string>> {
    // Not named here, `aclinherit` is left out of the answer.
    const extra = { retrieve_children: false, properties: [...OWN_SETTINGS] };
    const params = [[["id", "=", dataset]], { extra }];
    const [found = {}] = await session.call("pool.dataset.query", params, z.array(Settings));
    const own = OWN_SETTINGS.flatMap((name) => {
      const setting = Setting.parse(found[RENAMED[name] ?? name]);
      return setting?.source === "LOCAL" && typeof setting.rawvalue === "string" ? [[name, setting.rawvalue]] : [];
    });
    return Object.fromEntries(own);
  }

  return {
    async holdsDatasets(name) {
      const params = [[["id", "^", `${name}/`]], { limit: 1, extra: { retrieve_children: false } }];
      return (await session.call("pool.dataset.query", params, z.array(z.unknown()))).length > 0;
    },
    renamesDatasets: async () => nameOnWire("pool.dataset.rename", (await session.version()).release) !== null,
    async renameDataset(name, to) {
      // Without `force` the host asks back. With it a dataset in use is refused before 26.0, and unmounted from 26.0 on.
      await session.call("pool.dataset.rename", [name, { new_name: to, force: true }], z.unknown());
    },
    async cloneSnapshot(dataset, name, to) {
      const clone = { snapshot: `${dataset}@${name}`, dataset_dst: to };
      const properties = await readOwnSettings(dataset);
      await session.call("pool.snapshot.clone", [{ ...clone, dataset_properties: properties }], z.unknown());
    },
    async promoteDataset(name) {
      await session.call("pool.dataset.promote", [name], z.unknown());
    },
  };
}
