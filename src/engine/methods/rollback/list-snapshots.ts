import type { AppSnapshot } from "../../api.ts";
import type { MethodDeps } from "../deps.ts";
import { freezeInstalled } from "../freeze-installed.ts";
import { type Found, findSnapshots, toName } from "./find-snapshots.ts";

/** Lists what an installed app can be rolled back to, the newest first. Throws as `switchApp` does. */
export async function listSnapshots(deps: MethodDeps, appId: string): Promise<readonly AppSnapshot[]> {
  return (await findSnapshots(deps, appId, await freezeInstalled(deps, appId, await deps.host.apps()))).map(
    viewSnapshot,
  );
}

/** A snapshot as people see it. */
export function viewSnapshot({ id, purpose, at, point, snapshots }: Found): AppSnapshot {
  return {
    id,
    purpose,
    at: new Date(at).toISOString(),
    ...(point?.from != null && { version: point.from }),
    ...(point?.to != null && { toVersion: point.to }),
    datasets: snapshots.map(({ snapshot, paths }) => ({
      name: toName(snapshot),
      paths,
      ...(snapshot.bytes !== undefined && { bytes: snapshot.bytes }),
    })),
  };
}
