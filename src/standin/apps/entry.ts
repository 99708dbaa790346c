import { createHash } from "node:crypto";
import { isJsonObject, type Json, type JsonObject } from "../../core/json/json.ts";
import type { AppRecord, ContainerRecord, PortRecord } from "../host-state.ts";
import { type HostGeneration, isSince } from "../settings.ts";
import { type HostCatalog, toHumanVersion } from "./catalog.ts";
import { findPort, listDeclaredPorts, readPortNumber } from "./values.ts";

/** State of an app from its containers (docs/host-api.md, section 5, "State rule"). */
export function deriveAppState(
  containers: readonly ContainerRecord[],
): "DEPLOYING" | "RUNNING" | "CRASHED" | "STOPPED" {
  if (containers.some(({ state }) => state === "crashed")) return "CRASHED";
  if (containers.some(({ state }) => state === "created" || state === "starting")) return "DEPLOYING";
  return containers.some(({ state }) => state === "running") ? "RUNNING" : "STOPPED";
}

interface EntryView {
  readonly catalog: HostCatalog;
  readonly generation: HostGeneration;
  /** Replaces `0.0.0.0` in portals: queries over TCP do, events and job results do not. */
  readonly hostIp?: string;
  readonly withConfig?: boolean;
  /** `STOPPING` exists only in events of `app.stop`. */
  readonly state?: "STOPPING";
}

/** AppEntry (docs/host-api.md, section 5). */
export function buildAppEntry(app: AppRecord, view: EntryView): JsonObject {
  const { catalog, generation } = view;
  const item = app.custom ? undefined : catalog.find(app.catalogApp, app.train);
  const versions = item === undefined ? [] : catalog.versions(item);
  const installed = versions.find(({ version }) => version === app.version) ?? {
    version: app.version,
    appVersion: app.version,
  };
  const newest = item === undefined ? installed : catalog.latest(item);
  return {
    id: app.name,
    name: app.name,
    state: view.state ?? deriveAppState(app.containers),
    version: app.version,
    human_version: toHumanVersion(installed),
    upgrade_available: newest.version !== app.version,
    latest_version: newest.version,
    image_updates_available: false,
    custom_app: app.custom,
    migrated: false,
    notes: null,
    metadata: {
      name: app.custom ? "custom-app" : app.catalogApp,
      train: app.train,
      title: item?.title ?? app.name,
      icon: item?.icon ?? "",
      categories: item?.categories ?? [],
      app_version: installed.appVersion,
      version: app.version,
      run_as_context: [{ uid: 568, gid: 568, user_name: "apps", group_name: "apps", description: "" }],
    },
    portals: buildPortals(app, view),
    active_workloads: buildWorkloads(app, generation),
    config: view.withConfig === true ? app.values : null,
    version_details: null,
    ...(isSince(generation, "26.0") && { latest_app_version: newest.appVersion, action_required: false }),
  };
}

function buildPortals(app: AppRecord, view: EntryView): JsonObject {
  const host = view.hostIp ?? "0.0.0.0";
  const declared = app.values["portals"];
  if (Array.isArray(declared)) {
    const tcp = listDeclaredPorts(app.values).ports.filter(({ protocol }) => protocol === "tcp");
    const taken = new Set(tcp.map(({ host_port: port }) => port));
    return Object.fromEntries(declared.flatMap((portal: Json) => buildGenericPortal(portal, host, taken)));
  }
  const form = view.catalog.find(app.catalogApp, app.train)?.portal;
  if (form === undefined || form === null || !listDeclaredPorts(app.values).published) return {};
  const port = findPort(app.values, form.portKey);
  return port === undefined ? {} : { [form.label]: `${form.scheme}://${host}:${port}${form.path}` };
}

/**
 * A portal at a TCP port the app takes, by its label. Others are not shown, nor one whose host, scheme or path holds another
 * port: hooks may reach the ports of portals, and another program of the developer's machine may listen there.
 */
function buildGenericPortal(portal: Json, host: string, taken: ReadonlySet<number>): [string, string][] {
  if (!isJsonObject(portal)) return [];
  const { name = "Web UI", scheme = "http", path = "/", use_node_ip: nodeIp, host: own } = portal;
  const port = readPortNumber(portal["port"]);
  if (port === undefined || !taken.has(port)) return [];
  const at = nodeIp === false && typeof own === "string" && own !== "" ? own : host;
  const text = `${String(scheme)}://${at}:${port}${String(path)}`;
  const url = URL.parse(text);
  return url !== null && url.port === URL.parse(`${url.protocol}//host:${port}`)?.port ? [[String(name), text]] : [];
}

function buildWorkloads(app: AppRecord, generation: HostGeneration): JsonObject {
  const live = app.containers;
  const published = listDeclaredPorts(app.values).published;
  const details = live.map((container) => buildContainerDetail(container, published));
  const volumes = live.flatMap((container) => container.mounts.map((mount) => ({ ...mount, mode: "" })));
  return {
    containers: live.length,
    used_ports: published ? live.flatMap(({ ports }) => ports.map(buildPortRow)) : [],
    ...(isSince(generation, "25.10") && { used_host_ips: [] }),
    container_details: details,
    volumes,
    images: [...new Set(live.map(({ image }) => image))],
    networks: live.length === 0 ? [] : [buildNetwork(app.name)],
  };
}

function buildNetwork(app: string): JsonObject {
  const name = `ix-${app}_default`;
  const labels = { "com.docker.compose.network": "default", "com.docker.compose.project": `ix-${app}` };
  return { Name: name, Id: createHash("sha256").update(name).digest("hex"), Driver: "bridge", Labels: labels };
}

function buildContainerDetail(container: ContainerRecord, published: boolean): JsonObject {
  return {
    id: container.id,
    service_name: container.service_name,
    image: container.image,
    state: container.state,
    port_config: published ? container.ports.map(buildPortRow) : [],
    volume_mounts: container.mounts.map((mount) => ({ ...mount, mode: "rw" })),
  };
}

function buildPortRow(port: PortRecord): JsonObject {
  return {
    container_port: port.container_port,
    protocol: port.protocol,
    host_ports: ["0.0.0.0", "::"].map((host_ip) => ({ host_port: port.host_port, host_ip })),
  };
}
