import { z } from "zod";
import type { JsonObject } from "../../core/json/json.ts";
import type { CatalogApp } from "../apps/builtin.ts";
import { toHumanVersion } from "../apps/catalog.ts";
import { buildAppEntry } from "../apps/entry.ts";
import { listUsedPorts, readDockerStatus, requireInstalled } from "../apps/installed.ts";
import type { AppRecord } from "../host-state.ts";
import { HostString } from "../rpc/arguments.ts";
import { defineDirect, type Method } from "../rpc/method.ts";
import { Filters, QUERY_OPTIONS, QueryOptions, runQuery } from "../rpc/query.ts";
import { createCallError } from "../rpc/rpc-error.ts";
import type { World } from "../world.ts";

const AppQuery = z
  .strictObject({
    ...QUERY_OPTIONS,
    extra: z
      .strictObject({
        host_ip: HostString.nullable().default(null),
        include_app_schema: z.boolean().default(false),
        retrieve_config: z.boolean().default(false),
      })
      .prefault({}),
  })
  .prefault({});

function buildQueriedEntry(world: World, app: AppRecord, extra: { host_ip: string | null; retrieve_config: boolean }) {
  return buildAppEntry(app, {
    catalog: world.catalog,
    generation: world.generation,
    hostIp: extra.host_ip ?? world.lanIp,
    withConfig: extra.retrieve_config,
  });
}

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
    latest_version: latest.version,
    latest_app_version: latest.appVersion,
    latest_human_version: toHumanVersion(latest),
    last_update: null,
    recommended: false,
    healthy: true,
    healthy_error: null,
    installed: Object.values(world.state.apps).some(({ catalogApp }) => catalogApp === app.id),
    location: `/mnt/.ix-apps/truenas_catalog/trains/${app.train}/${app.id}`,
  };
}

/** Reading installed apps and the host's catalog (docs/host-api.md, section 4). */
export const APP_READ_METHODS: readonly Method[] = [
  defineDirect({
    name: "app.query",
    names: ["filters", "options"],
    params: z.tuple([Filters, AppQuery]),
    run: (world, [filters, options]) => {
      if (readDockerStatus(world) !== "RUNNING") return runQuery([], filters, options);
      const entries = Object.values(world.state.apps).map((app) => buildQueriedEntry(world, app, options.extra));
      return runQuery(entries, filters, options);
    },
  }),
  defineDirect({
    name: "app.get_instance",
    names: ["id", "options"],
    params: z.tuple([HostString, AppQuery]),
    run: (world, [name, options]) => buildQueriedEntry(world, requireInstalled(world, name), options.extra),
  }),
  defineDirect({
    name: "app.config",
    names: ["app_name"],
    params: z.tuple([HostString]),
    run: (world, [name]) => {
      const app = requireInstalled(world, name);
      return {
        ...app.values,
        ix_context: { app_name: name, is_install: false, is_update: true, is_upgrade: false },
        ix_volumes: {},
        ix_certificates: {},
        ix_certificate_authorities: {},
      };
    },
  }),
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
          schema: { groups: [], questions: [] },
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
      const item = app.custom ? undefined : world.catalog.find(app.catalogApp);
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
  defineDirect({
    name: "app.rollback_versions",
    names: ["app_name"],
    params: z.tuple([HostString]),
    run: (world, [name]) => [...requireInstalled(world, name).formerVersions],
  }),
  defineDirect({
    name: "app.used_ports",
    names: [],
    params: z.tuple([]),
    run: (world) => listUsedPorts(Object.values(world.state.apps)).toSorted((a, b) => a - b),
  }),
  defineDirect({
    name: "app.gpu_choices",
    names: [],
    params: z.tuple([]),
    run: (world) =>
      Object.fromEntries(
        world.hardware.gpus.map((gpu) => [
          gpu.slot,
          {
            vendor: gpu.vendor,
            description: `${gpu.vendor} GPU`,
            vendor_specific_config: gpu.uuid === undefined ? {} : { uuid: gpu.uuid },
            gpu_details: { addr: { pci_slot: gpu.slot }, vendor: gpu.vendor },
            pci_slot: gpu.slot,
            error: null,
          },
        ]),
      ),
  }),
  defineDirect({
    name: "app.container_ids",
    names: ["app_name", "options"],
    params: z.tuple([HostString, z.strictObject({ alive_only: z.boolean().default(true) }).prefault({})]),
    run: (world, [name, { alive_only: aliveOnly }]) =>
      Object.fromEntries(
        requireInstalled(world, name)
          .containers.filter(({ state }) => !aliveOnly || (state !== "exited" && state !== "crashed"))
          .map(({ id, service_name, image, state }) => [id, { id, service_name, image, state }]),
      ),
  }),
];
