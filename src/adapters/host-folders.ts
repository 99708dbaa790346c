/** The folders of this machine as a host's, for a host of an embedder's own whose apps run here. */
import type { Stats } from "node:fs";
// biome-ignore lint/style/noRestrictedImports: the host makes a directory where the engine, which looks at every component, says
import { lstat, mkdir, realpath, statfs } from "node:fs/promises";
import { readCode } from "../../sandbox/files/read-code.ts";
import type { Code } from "../core/codes/code.ts";
import { HostError } from "../engine/host-error.ts";
import type { Host } from "../engine/ports/host.ts";
import type { HostPath } from "../engine/ports/host-records.ts";

/**
 * Implements `stat`, `datasetOf` and `makeDirectory` on this machine's file system. `root` is an existing folder that every
 * location lies in or is; it stands for the one dataset. The methods reject with a `HostError`.
 */
export function createHostFolders(root: string): Pick<Host, "stat" | "datasetOf" | "makeDirectory"> {
  return {
    stat: (path) => attempt(path, () => look(path)),
    datasetOf: (path) =>
      attempt(path, async () => {
        const { bavail, bsize } = await statfs(path);
        return { dataset: "local", mountpoint: await realpath(root), availableBytes: bavail * bsize };
      }),
    makeDirectory: (path, { isPrivate } = { isPrivate: false }) =>
      attempt(path, () => mkdir(path, isPrivate ? 0o770 : 0o755)),
  };
}

/** Null if nothing is there; a link that leads nowhere is nothing. */
async function look(path: string): Promise<HostPath | null> {
  try {
    const found = await lstat(path);
    if (!found.isSymbolicLink()) {
      return { type: found.isDirectory() ? "DIRECTORY" : found.isFile() ? "FILE" : "OTHER", ...readFacts(found) };
    }
    const target = await realpath(path);
    return { type: "SYMLINK", target, ...readFacts(await lstat(target)) };
  } catch (error) {
    if (NOTHING.has(readCode(error))) return null;
    throw error;
  }
}

function readFacts({ dev, ino, uid, gid }: Stats): Pick<HostPath, "id" | "uid" | "gid"> {
  return { id: `${dev}:${ino}`, uid, gid };
}

const NOTHING: ReadonlySet<string> = new Set(["ENOENT", "ENOTDIR", "ELOOP"]);

const CODES: Readonly<Record<string, Code>> = {
  ENOENT: "HOST_NOT_FOUND",
  ENOTDIR: "HOST_NOT_FOUND",
  EEXIST: "HOST_EXISTS",
  EACCES: "HOST_PATH_REFUSED",
  EPERM: "HOST_PATH_REFUSED",
  EROFS: "HOST_PATH_REFUSED",
};

async function attempt<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const errname = readCode(error);
    const reason = `"${path}": ${error instanceof Error ? error.message : String(error)}`;
    throw new HostError(
      { code: CODES[errname] ?? "HOST_CALL_FAILED", reason, errname, fields: [], retryable: false },
      "yes",
    );
  }
}
