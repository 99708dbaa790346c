import { z } from "zod";
import { isJsonObject, type Json, type JsonObject } from "../../../core/json/json.ts";
import { toPlainLine, toPlainLines } from "../../../core/report/plain-words.ts";
import { HostError, isHostAway } from "../../../engine/host-error.ts";
import type { Clock } from "../../../engine/ports/environment.ts";
import type { Host } from "../../../engine/ports/host.ts";
import type { AvailableApp, HostApp } from "../../../engine/ports/host-records.ts";
import { createFault } from "../faults.ts";
import type { OddRows } from "../odd-rows.ts";
import type { Session } from "../session.ts";
import { type ReadApp, readAppEntry } from "./app-entry.ts";
import { createAppQuestions } from "./app-questions.ts";
import { placeOnHost } from "./host-network.ts";
import type { OwnPorts } from "./own-ports.ts";
import { Realpaths } from "./realpaths.ts";

/** Keys the host adds to an app's stored values; it ignores them when they are sent back. */
const RESERVED_KEYS = ["ix_context", "ix_volumes", "ix_certificates", "ix_certificate_authorities"];
/** `app.available` may wait for the host's first sync of its catalog, ms. */
const CATALOG_SYNC_MS = 300_000;

/** Used when only some apps were queried. */
const UNASKED: OwnPorts = { ports: [], isWhole: false };

const Status = z.object({ status: z.string(), description: z.string().catch("").transform(toPlainLines) });
const Available = z.object({
  name: z.string(),
  train: z.string(),
  title: z.string().nullish(),
  icon_url: z.string().nullish(),
  latest_version: z.string().nullish(),
});
const describeSummary = (odd: OddRows) => ({
  upgrade_version: z.string(),
  available_versions_for_upgrade: odd
    .list("app.upgrade_summary", z.object({ version: z.string() }))
    .nullish()
    .catch(null),
  // Only words for people: an answer that has something else there is as good.
  changelog: z.string().nullish().catch(null),
});
/** The host's own words where the registry did not answer; null where it did. */
const RateLimit = z.object({ error: z.string().nullish() });
const Values = z.custom<JsonObject>((value) => isJsonObject(value as Json));

type AppsPart = Pick<
  Host,
  | "appsService"
  | "apps"
  | "app"
  | "appConfig"
  | "availableApp"
  | "availableApps"
  | "appQuestions"
  | "upgradeTarget"
  | "rollbackVersions"
  | "usedPorts"
  | "imageRegistry"
>;

/** The part of the port that reads apps; `stat` resolves the symlinks of their mounts. */
export function createApps(
  session: Session,
  clock: Clock,
  odd: OddRows,
  { stat, askOwnPorts }: { readonly stat: Host["stat"]; readonly askOwnPorts: () => Promise<OwnPorts> },
): AppsPart {
  const realpaths = new Realpaths(clock, stat);
  const Summary = z.object(describeSummary(odd));

  /** An empty list means "none" only while the apps service runs, before and after the question (section 4). */
  async function askEntries(filters: readonly Json[]): Promise<readonly HostApp[]> {
    const [found] = await Promise.all([query(filters), requireAppsService()]);
    if (found.length > 0) return found;
    await requireAppsService();
    return query(filters);
  }

  /** Catalog items, one per name: `stable` before other trains (docs/decisions.md, section 4). */
  async function askAvailable(filters: readonly Json[]): Promise<readonly AvailableApp[]> {
    const select = Object.keys(Available.shape);
    const items = await session.call("app.available", [filters, { select }], odd.list("app.available", Available), {
      timeoutMs: CATALOG_SYNC_MS,
    });
    const byName = Map.groupBy(items, ({ name }) => name);
    return [...byName.values()].flatMap((same) => {
      const item = same.find(({ train }) => train === "stable") ?? same[0];
      if (item === undefined) return [];
      const otherTrains = same.map(({ train }) => train).filter((train) => train !== item.train);
      return [{ ...toAvailableApp(item), ...(otherTrains.length > 0 && { otherTrains }) }];
    });
  }

  /** An app on the host's own network is held against all others: without them it may reach no port. */
  async function query(filters: readonly Json[]): Promise<readonly HostApp[]> {
    const found = await readEntries(filters);
    if (found.every(({ onHost }) => onHost === undefined)) return found.map(({ app }) => app);
    return placeOnHost(found, filters.length === 0 ? await askOwnPorts() : UNASKED);
  }

  /** Every entry, as far as it can be read: one that is missing here would count as not installed. */
  async function readEntries(filters: readonly Json[]): Promise<readonly ReadApp[]> {
    const options = { extra: { retrieve_config: true } };
    const rows = await session.call("app.query", [filters, options], z.array(z.unknown()));
    return rows.map((row, at) => {
      const read = readAppEntry(row, `?${at + 1}`);
      if (read.odd.length > 0) odd.tell("app.query", read.app.name, read.odd);
      return read;
    });
  }

  async function askApp(name: string): Promise<HostApp | undefined> {
    const [app] = await askEntries([["name", "=", name]]);
    return app === undefined ? undefined : { ...app, name };
  }

  async function requireAppsService(): Promise<void> {
    const { status, description } = await session.call("docker.status", [], Status);
    if (status === "RUNNING") return;
    const words = `the apps service is ${status}${description === "" ? "" : `: ${description}`}`;
    throw new HostError(createFault("HOST_APPS_UNAVAILABLE", words, true), "yes");
  }

  return {
    appsService: () => session.call("docker.status", [], Status),
    apps: async () => realpaths.addTo(await askEntries([])),
    async app(name) {
      const app = await askApp(name);
      return app === undefined ? null : ((await realpaths.addTo([app]))[0] ?? null);
    },
    async appConfig(name) {
      const values = await session.call("app.config", [name], Values);
      return Object.fromEntries(Object.entries(values).filter(([key]) => !RESERVED_KEYS.includes(key)));
    },
    availableApp: async (catalogApp) => (await askAvailable([["name", "=", catalogApp]]))[0] ?? null,
    availableApps: () => askAvailable([]),
    appQuestions: createAppQuestions(session, stat),
    async upgradeTarget(name) {
      const app = await askApp(name);
      if (app === undefined)
        throw new HostError(createFault("HOST_NOT_FOUND", `app "${name}" does not exist on the host`, false), "yes");
      if (!app.upgradeAvailable) return null;
      // Nothing newer is an error here: the flag may be older than the catalog.
      const summary = await session.call("app.upgrade_summary", [name], Summary).catch((error: unknown) => {
        if (error instanceof HostError && error.code === "HOST_UPGRADE_NONE") return null;
        throw error;
      });
      if (summary === null) return null;
      const available = (summary.available_versions_for_upgrade ?? []).map(({ version }) => version);
      const { upgrade_version: version, changelog } = summary;
      return { version, available, ...(typeof changelog === "string" && { changelog: toPlainLines(changelog) }) };
    },
    rollbackVersions: (name) =>
      session.call("app.rollback_versions", [name], odd.list("app.rollback_versions", z.string())),
    usedPorts: () => session.call("app.used_ports", [], odd.list("app.used_ports", z.int())),
    async imageRegistry() {
      try {
        const { error } = await session.call("app.image.dockerhub_rate_limit", [], RateLimit);
        return { fault: error == null ? null : toPlainLines(error) };
      } catch (fault) {
        // A host that answers with an error, older ones without the method among them, can't tell.
        if (fault instanceof HostError && !isHostAway(fault)) return null;
        throw fault;
      }
    },
  };
}

function toAvailableApp(item: z.infer<typeof Available>): AvailableApp {
  return {
    catalogApp: item.name,
    train: item.train,
    title: toPlainLine(item.title ?? item.name),
    icon: item.icon_url ?? "",
    latestVersion: item.latest_version ?? "",
  };
}
