/** What zfs can set on a dataset, as queries show it (docs/host-api.md, section 8). */
import type { JsonObject } from "../../core/json/json.ts";
import type { DatasetRecord } from "../host-state.ts";

/** The settings a dataset has if none are set on it, by their names in zfs. */
const DEFAULTS: Readonly<Record<string, string>> = {
  aclinherit: "restricted",
  checksum: "on",
  compression: "lz4",
  copies: "1",
  exec: "on",
  quota: "0",
  recordsize: "131072",
  refquota: "0",
  snapdir: "hidden",
  special_small_blocks: "0",
  sync: "standard",
  xattr: "sa",
};

/** Settings kept in a record's own fields, or computed. */
const OTHERS: ReadonlySet<string> = new Set(["aclmode", "acltype", "atime", "readonly"]);

/** A query shows these only if its `extra.properties` names them. */
const ON_REQUEST: ReadonlySet<string> = new Set(["aclinherit"]);

/** The names queries have for settings that zfs names differently. */
const RENAMED: Readonly<Record<string, string>> = { special_small_blocks: "special_small_block_size" };

/** True for a setting, or a user property, by its name in zfs. */
export function isZfsProperty(name: string): boolean {
  return Object.hasOwn(DEFAULTS, name) || OTHERS.has(name) || name.includes(":");
}

/** One property as `pool.dataset.query` shows it. */
export function toZfsProperty(value: string, source: "LOCAL" | "DEFAULT" = "LOCAL"): JsonObject {
  return {
    parsed: value.toLowerCase(),
    rawvalue: value.toLowerCase(),
    value,
    source,
    source_info: null,
  };
}

/** The settings of a dataset under the names queries have for them; `asked` as in `extra.properties`. */
export function showSettings({ settings = {} }: DatasetRecord, asked: readonly string[] | null): JsonObject {
  const names = Object.keys(DEFAULTS).filter((name) => (asked === null ? !ON_REQUEST.has(name) : asked.includes(name)));
  return Object.fromEntries(
    names.map((name) => {
      const own = settings[name];
      const shown = toZfsProperty((own ?? DEFAULTS[name] ?? "").toUpperCase(), own === undefined ? "DEFAULT" : "LOCAL");
      return [RENAMED[name] ?? name, shown];
    }),
  );
}
