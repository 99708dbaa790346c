/**
 * The shares of an app that outlive it. An uninstall ends none: the script asks for a directory to be shared, not for as
 * long as the app is there, and other devices know the share by its name.
 */
import { isAtOrBelow } from "../../../core/plan/directory-path.ts";
import type { LeftShare } from "../../api.ts";
import type { Host } from "../../ports/host.ts";
import type { StoredApp } from "../../stored-plan.ts";

/** Lists them: of directories that are shared by the script, or that are to be removed. */
export async function listLeftShares(
  { host }: { readonly host: Pick<Host, "shares"> },
  directories: StoredApp["directories"],
  removed: readonly string[],
): Promise<readonly LeftShare[]> {
  const shared = new Set(directories.filter(({ share }) => share).map(({ path }) => path));
  if (shared.size + removed.length === 0) return [];
  return (await host.shares()).flatMap(({ name, path }): LeftShare[] => {
    if (removed.some((one) => isAtOrBelow(path, one))) return [{ name, path, leadsTo: "nothing" }];
    return shared.has(path) ? [{ name, path, leadsTo: "data" }] : [];
  });
}
