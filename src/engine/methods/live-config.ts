import type { JsonObject } from "../../core/json/json.ts";
import { findApp } from "../find-app.ts";
import type { Known } from "../standing/known-answer.ts";
import type { MethodDeps } from "./deps.ts";

/** The live configuration of an installed app; null where it is not installed. */
export async function askLiveConfig(
  { answers }: Pick<MethodDeps, "answers">,
  appId: string,
): Promise<Known<JsonObject> | null> {
  const apps = await answers.apps();
  const app = findApp(apps.value, appId);
  if (app === null) return null;
  const config = await answers.appConfig(app.name);
  return { ...config, at: Math.min(apps.at, config.at), isStale: apps.isStale || config.isStale };
}
