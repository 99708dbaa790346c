/** The ports and paths of a host that an app's values name (docs/host-api.md, section 6). */
import { posix } from "node:path";
import { isJsonObject, type Json, type JsonObject } from "../../core/json/json.ts";

/** The ports of `network.<x>_port`, as objects or as bare numbers (docs/host-api.md, section 6). */
export function listPublishedPorts({ network }: JsonObject): number[] {
  if (!isJsonObject(network)) return [];
  const ports = Object.entries(network).flatMap(([key, value]) => {
    if (!key.endsWith("_port")) return [];
    const port = isJsonObject(value) && value["bind_mode"] === "published" ? value["port_number"] : value;
    return typeof port === "number" ? [port] : [];
  });
  return [...new Set(ports)];
}

interface HostPathValue {
  readonly path: string;
  /** Where it stands, e.g. `storage.media`. */
  readonly place: string;
}

/** Every storage object of an app's values that names a path of the host (docs/host-api.md, section 6). */
export function listHostPaths(value: Json, at: readonly string[]): readonly HostPathValue[] {
  if (Array.isArray(value)) return value.flatMap((item: Json, index) => listHostPaths(item, [...at, String(index)]));
  if (!isJsonObject(value)) return [];
  const config = value["host_path_config"];
  if (value["type"] === "host_path" && isJsonObject(config)) {
    const { acl, acl_enable, path } = config;
    const written = acl_enable === true && isJsonObject(acl) ? acl["path"] : path;
    return typeof written === "string" ? [{ path: posix.normalize(written), place: at.join(".") }] : [];
  }
  return Object.entries(value).flatMap(([key, inner]) => listHostPaths(inner, [...at, key]));
}
