import { isIP } from "node:net";
import { z } from "zod";
import { HostString } from "../rpc/arguments.ts";
import { defineDirect, type Method } from "../rpc/method.ts";
import type { World } from "../world.ts";

const VERSIONS = {
  "25.04": "25.04.2.6",
  "25.10": "25.10.5",
  "26.0": "26.0.0-BETA.3",
  "27.0": "27.0.0-MASTER",
} as const;

/** When the release was built, UTC ms. */
const BUILT_AT = Date.UTC(2025, 9, 28);

/** Hours, minutes and seconds since the start, e.g. `1:02:03`. */
function describeUptime(world: World): string {
  const seconds = Math.floor((world.now() - world.boot.at) / 1000);
  const [minutes, rest] = [Math.floor(seconds / 60) % 60, seconds % 60].map((part) => String(part).padStart(2, "0"));
  return `${Math.floor(seconds / 3600)}:${minutes}:${rest}`;
}

/** Facts of the machine (docs/host-api.md section 9). */
export const SYSTEM_METHODS: readonly Method[] = [
  defineDirect({
    name: "system.info",
    names: [],
    params: z.tuple([]),
    run: (world) => ({
      version: VERSIONS[world.generation],
      buildtime: { $date: BUILT_AT },
      hostname: "truenas",
      physmem: world.hardware.memoryBytes,
      model: "Stand-in",
      cores: world.hardware.cores,
      physical_cores: world.hardware.cores,
      loadavg: [0.1, 0.1, 0.1],
      uptime: describeUptime(world),
      uptime_seconds: (world.now() - world.boot.at) / 1000,
      system_serial: null,
      system_product: null,
      system_product_version: null,
      license: null,
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
  defineDirect({
    name: "interface.websocket_local_ip",
    names: [],
    params: z.tuple([]),
    run: (world) => world.network.reached,
  }),
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
      world.network.inUse.flatMap((address) => {
        const family = isIP(address);
        if (family === 4) return options.ipv4 ? [{ type: "INET", address, netmask: 8, broadcast: address }] : [];
        const isShown = options.ipv6 && (options.ipv6_link_local || !/^fe[89ab]/i.test(address));
        return isShown ? [{ type: "INET6", address, netmask: 64 }] : [];
      }),
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
];
