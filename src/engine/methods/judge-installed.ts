import { GENERIC_APP } from "../../core/app-values/generic-app.ts";
import { findApp } from "../find-app.ts";
import { openValueJudge, type ValueJudge } from "../values/value-judge.ts";
import type { MethodDeps } from "./deps.ts";
import type { Usable } from "./request/request.ts";

/** A judge of the values of an installed app, by the version it has; null if the host does not say what that accepts. */
export async function openInstalledJudge(deps: MethodDeps, script: Usable): Promise<ValueJudge | null> {
  const { appId, custom } = script.dictionary;
  const app = findApp((await deps.answers.apps()).value, appId);
  if (app?.train === undefined) return null;
  const { version, train } = app;
  return openValueJudge(deps, script, { catalogApp: custom ? GENERIC_APP : appId, train, version });
}
