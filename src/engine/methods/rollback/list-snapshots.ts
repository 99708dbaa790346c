import type { AppSnapshot } from "../../api.ts";
import type { MethodDeps } from "../deps.ts";
import { type FrozenApp, freezeInstalled } from "../freeze-installed.ts";
import { type Found, findSnapshots, toName } from "./find-snapshots.ts";

/** Lists what an installed app can be rolled back to, the newest first. Throws as `switchApp` does. */
export async function listSnapshots(deps: MethodDeps, appId: string): Promise<readonly AppSnapshot[]> {
  const frozen = await freezeInstalled(deps, appId, await deps.host.apps());
  return (await findSnapshots(deps, appId, frozen)).map((found) => viewSnapshot(found, frozen));
}

/** A snapshot as people see it, without the app's secrets. */
export function viewSnapshot(
  { id, purpose, at, point, snapshots }: Found,
  { mask }: Pick<FrozenApp, "mask">,
): AppSnapshot {
  return {
    id: mask(id),
    purpose,
    at: new Date(at).toISOString(),
    ...(point?.from != null && { version: point.from }),
    ...(point?.to != null && { toVersion: point.to }),
    datasets: snapshots.map(({ snapshot, paths }) => ({
      name: mask(toName(snapshot)),
      paths: paths.map(mask),
      ...(snapshot.bytes !== undefined && { bytes: snapshot.bytes }),
    })),
  };
}
