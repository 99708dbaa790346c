/** Which host paths the installed apps use: the host shows the mounts of running containers only. */
import type { Json } from "../../../core/json/json.ts";
import type { Host } from "../../ports/host.ts";
import type { HostApp } from "../../ports/host-records.ts";

/** An app with every host path it uses or may use. */
export interface AppPaths extends Pick<HostApp, "name" | "appId" | "title"> {
  readonly paths: readonly string[];
}

/** Lists every installed app, stopped ones too: what an app's values name as a path counts as used. */
export async function listAppPaths(host: Pick<Host, "apps" | "appConfig">): Promise<readonly AppPaths[]> {
  const listed: AppPaths[] = [];
  for (const { name, appId, title, mounts } of await host.apps()) {
    const mounted = mounts.flatMap(({ hostPath, realPath }) => [hostPath, realPath ?? hostPath]);
    const named = listNamed(await host.appConfig(name));
    listed.push({ name, appId, ...(title !== undefined && { title }), paths: [...mounted, ...named] });
  }
  return listed;
}

/** Absolute paths of at least two names, also those before the colon of a volume in short form. */
function listNamed(value: Json): string[] {
  if (typeof value === "string")
    return [value, value.split(":")[0] ?? ""].filter((text) => /^\/+[^/]+\/+[^/]/.test(text));
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(listNamed) : [];
}
