import type { AppRecord } from "../host-state.ts";
import { createInvalidParam } from "../rpc/rpc-error.ts";
import type { World } from "../world.ts";
import { deriveAppState } from "./entry.ts";
import { listDeclaredPorts } from "./values.ts";

/** The apps service as a call sees it just now; the armed fault is spent by `docker.status` alone. */
export function readDockerStatus(world: World): string {
  return world.faults.list().some(({ name }) => name === "docker-initializing") ? "INITIALIZING" : world.state.docker;
}

/** The installed app of a name; the host's own error else, also while the apps service is down. */
export function requireInstalled(world: World, name: string): AppRecord {
  const app =
    readDockerStatus(world) === "RUNNING" && Object.hasOwn(world.state.apps, name) ? world.state.apps[name] : undefined;
  if (app === undefined) throw createInvalidParam(null, `App ${name} does not exist`, "ENOENT");
  return app;
}

/** Published ports of running apps: not those of stopped apps, of host-network apps, or of the host itself. */
export function listUsedPorts(apps: readonly AppRecord[]): number[] {
  const ports = apps
    .filter((app) => deriveAppState(app.containers) !== "STOPPED" && listDeclaredPorts(app.values).published)
    .flatMap((app) => app.containers.flatMap((container) => container.ports.map(({ host_port: port }) => port)));
  return [...new Set(ports)];
}
