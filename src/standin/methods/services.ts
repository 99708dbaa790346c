import { z } from "zod";
import { HostString } from "../rpc/arguments.ts";
import { defineDirect, defineJob, type Method } from "../rpc/method.ts";
import { Filters, QueryOptions, runQuery } from "../rpc/query.ts";
import { createCallError, createInvalidParam } from "../rpc/rpc-error.ts";
import type { World } from "../world.ts";

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

const SMB_ID = 4;

const ControlOptions = z
  .strictObject({
    ha_propagate: z.boolean().default(true),
    silent: z.boolean().default(true),
    timeout: z.int().nullable().default(120),
  })
  .prefault({});

/** The apps service and the service of the shares (docs/host-api.md sections 8 and 9). */
export const SERVICE_METHODS: readonly Method[] = [
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
    name: "service.query",
    names: ["filters", "options"],
    params: z.tuple([Filters, QueryOptions]),
    run: (world, [filters, options]) => runQuery([describeSmbService(world)], filters, options),
  }),
  defineDirect({
    name: "service.update",
    names: ["id_or_name", "service_update"],
    params: z.tuple([z.union([z.int(), HostString]), z.strictObject({ enable: z.boolean() })]),
    run: (world, [service, { enable }]) => {
      if (service !== "cifs" && service !== SMB_ID) throw createInvalidParam("id", `${service} not found`, "ENOENT");
      world.state.smbEnabled = enable;
      world.commit();
      return SMB_ID;
    },
  }),
  defineJob({
    name: "service.control",
    since: "25.10",
    names: ["verb", "service", "options"],
    params: z.tuple([z.enum(["START", "STOP", "RESTART", "RELOAD"]), HostString, ControlOptions]),
    run: (world, [verb, service, options], { signal }) => switchSmb(world, verb, service, options, signal),
  }),
  ...(["START", "STOP"] as const).map((verb) =>
    defineDirect({
      name: `service.${verb.toLowerCase()}`,
      before: "26.0",
      names: ["service", "options"],
      params: z.tuple([HostString, ControlOptions]),
      run: (world, [service, options]) => switchSmb(world, verb, service, options),
    }),
  ),
];

/** Answers whether the service is as wanted; `silent` tells apart a false answer and an error. A start enables nothing. */
async function switchSmb(
  world: World,
  verb: "START" | "STOP" | "RESTART" | "RELOAD",
  service: string,
  { silent }: z.output<typeof ControlOptions>,
  signal?: AbortSignal,
): Promise<boolean> {
  if (service !== "cifs") throw createCallError("EINVAL", `Unknown service: ${service}`);
  await world.pace(50, signal);
  const fails = verb !== "STOP" && world.faults.take("smb-stays-down") !== undefined;
  world.state.smbRunning = verb !== "STOP" && !fails;
  world.commit();
  if (fails && !silent) throw createCallError("EFAULT", "Service not running after start");
  return !fails;
}

function describeSmbService({ state }: World) {
  const { smbEnabled: enable, smbRunning: running } = state;
  return { id: SMB_ID, service: "cifs", enable, state: running ? "RUNNING" : "STOPPED", pids: [] };
}
