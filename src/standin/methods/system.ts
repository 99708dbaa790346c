import { z } from "zod";
import { ACCOUNTS, GROUPS } from "../accounts.ts";
import { HostString } from "../rpc/arguments.ts";
import { defineDirect, defineJob, type Method } from "../rpc/method.ts";
import { Filters, QueryOptions, runQuery } from "../rpc/query.ts";
import { createCallError, createInvalidParam, createUnexpectedError } from "../rpc/rpc-error.ts";
import type { World } from "../world.ts";

const VERSIONS = { "25.04": "25.04.2.6", "25.10": "25.10.5", "26.0": "26.0.0-BETA.3" } as const;

/** How many `docker.status` calls the fault `docker-initializing` lasts unless told otherwise. */
const INITIALIZING_CALLS = 3;

const DESCRIPTIONS: Readonly<Record<string, string>> = {
  RUNNING: "Application(s) are currently running",
  INITIALIZING: "Initializing Apps Service",
  UNCONFIGURED: "Please configure a pool to use Apps service",
};

function takeDockerStatus(world: World): string {
  const fault = world.faults.take("docker-initializing");
  if (fault === undefined) return world.state.docker;
  const left = (fault.value ?? INITIALIZING_CALLS) - 1;
  if (left > 0) world.faults.arm({ name: "docker-initializing", times: 1, value: left });
  return "INITIALIZING";
}

/** Facts of the machine, its accounts and services (docs/host-api.md sections 7 and 9). */
export const SYSTEM_METHODS: readonly Method[] = [
  defineDirect({
    name: "docker.status",
    names: [],
    params: z.tuple([]),
    run: (world) => {
      const status = takeDockerStatus(world);
      return { status, description: DESCRIPTIONS[status] ?? status };
    },
  }),
  defineDirect({
    name: "system.info",
    names: [],
    params: z.tuple([]),
    run: (world) => ({
      version: VERSIONS[world.generation],
      hostname: "truenas",
      physmem: world.hardware.memoryBytes,
      model: "Stand-in",
      cores: world.hardware.cores,
      physical_cores: world.hardware.cores,
      uptime_seconds: (world.now() - world.boot.at) / 1000,
      boottime: { $date: world.boot.at },
      datetime: { $date: world.now() },
      timezone: "Etc/UTC",
      system_manufacturer: null,
      ecc_memory: false,
    }),
  }),
  defineDirect({ name: "system.host_id", names: [], params: z.tuple([]), run: (world) => world.state.hostId }),
  defineDirect({
    name: "system.general.config",
    names: [],
    params: z.tuple([]),
    run: () => ({ id: 1, ui_address: ["0.0.0.0"], ui_port: 80, ui_v6address: ["::"], ui_httpsport: 443 }),
  }),
  defineDirect({ name: "system.global.id", names: [], params: z.tuple([]), run: (world) => world.state.globalId }),
  defineDirect({ name: "interface.websocket_local_ip", names: [], params: z.tuple([]), run: (world) => world.lanIp }),
  defineDirect({
    name: "interface.ip_in_use",
    names: ["options"],
    params: z.tuple([
      z
        .strictObject({
          ipv4: z.boolean().default(true),
          ipv6: z.boolean().default(true),
          ipv6_link_local: z.boolean().default(false),
          loopback: z.boolean().default(false),
          any: z.boolean().default(false),
          static: z.boolean().default(false),
          interfaces: z.array(HostString).default([]),
        })
        .prefault({}),
    ]),
    run: (world, [options]) =>
      options.ipv4 ? [{ type: "INET", address: world.lanIp, netmask: 8, broadcast: "127.255.255.255" }] : [],
  }),
  defineDirect({
    name: "device.get_info",
    names: ["data"],
    params: z.tuple([
      z.strictObject({
        type: z.enum(["SERIAL", "DISK", "GPU"]),
        get_partitions: z.boolean().default(false),
        serials_only: z.boolean().default(false),
      }),
    ]),
    run: (world, [{ type }]) =>
      type !== "GPU"
        ? []
        : world.hardware.gpus.map((gpu) => ({
            addr: { pci_slot: gpu.slot, domain: "0000", bus: "00", slot: "00" },
            description: `${gpu.vendor} GPU`,
            vendor: gpu.vendor,
            devices: [],
            uses_system_critical_devices: false,
            critical_reason: null,
            available_to_host: true,
          })),
  }),
  defineDirect({
    name: "user.get_user_obj",
    names: ["get_user_obj"],
    params: z.tuple([
      z.strictObject({
        username: HostString.nullable().default(null),
        uid: z.int().nullable().default(null),
        get_groups: z.boolean().default(false),
        sid_info: z.boolean().default(false),
      }),
    ]),
    run: (_world, [{ username, uid, get_groups: withGroups }]) => {
      if ((username === null) === (uid === null)) {
        throw createInvalidParam("get_user_obj.username", 'Either "username" or "uid" must be specified.');
      }
      const found = ACCOUNTS.find((one) => (username === null ? one.uid === uid : one.name === username));
      if (found === undefined) {
        throw createUnexpectedError("KeyError", `'${username ?? uid}: user with this name does not exist'`);
      }
      const groups = GROUPS.filter(({ gid, members }) => gid === found.gid || members.includes(found.name));
      return {
        pw_name: found.name,
        pw_gecos: found.comment,
        pw_dir: "/var/empty",
        pw_shell: "/usr/sbin/nologin",
        pw_uid: found.uid,
        pw_gid: found.gid,
        grouplist: withGroups ? groups.map(({ gid }) => gid) : null,
        sid: null,
        source: "LOCAL",
        local: true,
      };
    },
  }),
  defineDirect({
    name: "group.get_group_obj",
    names: ["get_group_obj"],
    params: z.tuple([
      z.strictObject({
        groupname: HostString.nullable().default(null),
        gid: z.int().nullable().default(null),
        sid_info: z.boolean().default(false),
      }),
    ]),
    run: (_world, [{ groupname, gid }]) => {
      if ((groupname === null) === (gid === null)) {
        throw createInvalidParam("get_group_obj.groupname", 'Either "groupname" or "gid" must be specified.');
      }
      const found = GROUPS.find((one) => (groupname === null ? one.gid === gid : one.name === groupname));
      if (found === undefined) {
        throw createUnexpectedError("KeyError", `'${groupname ?? gid}: group with this name does not exist'`);
      }
      return {
        gr_name: found.name,
        gr_gid: found.gid,
        gr_mem: [...found.members],
        sid: null,
        source: "LOCAL",
        local: true,
      };
    },
  }),
  defineDirect({
    name: "service.query",
    names: ["filters", "options"],
    params: z.tuple([Filters, QueryOptions]),
    run: (world, [filters, options]) => runQuery([describeSmbService(world)], filters, options),
  }),
  defineJob({
    name: "service.control",
    names: ["verb", "service", "options"],
    params: z.tuple([
      z.enum(["START", "STOP", "RESTART", "RELOAD"]),
      HostString,
      z
        .strictObject({
          ha_propagate: z.boolean().default(true),
          silent: z.boolean().default(true),
          timeout: z.int().nullable().default(120),
        })
        .prefault({}),
    ]),
    run: async (world, [verb, service], { signal }) => {
      if (service !== "cifs") throw createCallError("EINVAL", `Unknown service: ${service}`);
      await world.pace(50, signal);
      world.state.smbRunning = verb !== "STOP";
      world.commit();
      return true;
    },
  }),
];

function describeSmbService(world: World) {
  const running = world.state.smbRunning;
  return { id: 4, service: "cifs", enable: running, state: running ? "RUNNING" : "STOPPED", pids: [] };
}
