import type { HostApp } from "./ports/host-records.ts";

/** The installed app of a catalog id: an instance of that name, or one made from it; null where there is none. */
export function findApp(apps: readonly HostApp[], appId: string): HostApp | null {
  return apps.find((app) => app.appId === appId) ?? null;
}
