import { EngineError } from "../../../core/codes/problems.ts";
import { isOlderVersion } from "../../../core/hooks/hook-selection.ts";

/** An installed app and the versions it can be upgraded to, the newest first. */
interface Choice {
  readonly appId: string;
  readonly installed: string;
  readonly versions: readonly string[];
}

/**
 * The version an upgrade leads to: the one that is wanted, or the newest. Throws `HOST_UPGRADE_NONE` where there is none,
 * `TASK_VERSION_NOT_NEWER` for an older one and `TASK_VERSION_UNKNOWN` for one that is not offered.
 */
export function chooseVersion({ appId, installed, versions }: Choice, wanted: string | undefined): string {
  if (wanted !== undefined && versions.includes(wanted)) return wanted;
  if (wanted === installed || (wanted !== undefined && isOlderVersion(wanted, installed))) {
    const message = `"${appId}" is at ${installed}: an upgrade does not lead to ${wanted}`;
    throw new EngineError("TASK_VERSION_NOT_NEWER", message, { appId, version: wanted, installed, versions });
  }
  const [newest] = versions;
  if (newest === undefined) {
    const message = `no version newer than ${installed} is available for "${appId}"`;
    throw new EngineError("HOST_UPGRADE_NONE", message, { appId, version: installed });
  }
  if (wanted === undefined) return newest;
  const message = `"${appId}" can't be upgraded to ${wanted}: there are ${versions.join(", ")}`;
  throw new EngineError("TASK_VERSION_UNKNOWN", message, { appId, version: wanted, installed, versions });
}
