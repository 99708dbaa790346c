/**
 * What each release of the host accepts and returns: the JSON Schemas of its own API models beside the project. Null
 * where the folder is absent; with `CI=true` its absence is a failure.
 */
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import type { JsonObject } from "../../../src/core/json/json.ts";

/** Only its kind is checked: the compiler reads the rest. */
const Schema = z.custom<JsonObject>((value) => typeof value === "object" && value !== null && !Array.isArray(value));
/** One method: no `accepts` where the release has the method without a model. */
const MethodSchemas = z.object({
  accepts: Schema.exactOptional(),
  returns: Schema.exactOptional(),
  /** One row of a query, in place of `returns`. */
  item: Schema.exactOptional(),
  job: z.boolean().default(false),
});
export type MethodSchemas = z.infer<typeof MethodSchemas>;

/** The file of each release. */
export const RELEASES = ["25.04", "25.10", "26", "27"] as const;
export type SchemaRelease = (typeof RELEASES)[number];

const FOLDER = fileURLToPath(new URL("../../../../shared/host-schemas/", import.meta.url));

/** Whether the files are there; throws when they are not and `CI` is true. */
export function hasHostSchemas(): boolean {
  if (existsSync(FOLDER)) return true;
  if (process.env["CI"] === "true") throw new Error(`CI needs the schemas of the host's API in ${FOLDER}`);
  return false;
}

const loaded = new Map<SchemaRelease, ReadonlyMap<string, MethodSchemas>>();

/** The methods of a release, by name; read once. */
export function loadMethods(release: SchemaRelease): ReadonlyMap<string, MethodSchemas> {
  const known = loaded.get(release);
  if (known !== undefined) return known;
  const file = z
    .record(z.string(), z.unknown())
    .parse(JSON.parse(readFileSync(new URL(`${release}.json`, `file://${FOLDER}`), "utf8")));
  const methods = new Map(Object.entries(file).map(([name, schemas]) => [name, MethodSchemas.parse(schemas)]));
  loaded.set(release, methods);
  return methods;
}

/** The release of an API version such as `v26.0.0`. */
export function findSchemaRelease(version: string): SchemaRelease {
  const release = RELEASES.find((name) => version.startsWith(`v${name}.`));
  if (release === undefined) throw new Error(`no release has the API version ${version}`);
  return release;
}

/**
 * Methods a release has, though its file leaves them out: the files hold the methods of the adapter, `get_instance` comes
 * with every query, and 25.04 has no models of some services. docs/host-api.md section 12 names them.
 */
const UNLISTED: Readonly<Record<SchemaRelease, readonly string[]>> = {
  "25.04": ["service.start", "service.stop", "sharing.smb.query", "system.general.config"],
  "25.10": ["service.start", "service.stop"],
  "26": [],
  "27": [],
};
const UNLISTED_ANYWHERE = [
  "app.get_instance",
  "core.bulk",
  "pool.dataset.delete",
  "service.update",
  "sharing.smb.delete",
];

/** Methods that are gone, though the file has their models: older versions of the API still offer them. */
const GONE: Readonly<Partial<Record<SchemaRelease, readonly string[]>>> = { "27": ["auth.login_with_api_key"] };

/** Whether a release has a method. */
export function hasMethod(release: SchemaRelease, method: string): boolean {
  if (GONE[release]?.includes(method) === true) return false;
  return loadMethods(release).has(method) || UNLISTED[release].includes(method) || UNLISTED_ANYWHERE.includes(method);
}
