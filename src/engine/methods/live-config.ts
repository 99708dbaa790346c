import type { JsonObject } from "../../core/json/json.ts";
import { findApp } from "../find-app.ts";
import type { HostApp } from "../ports/host-records.ts";
import type { Known } from "../standing/known-answer.ts";
import type { MethodDeps } from "./deps.ts";

/** A configuration, and the app it is of. */
export interface LiveConfig extends Known<JsonObject> {
  readonly app: HostApp;
}

/** The live configuration of an installed app; null if it is not installed. */
export async function askLiveConfig(
  { answers }: Pick<MethodDeps, "answers">,
  appId: string,
): Promise<LiveConfig | null> {
  const apps = await answers.apps();
  const app = findApp(apps.value, appId);
  if (app === null) return null;
  const config = await answers.appConfig(app.name);
  return { ...config, app, at: Math.min(apps.at, config.at), isStale: apps.isStale || config.isStale };
}
