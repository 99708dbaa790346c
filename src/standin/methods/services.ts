import { z } from "zod";
import { HostString } from "../rpc/arguments.ts";
import { defineDirect, defineJob, type Method } from "../rpc/method.ts";
import { Filters, QueryOptions, runQuery } from "../rpc/query.ts";
import { createCallError } from "../rpc/rpc-error.ts";
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
  defineJob({
    name: "service.control",
    since: "25.10",
    names: ["verb", "service", "options"],
    params: z.tuple([z.enum(["START", "STOP", "RESTART", "RELOAD"]), HostString, ControlOptions]),
    run: (world, [verb, service], { signal }) => controlService(world, verb, service, signal),
  }),
  ...(["START", "STOP"] as const).map((verb) =>
    defineDirect({
      name: `service.${verb.toLowerCase()}`,
      before: "26.0",
      names: ["service", "options"],
      params: z.tuple([HostString, ControlOptions]),
      run: (world, [service]) => controlService(world, verb, service),
    }),
  ),
];

async function controlService(world: World, verb: string, service: string, signal?: AbortSignal): Promise<boolean> {
  if (service !== "cifs") throw createCallError("EINVAL", `Unknown service: ${service}`);
  await world.pace(50, signal);
  world.state.smbRunning = verb !== "STOP";
  world.commit();
  return true;
}

function describeSmbService(world: World) {
  const running = world.state.smbRunning;
  return { id: 4, service: "cifs", enable: running, state: running ? "RUNNING" : "STOPPED", pids: [] };
}
