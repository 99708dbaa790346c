/** Files as an app and its owner leave them in the folders of a host. */
import { existsSync } from "node:fs";
import { posix } from "node:path";
import { writeBelow } from "../../files/write-below.ts";
import type { World } from "../world/worlds.ts";

/** Puts a file of the owner into every location. */
export async function putOwnersData({ host, standin }: Pick<World, "host" | "standin">): Promise<void> {
  const { locations } = await host.facts();
  for (const path of Object.values(locations)) put(standin, path, "slipway-check-owner");
}

/** Puts a file of an app into every folder below a location that it has mounted. */
export async function putAppData({ host, standin }: Pick<World, "host" | "standin">, appId: string): Promise<void> {
  const { locations } = await host.facts();
  const roots = Object.values(locations);
  const mounts = (await host.apps()).find((app) => app.appId === appId)?.mounts ?? [];
  for (const { hostPath } of mounts) {
    const path = posix.normalize(hostPath);
    if (roots.some((root) => path.startsWith(`${root}/`))) put(standin, path, nameAppData(appId));
  }
}

/** The file an app is given. */
export function nameAppData(appId: string): string {
  return `slipway-check-${appId}`;
}

function put({ dir, localPath }: World["standin"], folder: string, name: string): void {
  if (!existsSync(localPath(folder))) return;
  writeBelow({ root: dir, path: posix.join(folder, name), text: "made by slipway check\n", replaces: "file" });
}
