/** Apps on the host's own network: the host publishes no port of theirs, only their portals name some. */
import type { HostApp } from "../../../engine/ports/host-records.ts";
import type { ReadApp } from "./app-entry.ts";
import type { OwnPorts } from "./own-ports.ts";

/** Ports below are those of services that need root. */
const FIRST_FREE_PORT = 1024;

/** States in which another program of the host may listen at the port an app names. */
const DOWN: ReadonlySet<string> = new Set(["STOPPED", "CRASHED"]);

/**
 * All apps of the host, those on its own network with the ports their hooks may reach there: of the portals of an app that
 * is up those from 1024 on that no other app publishes or names and no interface of the host has.
 */
export function placeOnHost(apps: readonly ReadApp[], own: OwnPorts): readonly HostApp[] {
  return apps.map(({ app, onHost }) => {
    if (onHost === undefined) return app;
    const others = apps.filter((other) => other.app.name !== app.name);
    const taken = new Set([
      ...own.ports,
      ...others.flatMap((other) => [...other.app.publishedPorts, ...(other.onHost ?? [])]),
    ]);
    const isFree = (port: number) => port >= FIRST_FREE_PORT && !taken.has(port);
    const ports = own.isWhole && !DOWN.has(app.state) ? onHost.filter(isFree) : [];
    return { ...app, hostNetworkPorts: [...new Set(ports)] };
  });
}
