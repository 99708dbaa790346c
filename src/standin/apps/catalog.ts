import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { isJsonObject, type Json, type JsonObject } from "../../core/json/json.ts";
import type { HostState } from "../host-state.ts";
import { BUILTIN_APPS, buildBaseDefaults, type CatalogApp, PLAIN_VERSIONS, type PortalForm } from "./builtin.ts";

/** One package version of a catalog app, newest last in its list. */
interface CatalogVersion {
  readonly version: string;
  readonly appVersion: string;
}

/** The host's own app catalog: built-in apps, those of install-script folders, and versions published later. */
export class HostCatalog {
  /** By id and train: an id may stand in two trains, for two different apps. */
  readonly #apps = new Map<string, CatalogApp>();
  /** Where an app that is not built in was read. */
  readonly #folders = new Map<string, string>();
  readonly #state: Pick<HostState, "releases">;

  constructor(folders: readonly string[], state: Pick<HostState, "releases">) {
    this.#state = state;
    for (const app of BUILTIN_APPS) this.#apps.set(toKey(app), app);
    for (const folder of folders) this.read(folder);
  }

  /** Takes the apps of a folder as it is now; those offered by nobody else change with it, none is taken back. */
  read(folder: string): void {
    for (const app of readFolderApps(folder)) {
      const of = this.#folders.get(app.id);
      if (this.find(app.id) !== undefined && of !== folder) continue;
      this.#folders.set(app.id, folder);
      this.#apps.set(toKey(app), app);
    }
  }

  list(): readonly CatalogApp[] {
    return [...this.#apps.values()];
  }

  /** The app of a train; without one that of `stable`, else of the first train that has the id. */
  find(id: string, train?: string): CatalogApp | undefined {
    if (train !== undefined) return this.#apps.get(toKey({ id, train }));
    return this.find(id, "stable") ?? this.list().find((app) => app.id === id);
  }

  /** Oldest first; never empty. */
  versions(app: CatalogApp): readonly CatalogVersion[] {
    const later = (this.#state.releases[this.#nameReleases(app)] ?? []).map((version) => ({
      version,
      appVersion: `v${version}`,
    }));
    return [...app.versions, ...later];
  }

  latest(app: CatalogApp): CatalogVersion {
    const versions = this.versions(app);
    const last = versions.at(-1);
    if (last === undefined) throw new Error(`catalog app ${app.id} has no version`);
    return last;
  }

  /** Versions newer than one, newest first, as `app.upgrade_summary` lists them. */
  newerThan(app: CatalogApp, version: string): readonly CatalogVersion[] {
    const versions = this.versions(app);
    const at = versions.findIndex((one) => one.version === version);
    return versions.slice(at + 1).toReversed();
  }

  /** Publishes a version of an app as its newest; by default the last number of the latest, plus one. */
  release(id: string, version?: string, train?: string): string | undefined {
    const app = this.find(id, train);
    if (app === undefined) return undefined;
    const name = this.#nameReleases(app);
    const parts = this.latest(app).version.split(".").map(Number);
    const next = version ?? [...parts.slice(0, -1), (parts.at(-1) ?? 0) + 1].join(".");
    this.#state.releases[name] = [...(this.#state.releases[name] ?? []), next];
    return next;
  }

  /** The id alone for the app it stands for without a train. */
  #nameReleases(app: CatalogApp): string {
    return this.find(app.id) === app ? app.id : toKey(app);
  }
}

function toKey({ id, train }: Pick<CatalogApp, "id" | "train">): string {
  return `${train}/${id}`;
}

/** `<app_version>_<version>`, as the host shows it. */
export function toHumanVersion(version: CatalogVersion): string {
  return `${version.appVersion}_${version.version}`;
}

/** Catalog apps for the install scripts of a folder; files that are no install script, or custom, are passed over. */
function readFolderApps(folder: string): CatalogApp[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith(".json") && name !== "catalog.json")
    .toSorted()
    .flatMap((name) => {
      const script = readScript(join(folder, name));
      const id = basename(name, ".json").split("@")[0] ?? "";
      return script === undefined || script["custom"] === true ? [] : [readScriptApp(id, script)];
    });
}

function readScript(file: string): JsonObject | undefined {
  try {
    const document: Json = JSON.parse(readFileSync(file, "utf8"));
    return isJsonObject(document) && isJsonObject(document["app_values"]) ? document : undefined;
  } catch {
    return undefined;
  }
}

function readScriptApp(id: string, script: JsonObject): CatalogApp {
  const title = id
    .split("-")
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join(" ");
  const network = readScriptNetwork(script);
  const portKey = ["web_port", "http_port", "https_port"].find((key) => network[key] !== undefined);
  const portal: PortalForm | null =
    portKey === undefined
      ? null
      : { label: "Web UI", scheme: portKey === "https_port" ? "https" : "http", portKey, path: "/" };
  return {
    id,
    train: "community",
    title,
    icon: `https://media.sys.truenas.net/apps/${id}/icons/icon.svg`,
    categories: ["productivity"],
    versions: PLAIN_VERSIONS,
    defaults: buildBaseDefaults(network),
    portal,
  };
}

/** The ports the script itself sets, or else its first required port as the package's default web port. */
function readScriptNetwork(script: JsonObject): JsonObject {
  const values = script["app_values"];
  const given = isJsonObject(values) ? values["network"] : undefined;
  if (isJsonObject(given)) {
    return Object.fromEntries(Object.entries(given).filter(([key]) => key.endsWith("_port")));
  }
  const requirements = script["requirements"];
  const ports = isJsonObject(requirements) ? requirements["ports"] : undefined;
  const first = Array.isArray(ports) ? ports[0] : undefined;
  return typeof first === "number" ? { web_port: { bind_mode: "published", port_number: first, host_ips: [] } } : {};
}
