/** Apps on the host's own network: the host publishes no port of theirs, only their portals name some. */
import type { HostApp } from "../../../engine/ports/host-records.ts";
import type { ReadApp } from "./app-entry.ts";
import type { OwnPorts } from "./own-ports.ts";

/** Ports below are those of services that need root. */
const FIRST_FREE_PORT = 1024;

/**
 * The apps, those on the host's own network with the ports their hooks may reach there: of their portals those from 1024
 * on that none of the other apps publishes and no interface of the host has. `all` are all apps of the host.
 */
export function placeOnHost(apps: readonly ReadApp[], all: readonly ReadApp[], own: OwnPorts): readonly HostApp[] {
  return apps.map(({ app, onHost }) => {
    if (onHost === undefined) return app;
    const others = all.filter((other) => other.app.name !== app.name);
    const taken = new Set([...own.ports, ...others.flatMap((other) => other.app.publishedPorts)]);
    const ports = own.isWhole ? onHost.filter((port) => port >= FIRST_FREE_PORT && !taken.has(port)) : [];
    return { ...app, hostNetworkPorts: [...new Set(ports)] };
  });
}
