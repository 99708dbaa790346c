import { EngineError } from "../../../core/codes/problems.ts";
import { compareText } from "../../../core/script/parse/place-problems.ts";
import type { Exported, LeftOutApp } from "../../api.ts";
import { collectApp } from "../../move/collect-app.ts";
import {
  EXPORT_VERSION,
  type ExportContents,
  type ExportedLink,
  MAX_EXPORT,
  writeExport,
} from "../../move/export-file.ts";
import type { SecretSeal } from "../../move/seal-secrets.ts";
import type { ExportRequest } from "../../requests.ts";
import { readPolicies } from "../../schedule/policies.ts";
import { findLinkState } from "../../surfaces/pairings.ts";
import type { MethodDeps } from "../deps.ts";

/**
 * Makes a file of what the installed apps were set up with, as the engine keeps it. Throws `EXPORT_NONE`, and the codes of
 * a host that is away.
 */
export async function exportApps(deps: MethodDeps, seal: SecretSeal, request: ExportRequest): Promise<Exported> {
  const installed = (await deps.host.apps()).toSorted((a, b) => compareText(a.appId, b.appId));
  const { locations } = await deps.host.facts();
  const found = installed.map((app) => ({ ...app, collected: collectApp(deps, app) }));
  const collected = found.flatMap((one) => one.collected ?? []);
  if (collected.length === 0) throw new EngineError("EXPORT_NONE", "no installed app can be exported");
  const contents: ExportContents = {
    slipway: "export",
    version: EXPORT_VERSION,
    made: new Date(deps.clock.now()).toISOString(),
    locations,
    apps: collected.map(({ app }) => app),
    links: listLinks(deps, new Set(installed.map(({ appId }) => appId))),
    policies: readPolicies(deps.store),
  };
  const secrets = Object.fromEntries(collected.map(({ app, secrets }) => [app.appId, secrets]));
  const sealed = "passphrase" in request ? await seal.seal(secrets, contents, request.passphrase) : null;
  const file = writeExport(contents, sealed);
  if (file.length > MAX_EXPORT) {
    throw new EngineError(
      "EXPORT_TOO_LARGE",
      `the export has ${file.length} characters, at most ${MAX_EXPORT} are read`,
    );
  }
  return {
    file,
    apps: contents.apps.map(({ appId }) => appId),
    links: contents.links.length,
    sealed: sealed !== null,
    leftOut: found.flatMap(({ appId, collected }): LeftOutApp[] =>
      collected === null
        ? [{ appId, code: "EXPORT_APP_UNKNOWN", message: `nobody knows what "${appId}" was set up with` }]
        : [],
    ),
  };
}

/** The links that are connected now, one entry per hook. */
function listLinks({ store, view }: MethodDeps, installed: ReadonlySet<string>): readonly ExportedLink[] {
  const declared = [...view().index.declared.values()].flat().filter(({ appId }) => installed.has(appId));
  return declared.flatMap(({ appId, hook, targets }) => {
    const linked = targets.filter(
      (target) => installed.has(target) && findLinkState(store, appId, hook.id, target) === "linked",
    );
    return linked.length === 0 ? [] : [{ runsOnAppId: appId, hookId: hook.id, targets: linked }];
  });
}
