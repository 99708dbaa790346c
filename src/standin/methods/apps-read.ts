import { z } from "zod";
import { buildAppEntry } from "../apps/entry.ts";
import { listUsedPorts, readDockerStatus, requireInstalled } from "../apps/installed.ts";
import type { AppRecord } from "../host-state.ts";
import { HostString } from "../rpc/arguments.ts";
import { defineDirect, type Method } from "../rpc/method.ts";
import { Filters, QUERY_OPTIONS, runQuery } from "../rpc/query.ts";
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
  const entry = buildAppEntry(app, {
    catalog: world.catalog,
    generation: world.generation,
    hostIp: extra.host_ip ?? world.lanIp,
    withConfig: extra.retrieve_config,
  });
  return { ...entry, ...world.oddEntries.get(app.name) };
}

/** Reading installed apps (docs/host-api.md, section 4). */
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
    name: "app.image.dockerhub_rate_limit",
    names: [],
    params: z.tuple([]),
    run: (world) => {
      const isAway = world.faults.take("registry-unreachable") !== undefined;
      return {
        total_pull_limit: isAway ? null : 100,
        total_time_limit_in_secs: isAway ? null : 21_600,
        remaining_pull_limit: isAway ? null : 100,
        remaining_time_limit_in_secs: isAway ? null : 21_600,
        error: isAway ? "Unable to connect to docker registry" : null,
      };
    },
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
