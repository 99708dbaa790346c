import { GENERIC_APP } from "../../core/app-values/generic-app.ts";
import type { HostApp } from "../ports/host-records.ts";
import { type JudgeDeps, openValueJudge, type ValueJudge } from "../values/value-judge.ts";
import type { Usable } from "./request/request.ts";

/** A judge of the values of an installed app, by the version it has; null if the host does not say what that accepts. */
export async function openInstalledJudge(
  deps: JudgeDeps,
  script: Usable,
  { version, train }: Pick<HostApp, "version" | "train">,
): Promise<ValueJudge | null> {
  const { appId, custom } = script.dictionary;
  if (train === undefined) return null;
  return openValueJudge(deps, script, { catalogApp: custom ? GENERIC_APP : appId, train, version });
}
