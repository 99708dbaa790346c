/** Which host paths the installed apps use: the host shows the mounts of running containers only. */
import type { Json, JsonObject } from "../../../core/json/json.ts";
import type { Host } from "../../ports/host.ts";
import type { HostApp } from "../../ports/host-records.ts";

/** An app with every host path it uses or may use. */
export interface AppPaths extends Pick<HostApp, "name" | "appId" | "title"> {
  readonly paths: readonly string[];
}

/** Lists every installed app, stopped ones too: what an app's values name as a path counts as used. */
export async function listAppPaths(host: Pick<Host, "apps" | "app" | "appConfig">): Promise<readonly AppPaths[]> {
  const listed: AppPaths[] = [];
  for (const { name, appId, title, mounts } of await host.apps()) {
    const config = await askConfig(host, name);
    if (config === null) continue;
    const mounted = mounts.flatMap(({ hostPath, realPath }) => [hostPath, realPath ?? hostPath]);
    listed.push({ name, appId, ...(title !== undefined && { title }), paths: [...mounted, ...listNamed(config)] });
  }
  return listed;
}

/** null: the app has gone since it was listed. */
async function askConfig(host: Pick<Host, "app" | "appConfig">, name: string): Promise<JsonObject | null> {
  try {
    return await host.appConfig(name);
  } catch (error) {
    if ((await host.app(name)) === null) return null;
    throw error;
  }
}

/** Absolute paths of at least two names, also those before the colon of a volume in short form. */
function listNamed(value: Json): string[] {
  if (typeof value === "string")
    return [value, value.split(":")[0] ?? ""].filter((text) => /^\/+[^/]+\/+[^/]/.test(text));
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(listNamed) : [];
}
