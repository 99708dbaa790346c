import type { Dictionary } from "../../core/dictionary.ts";
import { EngineError } from "../../core/problems.ts";
import type { HostApp } from "../ports/host.ts";
import type { MethodScene } from "./scene.ts";

/** How the host's catalog offers an app: custom scripts use its generic app (decisions.md 4). Throws `HOST_NOT_FOUND`. */
export async function offeredApp(
  { host }: Pick<MethodScene, "host">,
  { appId, custom, metadata }: Dictionary,
): Promise<{ readonly title: string; readonly catalogApp: string; readonly train: string }> {
  if (custom) return { title: metadata?.name ?? appId, catalogApp: "ix-app", train: "stable" };
  const offered = await host.availableApp(appId);
  if (offered === null) {
    throw new EngineError("HOST_NOT_FOUND", `the host's catalog has no app "${appId}"`, { appId });
  }
  return { title: metadata?.name ?? offered.title, catalogApp: offered.catalogApp, train: offered.train };
}

/** Throws `HOST_NAME_TAKEN` when the app's name is in use on the host. */
export async function refuseTaken({ host }: Pick<MethodScene, "host">, appId: string): Promise<void> {
  const apps = await host.apps();
  if (!apps.some((app) => app.name === appId || app.appId === appId)) return;
  throw new EngineError("HOST_NAME_TAKEN", `an app named "${appId}" is installed already`, { appId });
}

/** The installed app of a catalog id: an instance of that name, or one made from it. Throws `TASK_APP_NOT_INSTALLED`. */
export async function installedApp({ host }: Pick<MethodScene, "host">, appId: string): Promise<HostApp> {
  const apps = await host.apps();
  const app = apps.find((candidate) => candidate.appId === appId);
  if (app === undefined) throw new EngineError("TASK_APP_NOT_INSTALLED", `"${appId}" is not installed`, { appId });
  return app;
}
