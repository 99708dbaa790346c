import { z } from "zod";
import type { JsonObject } from "../../core/json/json.ts";
import type { CatalogApp } from "../apps/builtin.ts";
import { toHumanVersion } from "../apps/catalog.ts";
import { fillReferences } from "../apps/fill-references.ts";
import { requireInstalled } from "../apps/installed.ts";
import { HostString } from "../rpc/arguments.ts";
import { defineDirect, type Method } from "../rpc/method.ts";
import { Filters, QueryOptions, runQuery } from "../rpc/query.ts";
import { createCallError } from "../rpc/rpc-error.ts";
import type { World } from "../world.ts";

function buildAvailableEntry(world: World, app: CatalogApp): JsonObject {
  const latest = world.catalog.latest(app);
  return {
    name: app.id,
    train: app.train,
    title: app.title,
    description: app.title,
    categories: app.categories,
    tags: [],
    icon_url: app.icon,
    screenshots: [],
    maintainers: [],
    home: "",
    app_readme: null,
    sources: [],
    catalog: "TRUENAS",
    ...(world.generation !== "25.04" && { popularity_rank: null }),
    latest_version: latest.version,
    latest_app_version: latest.appVersion,
    latest_human_version: toHumanVersion(latest),
    last_update: null,
    recommended: false,
    healthy: true,
    healthy_error: null,
    installed: Object.values(world.state.apps).some(
      ({ catalogApp, train }) => catalogApp === app.id && train === app.train,
    ),
    location: `/mnt/.ix-apps/truenas_catalog/trains/${app.train}/${app.id}`,
  };
}

/** The questions of a version as the host answers them; none of an app it has no schema of. */
function askQuestions({ questions, certificates, network, hardware }: World, app: CatalogApp, version: string) {
  const found = questions.find({ catalogApp: app.id, train: app.train, version });
  return fillReferences(found?.written ?? [], { certificates, addresses: network.inUse, gpus: hardware.gpus });
}

/** The host's catalog, and what an upgrade from it would bring (docs/host-api.md, section 4). */
export const CATALOG_METHODS: readonly Method[] = [
  defineDirect({
    name: "app.available",
    names: ["filters", "options"],
    params: z.tuple([Filters, QueryOptions]),
    run: (world, [filters, options]) =>
      runQuery(
        world.catalog.list().map((app) => buildAvailableEntry(world, app)),
        filters,
        options,
      ),
  }),
  defineDirect({
    name: "catalog.get_app_details",
    names: ["app_name", "app_version_details"],
    params: z.tuple([HostString, z.strictObject({ train: HostString })]),
    run: (world, [id, { train }]) => {
      const app = world.catalog.find(id, train);
      if (app === undefined) throw createCallError("ENOENT", `Unable to find "${id}" in "${train}" train`);
      const versions = world.catalog.versions(app).map((version) => [
        version.version,
        {
          version: version.version,
          human_version: toHumanVersion(version),
          healthy: true,
          supported: true,
          healthy_error: null,
          required_features: [],
          values: app.defaults,
          schema: { groups: [], questions: askQuestions(world, app, version.version) },
        },
      ]);
      return { ...buildAvailableEntry(world, app), versions: Object.fromEntries(versions) };
    },
  }),
  defineDirect({
    name: "app.upgrade_summary",
    names: ["app_name", "options"],
    params: z.tuple([HostString, z.strictObject({ app_version: HostString.default("latest") }).prefault({})]),
    run: (world, [name, { app_version: wanted }]) => {
      const app = requireInstalled(world, name);
      const item = app.custom ? undefined : world.catalog.find(app.catalogApp, app.train);
      const newer = item === undefined ? [] : world.catalog.newerThan(item, app.version);
      const latest = newer[0];
      if (latest === undefined) throw createCallError("EFAULT", `No upgrade available for '${name}'`);
      const target = wanted === "latest" ? latest : newer.find(({ version }) => version === wanted);
      if (target === undefined) {
        throw createCallError("EFAULT", `Unable to find version '${wanted}' of '${name}' to upgrade to`);
      }
      return {
        latest_version: latest.version,
        latest_human_version: toHumanVersion(latest),
        upgrade_version: target.version,
        upgrade_human_version: toHumanVersion(target),
        available_versions_for_upgrade: newer.map((one) => ({
          version: one.version,
          human_version: toHumanVersion(one),
        })),
        changelog: null,
      };
    },
  }),
];
