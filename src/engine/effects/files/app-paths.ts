/** Which host paths the installed apps use: the host shows the mounts of running containers only. */
import { posix } from "node:path";
import type { Json, JsonObject } from "../../../core/json/json.ts";
import type { Host } from "../../ports/host.ts";
import type { HostApp } from "../../ports/host-records.ts";

/** An app with every host path it uses or may use. */
export interface AppPaths extends Pick<HostApp, "name" | "appId" | "title" | "isPartial"> {
  readonly paths: readonly string[];
  /** Texts of its values in which paths may stand. */
  readonly texts: readonly string[];
}

/** One that is installed. */
export interface LiveApp extends AppPaths {
  /** Its configuration. Holds secrets. */
  readonly values: JsonObject;
}

/**
 * Lists these installed apps, stopped ones too: what an app's values name as a path counts as used. A partial app may use
 * anything.
 */
export async function listAppPaths(
  host: Pick<Host, "app" | "appConfig">,
  apps: readonly HostApp[],
): Promise<readonly LiveApp[]> {
  const listed: LiveApp[] = [];
  for (const { name, appId, title, mounts, isPartial } of apps) {
    const values = isPartial ? {} : await askConfig(host, name);
    if (values === null) continue;
    const paths = mounts.flatMap(({ hostPath, realPath }) => [hostPath, realPath ?? hostPath]);
    const named = { name, appId, ...(title !== undefined && { title }), ...(isPartial && { isPartial }) };
    listed.push({ ...named, paths, texts: listPathTexts(values), values });
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

/** The texts of values, keys among them, that may hold a path; one with `..` in it also as what it leads to. */
export function listPathTexts(value: Json): string[] {
  if (typeof value === "string") {
    if (!value.includes("/")) return [];
    return value.includes("..")
      ? [value, posix.resolve("/", value), posix.resolve("/", value.split(":")[0] ?? "")]
      : [value];
  }
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, one]) => [...(key.includes("/") ? [key] : []), ...listPathTexts(one)]);
}
