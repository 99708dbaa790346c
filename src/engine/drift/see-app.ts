/** What the host says of an app the engine keeps something of, asked one question after another. */
import type { SeenApp, SeenDirectory } from "../../core/drift/drift-types.ts";
import {
  type Declared,
  findOutermostLocation,
  type Look,
  lookAtDeclared,
  toDeclared,
} from "../effects/files/declared-path.ts";
import { findHiddenDataset } from "../effects/files/hidden-dataset.ts";
import { type Owner, resolveOwner } from "../effects/files/owner.ts";
import { findApp } from "../find-app.ts";
import { HostError } from "../host-error.ts";
import type { Host } from "../ports/host.ts";
import type { HostApp } from "../ports/host-records.ts";
import type { Believed } from "./believe-app.ts";

type Asked = Pick<Host, "appConfig" | "stat" | "user" | "group" | "dataset" | "datasetOf">;

/** What a look has asked already. */
interface Looked {
  readonly apps: readonly HostApp[];
  /** Paths of the host's shares. */
  readonly shares: () => Promise<ReadonlySet<string>>;
}

/** Rejects as the host does, or with the signal's reason. */
export async function seeApp(
  host: Asked,
  believed: Believed,
  { apps, shares }: Looked,
  signal: AbortSignal,
): Promise<SeenApp> {
  const { appId, instance } = believed;
  const named = apps.find(({ name }) => name === instance);
  const app = named?.appId === appId ? named : findApp(apps, appId);
  if (app === null) return { installed: false, takenBy: named?.appId ?? null };
  const values = await host.appConfig(app.name);
  const directories = new Map<string, SeenDirectory>();
  for (const directory of believed.directories) {
    signal.throwIfAborted();
    if (!directory.root) directories.set(directory.path, await seeDirectory(host, directory, believed));
  }
  const isShared = believed.directories.some(({ shared }) => shared);
  return {
    installed: true,
    version: app.version,
    values,
    directories,
    shares: isShared ? await shares() : new Set<string>(),
  };
}

async function seeDirectory(
  host: Asked,
  { path, owner }: Believed["directories"][number],
  { locations }: Believed,
): Promise<SeenDirectory> {
  if (findOutermostLocation(path, locations) === null) return { is: "missing", at: path };
  const look = await lookAtDeclared(host, path, locations);
  const found = findPath(look);
  if (found === "missing") return { is: "missing", at: path };
  if (found === "unlocated") return { is: "missing", at: look.location };
  if (found === "linked" || found.type !== "DIRECTORY") return { is: "replaced" };
  const present = { uid: found.uid, gid: found.gid };
  const wanted = owner === undefined ? present : await findOwner(host, owner);
  const isOwned = wanted?.uid === present.uid && wanted.gid === present.gid;
  // The empty directory a locked dataset leaves is the host's.
  if (!isOwned && (await findHiddenDataset(host, look)) !== null) return { is: "missing", at: path };
  return { is: "directory", owner: present, wanted };
}

/** `unlocated`: not even its location is there. */
function findPath(look: Look): Declared | "linked" | "missing" | "unlocated" {
  try {
    return toDeclared(look) ?? "missing";
  } catch (error) {
    if (error instanceof HostError && error.code === "HOST_PATH_LINKED") return "linked";
    if (error instanceof HostError && error.code === "HOST_DIRECTORY_BLOCKED") return "unlocated";
    throw error;
  }
}

/** null where the host does not know the account. */
async function findOwner(host: Asked, owner: Parameters<typeof resolveOwner>[1]): Promise<Owner | null> {
  try {
    return await resolveOwner({ host }, owner);
  } catch (error) {
    if (error instanceof HostError && error.code === "HOST_OWNER_UNKNOWN") return null;
    throw error;
  }
}
