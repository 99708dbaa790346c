import type { JsonObject } from "../../core/json/json.ts";

/** How an app's web page is announced: a portal, none, or one on https only. */
export interface PortalForm {
  readonly label: string;
  readonly scheme: "http" | "https";
  /** Which `network` key holds its port. */
  readonly portKey: string;
  readonly path: string;
}

/** One app of the host's catalog before versions are added. */
export interface CatalogApp {
  readonly id: string;
  readonly train: string;
  readonly title: string;
  readonly icon: string;
  readonly categories: readonly string[];
  /** Older and newer package version, with the upstream version of each. */
  readonly versions: readonly { readonly version: string; readonly appVersion: string }[];
  /** Values a new instance starts from. */
  readonly defaults: JsonObject;
  readonly portal: PortalForm | null;
}

const WEB: PortalForm = { label: "Web UI", scheme: "http", portKey: "web_port", path: "/" };

/** Versions of an app nobody described more closely. */
export const PLAIN_VERSIONS = [
  { version: "1.2.0", appVersion: "2.0.0" },
  { version: "1.3.0", appVersion: "2.1.0" },
] as const;

/** `values` every app has: time zone, account, resources. */
export function buildBaseDefaults(network: JsonObject): JsonObject {
  return {
    TZ: "Etc/UTC",
    run_as: { user: 568, group: 568 },
    network,
    storage: {},
    resources: { limits: { cpus: 2, memory: 4096 }, gpus: { use_all_gpus: false, nvidia_gpu_selection: {} } },
    labels: [],
  };
}

function buildWebDefaults(port: number): JsonObject {
  return buildBaseDefaults({
    web_port: { bind_mode: "published", port_number: port, host_ips: [] },
    host_network: false,
  });
}

/** The apps docs/host-api.md names, an id in two trains, and one each without portal, on the host network, and with an https portal only. */
export const BUILTIN_APPS: readonly CatalogApp[] = [
  {
    id: "jellyfin",
    train: "community",
    title: "Jellyfin",
    icon: "https://media.sys.truenas.net/apps/jellyfin/icons/icon.png",
    categories: ["media"],
    versions: [
      { version: "1.3.11", appVersion: "10.11.10" },
      { version: "1.3.12", appVersion: "10.11.11" },
    ],
    defaults: buildWebDefaults(30_013),
    portal: WEB,
  },
  {
    id: "plex",
    train: "stable",
    title: "Plex",
    icon: "https://media.sys.truenas.net/apps/plex/icons/icon.svg",
    categories: ["media"],
    versions: [
      { version: "1.3.4", appVersion: "1.43.2.10687-563d026ea" },
      { version: "1.3.5", appVersion: "1.43.3.10896-7c1d1b6d9" },
    ],
    defaults: buildWebDefaults(32_400),
    portal: { ...WEB, path: "/web" },
  },
  {
    id: "immich",
    train: "community",
    title: "Immich",
    icon: "https://media.sys.truenas.net/apps/immich/icons/icon.svg",
    categories: ["media"],
    versions: [
      { version: "1.9.0", appVersion: "v2.0.0" },
      { version: "1.10.0", appVersion: "v2.1.0" },
    ],
    defaults: buildWebDefaults(30_041),
    portal: WEB,
  },
  // One id in two trains, for two different apps.
  {
    id: "nextcloud",
    train: "community",
    title: "Nextcloud (community)",
    icon: "https://media.sys.truenas.net/apps/nextcloud/icons/icon.svg",
    categories: ["productivity"],
    versions: [
      { version: "1.0.0", appVersion: "31.0.9" },
      { version: "1.1.0", appVersion: "32.0.0" },
    ],
    defaults: buildWebDefaults(30_127),
    portal: WEB,
  },
  {
    id: "nextcloud",
    train: "stable",
    title: "Nextcloud",
    icon: "https://media.sys.truenas.net/apps/nextcloud/icons/icon.svg",
    categories: ["productivity"],
    versions: [
      { version: "2.0.0", appVersion: "31.0.9" },
      { version: "2.1.0", appVersion: "32.0.0" },
    ],
    defaults: buildWebDefaults(30_027),
    portal: WEB,
  },
  {
    id: "ix-app",
    train: "stable",
    title: "Ix App",
    icon: "https://media.sys.truenas.net/apps/ix-chart/icons/icon.webp",
    categories: ["generic"],
    versions: [
      { version: "1.3.3", appVersion: "1.0.0" },
      { version: "1.3.4", appVersion: "1.0.0" },
    ],
    defaults: { TZ: "Etc/UTC", envs: [], ports: [], portals: [], host_network: false, storage: [] },
    portal: null,
  },
  {
    id: "minecraft",
    train: "community",
    title: "Minecraft Server",
    icon: "https://media.sys.truenas.net/apps/minecraft/icons/icon.png",
    categories: ["games"],
    versions: PLAIN_VERSIONS,
    defaults: buildBaseDefaults({ server_port: { bind_mode: "published", port_number: 25_565, host_ips: [] } }),
    portal: null,
  },
  {
    id: "tailscale",
    train: "community",
    title: "Tailscale",
    icon: "https://media.sys.truenas.net/apps/tailscale/icons/icon.svg",
    categories: ["networking"],
    versions: PLAIN_VERSIONS,
    defaults: buildBaseDefaults({ host_network: true }),
    portal: null,
  },
  {
    id: "unifi-controller",
    train: "community",
    title: "Unifi Controller",
    icon: "https://media.sys.truenas.net/apps/unifi-controller/icons/icon.svg",
    categories: ["networking"],
    versions: PLAIN_VERSIONS,
    defaults: buildBaseDefaults({ web_https_port: { bind_mode: "published", port_number: 30_072, host_ips: [] } }),
    portal: { label: "Web UI", scheme: "https", portKey: "web_https_port", path: "/" },
  },
];
