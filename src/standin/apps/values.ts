import { isJsonObject, type Json, type JsonObject } from "../../core/json/json.ts";
import type { MountRecord, PortRecord } from "../host-state.ts";

/** Values as stored: what was sent, defaults refilled at every depth of objects; arrays are replaced whole. */
export function refill(defaults: JsonObject, sent: JsonObject): JsonObject {
  const filled: Record<string, Json> = { ...defaults };
  for (const [key, value] of Object.entries(sent)) {
    const known = defaults[key];
    filled[key] = isJsonObject(known) && isJsonObject(value) ? refill(known, value) : value;
  }
  return filled;
}

/** Ports an instance takes on the host, in declared order: published ones, or those of its host-network process. */
export function listDeclaredPorts(values: JsonObject): {
  readonly published: boolean;
  readonly ports: readonly PortRecord[];
} {
  const network = isJsonObject(values["network"]) ? values["network"] : {};
  const onHost = network["host_network"] === true || values["host_network"] === true;
  const ports = [
    ...Object.entries(network).flatMap(([key, value]) =>
      key.endsWith("_port") ? toCatalogPorts(key, value, onHost) : [],
    ),
    ...readList(values["ports"]).flatMap(toGenericPorts),
    ...(onHost ? readList(values["portals"]).flatMap(toPortalPorts) : []),
  ];
  return { published: !onHost, ports: keepDistinct(ports) };
}

/** The host port of one `network` key, when it is published. */
export function findPort(values: JsonObject, key: string): number | undefined {
  const network = values["network"];
  return isJsonObject(network) ? toCatalogPorts(key, network[key], false)[0]?.host_port : undefined;
}

function toCatalogPorts(key: string, value: Json | undefined, onHost: boolean): PortRecord[] {
  const protocol = key.includes("udp") ? "udp" : "tcp";
  const bare = readPortNumber(value);
  if (bare !== undefined) return [{ container_port: bare, host_port: bare, protocol }];
  if (!isJsonObject(value)) return [];
  const port = readPortNumber(value["port_number"]);
  const mode = value["bind_mode"] ?? "published";
  return port === undefined || (mode !== "published" && !onHost)
    ? []
    : [{ container_port: port, host_port: port, protocol }];
}

function toGenericPorts(value: Json): PortRecord[] {
  if (!isJsonObject(value)) return [];
  const host = readPortNumber(value["host_port"]) ?? readPortNumber(value["port_number"]);
  const mode = value["bind_mode"] ?? "published";
  if (host === undefined || mode !== "published") return [];
  const protocol = value["protocol"] === "udp" ? "udp" : "tcp";
  return [{ container_port: readPortNumber(value["container_port"]) ?? host, host_port: host, protocol }];
}

function toPortalPorts(value: Json): PortRecord[] {
  const port = isJsonObject(value) ? readPortNumber(value["port"]) : undefined;
  return port === undefined ? [] : [{ container_port: port, host_port: port, protocol: "tcp" }];
}

/** A port of an app's values. Loose, as the schemas outside the demo are: a number, or the text of one. */
export function readPortNumber(value: Json | undefined): number | undefined {
  const port = typeof value === "string" && /^\d+$/.test(value) ? Number(value) : value;
  return typeof port === "number" && Number.isInteger(port) && port > 0 && port < 65_536 ? port : undefined;
}

function keepDistinct(ports: readonly PortRecord[]): PortRecord[] {
  const seen = new Map(ports.map((port) => [`${port.protocol}/${port.host_port}`, port]));
  return [...seen.values()];
}

/** One storage object of `values`, and where it stands in them. */
interface StorageEntry {
  readonly field: string;
  readonly type: string;
  readonly hostPath?: string;
  /** Set with `acl_enable`: the host then writes the ACL itself. */
  readonly acl?: { readonly force: boolean };
  readonly datasetName?: string;
  readonly containerPath: string;
}

/** Every storage object of an instance (docs/host-api.md, section 6). */
export function listStorageEntries(values: JsonObject): readonly StorageEntry[] {
  const storage = values["storage"];
  const fixed = isJsonObject(storage) ? storage : {};
  const additional = Array.isArray(storage) ? storage : readList(fixed["additional_storage"]);
  const prefix = Array.isArray(storage) ? "storage" : "storage.additional_storage";
  return [
    ...Object.entries(fixed).flatMap(([key, value]) =>
      isJsonObject(value) ? [toStorageEntry(`storage.${key}`, value, `/${key}`)] : [],
    ),
    ...additional.flatMap((value: Json, index: number) =>
      isJsonObject(value)
        ? [toStorageEntry(`${prefix}.${index}`, value, readText(value["mount_path"]) ?? `/mnt/${index}`)]
        : [],
    ),
  ];
}

function toStorageEntry(at: string, value: JsonObject, containerPath: string): StorageEntry {
  const type = readText(value["type"]) ?? "";
  const host = isJsonObject(value["host_path_config"]) ? value["host_path_config"] : {};
  const volume = isJsonObject(value["ix_volume_config"]) ? value["ix_volume_config"] : {};
  const acl = host["acl_enable"] === true && isJsonObject(host["acl"]) ? host["acl"] : undefined;
  const hostPath = readText(acl === undefined ? host["path"] : acl["path"]);
  const datasetName = readText(volume["dataset_name"]);
  const options = acl !== undefined && isJsonObject(acl["options"]) ? acl["options"] : {};
  return {
    field: `${at}.host_path_config.${acl === undefined ? "path" : "acl.path"}`,
    type,
    containerPath,
    ...(type === "host_path" && hostPath !== undefined && { hostPath }),
    ...(acl !== undefined && { acl: { force: options["force"] === true } }),
    ...(type === "ix_volume" && datasetName !== undefined && { datasetName }),
  };
}

/** Host paths the app's containers mount. */
export function listMounts(name: string, values: JsonObject): MountRecord[] {
  return listStorageEntries(values).flatMap((entry): MountRecord[] => {
    if (entry.hostPath !== undefined) {
      return [{ source: entry.hostPath, destination: entry.containerPath, type: "bind" }];
    }
    return entry.datasetName === undefined
      ? []
      : [
          {
            source: `/mnt/.ix-apps/app_mounts/${name}/${entry.datasetName}`,
            destination: entry.containerPath,
            type: "bind",
          },
        ];
  });
}

function readList(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? value : [];
}

function readText(value: Json | undefined): string | undefined {
  return typeof value === "string" ? value : undefined;
}
