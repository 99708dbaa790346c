/** AppEntry as the host sends it, and as the engine sees it: port, scheme and mounts of a live app (section 6). */
import { isIP } from "node:net";
import { z } from "zod";
import { GENERIC_APP } from "../../../core/app-values/generic-app.ts";
import { isJsonObject, type Json, type JsonObject } from "../../../core/json/json.ts";
import { toPlainLine } from "../../../core/report/plain-words.ts";
import type { HostApp } from "../../../engine/ports/host-records.ts";
import { normalizeAddress } from "../../network-policy/addresses.ts";
import { nameRow } from "../odd-rows.ts";

/** How the parts of an entry are read: as a whole, or each as far as it can be. */
interface Reading {
  or<T>(schema: z.ZodType<T>, otherwise: T): z.ZodType<T>;
  /** A list, none where the host has no such part. */
  rows<T>(row: z.ZodType<T>): z.ZodType<T[]>;
}

const WHOLE: Reading = {
  or: (schema) => schema,
  rows: (row) =>
    z
      .array(row)
      .nullish()
      .transform((rows) => rows ?? []),
};

const READABLE: Reading = {
  or: (schema, otherwise) => schema.catch(otherwise),
  rows: (row) =>
    z
      .array(z.unknown())
      .nullish()
      .catch([])
      .transform((rows) => (rows ?? []).flatMap((value) => row.safeParse(value).data ?? [])),
};

function describePorts({ rows }: Reading) {
  return z.object({
    protocol: z.string().catch("tcp"),
    host_ports: rows(z.object({ host_port: z.coerce.number().int(), host_ip: z.string().catch("") })),
  });
}

/** The parts of an AppEntry that are used; section 5. `portals` and `metadata` are free-form on the host. */
function describeEntry(reading: Reading) {
  const { or, rows } = reading;
  const portRow = describePorts(reading);
  const text = or(z.string().nullish(), null);
  const flag = or(z.boolean().nullish(), false);
  const volume = z.object({ source: z.string(), destination: z.string(), type: z.string() });
  const container = z.object({ state: or(z.string(), ""), port_config: rows(portRow), volume_mounts: rows(volume) });
  const workloads = z.object({ used_ports: rows(portRow), container_details: rows(container) });
  const metadata = z.object({ name: text, train: text, title: text, icon: text });
  return z.object({
    name: or(z.string(), ""),
    state: or(z.string(), "UNKNOWN"),
    version: or(z.string(), "unknown"),
    upgrade_available: flag,
    latest_version: text,
    custom_app: flag,
    metadata: or(metadata.nullish(), null),
    portals: or(z.record(z.string(), text).nullish(), null),
    active_workloads: or(workloads.nullish(), null),
    config: or(z.custom<JsonObject>((value) => isJsonObject(value as Json), "not an object").nullish(), null),
  });
}

const WholeEntry = describeEntry(WHOLE);
const ReadableEntry = describeEntry(READABLE);
type AppEntry = z.infer<typeof ReadableEntry>;
type PortRow = z.infer<ReturnType<typeof describePorts>>;

/** Parts that say what an app mounts: without one of them it may use more than is known. */
const MOUNTING: ReadonlySet<unknown> = new Set(["name", "active_workloads", "config"]);

/** An app as far as its entry can be read, and the places of the entry that can't be. */
export interface ReadApp {
  readonly app: HostApp;
  readonly odd: readonly string[];
  /** Ports the portals of an app on the host's own network name, its primary one first; absent for other apps. */
  readonly onHost?: readonly number[];
}

/** Reads one entry of `app.query`; `fallback` names one that has no name. Its mounts have the paths the containers were given. */
export function readAppEntry(row: unknown, fallback: string): ReadApp {
  const whole = WholeEntry.safeParse(row);
  const entry = ReadableEntry.safeParse(row).data ?? ReadableEntry.parse({});
  const issues = whole.error?.issues ?? [];
  const isPartial = issues.some(({ path: [part] }) => part === undefined || MOUNTING.has(part));
  const onHost = isOnHostNetwork(entry.config) ? listPortals(entry).map(({ port }) => port) : undefined;
  const app = toHostApp(entry.name === "" ? { ...entry, name: nameRow(row, fallback) } : entry);
  return {
    app: isPartial ? { ...app, isPartial: true } : app,
    odd: issues.map(({ path, message }) => `${path.join(".")}: ${message}`),
    ...(onHost !== undefined && { onHost }),
  };
}

function toHostApp(entry: AppEntry): HostApp {
  // An instance of the generic app is known by its own name.
  const custom = entry.custom_app === true || entry.metadata?.name === GENERIC_APP;
  const address = listPortals(entry)[0] ?? findConfiguredPort(entry) ?? findPublishedPort(entry);
  return {
    name: entry.name,
    appId: custom ? entry.name : (entry.metadata?.name ?? entry.name),
    custom,
    ...(entry.metadata?.train != null && { train: entry.metadata.train }),
    state: entry.state,
    version: entry.version,
    upgradeAvailable: entry.upgrade_available === true,
    ...(entry.latest_version != null && { latestVersion: entry.latest_version }),
    ...(entry.metadata?.title != null && { title: toPlainLine(entry.metadata.title) }),
    ...(entry.metadata?.icon != null && { icon: entry.metadata.icon }),
    ...(address !== null && { port: address.port }),
    scheme: address?.scheme ?? "http",
    publishedPorts: listPublishedPorts(entry.active_workloads?.used_ports ?? []),
    mounts: listLiveMounts(entry) ?? listStoredMounts(entry.config),
  };
}

/** Whether an app's values put it on the host's own network. */
function isOnHostNetwork(config: JsonObject | null | undefined): boolean {
  const network = config?.["network"];
  return config?.["host_network"] === true || (isJsonObject(network) && network["host_network"] === true);
}

type Address = { readonly port: number; readonly scheme: "http" | "https" };

/** Rule 1: the portal named `Web UI`, then those of http, then those of https. Host and path do not count. */
function listPortals({ portals }: AppEntry): readonly Address[] {
  const addresses = Object.entries(portals ?? {}).flatMap(([label, text]) => {
    const url = text == null ? null : URL.parse(text);
    if (url === null || (url.protocol !== "http:" && url.protocol !== "https:")) return [];
    const scheme = url.protocol === "https:" ? ("https" as const) : ("http" as const);
    return [{ label, scheme, port: url.port === "" ? (scheme === "https" ? 443 : 80) : Number(url.port) }];
  });
  const rank = ({ label, scheme }: (typeof addresses)[number]) => (label === "Web UI" ? 0 : scheme === "http" ? 1 : 2);
  return addresses.toSorted((a, b) => rank(a) - rank(b)).map(({ port, scheme }) => ({ port, scheme }));
}

/** Rule 2: `network.web_port`, else `http_port`, `https_port`, else any other port, as far as published. */
function findConfiguredPort({ config }: AppEntry): Address | null {
  const network = config?.["network"];
  if (!isJsonObject(network)) return null;
  const others = Object.keys(network).filter((key) => key.endsWith("_port"));
  for (const key of ["web_port", "http_port", "https_port", ...others]) {
    const port = readPortNumber(network[key]);
    if (port !== null) return { port, scheme: key === "https_port" ? "https" : "http" };
  }
  return null;
}

function readPortNumber(value: Json | undefined): number | null {
  if (typeof value === "number") return value;
  if (!isJsonObject(value) || value["bind_mode"] !== "published") return null;
  const port = value["port_number"];
  return typeof port === "number" ? port : null;
}

/** Rule 3: the first tcp port of the first running container, else the first published one. */
function findPublishedPort({ active_workloads: live }: AppEntry): Address | null {
  const running = live?.container_details.filter(({ state }) => state === "running") ?? [];
  const rows = [...running.flatMap(({ port_config }) => port_config), ...(live?.used_ports ?? [])];
  const port = rows.find(({ protocol, host_ports }) => protocol === "tcp" && host_ports.length > 0)?.host_ports[0];
  return port === undefined ? null : { port: port.host_port, scheme: "http" };
}

function listPublishedPorts(rows: readonly PortRow[]): number[] {
  const ports = rows.flatMap(({ host_ports }) => host_ports.map(({ host_port }) => host_port));
  return [...new Set(ports)].toSorted((a, b) => a - b);
}

/**
 * Bind mounts of the running containers. Not the aggregated volumes: the permissions helper mounts the same sources
 * under `/mnt/permission`, and has ended. null when nothing runs.
 */
function listLiveMounts({ active_workloads: live }: AppEntry): HostApp["mounts"] | null {
  const running = live?.container_details.filter(({ state }) => state === "running") ?? [];
  if (running.length === 0) return null;
  const binds = running.flatMap(({ volume_mounts }) => volume_mounts.filter(({ type }) => type === "bind"));
  const unique = new Map(
    binds.map(({ source, destination }) => [`${source}\n${destination}`, { source, destination }]),
  );
  return [...unique.values()].map(({ source, destination }) => ({ hostPath: source, containerPath: destination }));
}

/** A stopped app's mounts from its stored values; the fixed keys have no container path there. */
function listStoredMounts(config: JsonObject | null | undefined): HostApp["mounts"] {
  const storage = config?.["storage"];
  if (!isJsonObject(storage)) return [];
  return Object.values(storage)
    .flatMap((value): readonly Json[] => (Array.isArray(value) ? value : [value]))
    .flatMap((value) => {
      const hostPath = readHostPath(value);
      if (hostPath === null || !isJsonObject(value)) return [];
      const mount = value["mount_path"];
      return [{ hostPath, containerPath: typeof mount === "string" ? mount : null }];
    });
}

/** With `acl_enable` the path stands one level deeper. */
function readHostPath(value: Json): string | null {
  const config = isJsonObject(value) ? value["host_path_config"] : undefined;
  if (!isJsonObject(config)) return null;
  const acl = config["acl"];
  const path = isJsonObject(acl) ? acl["path"] : config["path"];
  return typeof path === "string" ? path : null;
}

/** The part of an AppEntry that says what it publishes: a port that can't be read is not reached by scripts. */
export const PublishingApp = z.object({
  active_workloads: z
    .object({ used_ports: READABLE.rows(describePorts(READABLE)) })
    .nullish()
    .catch(null),
});

/** Docker's spellings of "every address", by the family of the address asked about: the IPv4 one has no IPv6 address. */
const EVERY_ADDRESS: Readonly<Record<number, ReadonlySet<string>>> = {
  4: new Set(["", "0.0.0.0", "::"]),
  6: new Set(["", "::"]),
};

/**
 * TCP ports apps publish on one address. A port published as UDP, or on another address only, is not theirs here: the
 * host itself may answer at it.
 */
export function listPortsAt(address: string, apps: readonly z.infer<typeof PublishingApp>[]): number[] {
  const everyAddress = EVERY_ADDRESS[isIP(address)];
  const rows = apps.flatMap(({ active_workloads: live }) => live?.used_ports ?? []);
  const ports = rows
    .filter(({ protocol }) => protocol === "tcp")
    .flatMap(({ host_ports }) => host_ports)
    .filter(
      ({ host_ip: at, host_port: port }) => port > 0 && (everyAddress?.has(at) || normalizeAddress(at) === address),
    )
    .map(({ host_port }) => host_port);
  return [...new Set(ports)];
}
