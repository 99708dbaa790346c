import type { Mount, NetworkPolicy } from "../../../../sandbox/contract.ts";
import type { JsonObject } from "../../../core/json/json.ts";
import { toUrlHost } from "../../../core/plan/url-host.ts";
import { findApp } from "../../find-app.ts";
import { createReach, findOwnPort } from "../../reachable-ports.ts";
import type { EffectRun } from "../../runtime/effect.ts";
import type { StoredHook } from "../../stored-plan.ts";
import { readCollectedInputs } from "../../vault/secrets.ts";
import type { EffectDeps } from "../deps.ts";
import { retryWhileUnreachable } from "../retry.ts";
import { mountsOf } from "./mounts.ts";

/** A script's context, and the mounts and addresses it may reach. */
export interface HookContext {
  readonly context: JsonObject;
  readonly mounts: readonly Mount[];
  readonly network: NetworkPolicy;
}

/** The data of a hook's context as the host is now (docs/hooks.md, "The hook context"; docs/decisions.md, section 5). */
export async function readHookContext(
  deps: EffectDeps,
  run: EffectRun,
  stored: StoredHook,
  event: string,
): Promise<HookContext> {
  const { host, store, clock } = deps;
  const { appId, files } = stored;
  const [facts, hostAddresses, apps] = await Promise.all([
    retryWhileUnreachable(deps, run, () => host.facts()),
    retryWhileUnreachable(deps, run, () => host.addresses()),
    retryWhileUnreachable(deps, run, () => host.apps()),
  ]);
  const { lanIp } = facts;
  const urlHost = toUrlHost(lanIp);
  const app = findApp(apps, appId);
  const mounts = mountsOf(host, facts, app);
  // the first the script requires counts only where the host has no word on it (docs/host-api.md, section 6, order 4)
  const [required] = stored.ports;
  const own = app === null ? undefined : findOwnPort(app, stored.ports, deps.vouchedPorts);
  const port = own ?? (app?.hostNetworkPorts ? undefined : required);
  const configPath = mounts.find(({ containerPath }) => containerPath === "/config")?.localPath;
  return {
    mounts,
    network: {
      lanIp,
      // Never a port the script names itself: `requirements.ports` says what it wishes, the host what it has.
      ...createReach(clock, { apps: () => host.apps(), appPorts: deps.appPorts }, appId),
      hostAddresses,
      // Third parties are for catalog apps; a custom app's script stays at home.
      internet: !stored.custom,
      readOnly: false,
    },
    context: {
      resourceType: "app",
      resourceId: appId,
      event,
      ...(stored.fromVersion !== undefined && { fromVersion: stored.fromVersion }),
      ...(stored.toVersion !== undefined && { toVersion: stored.toVersion }),
      host: urlHost,
      ...(port !== undefined && { port }),
      baseUrl: port === undefined ? "" : `http://${urlHost}:${port}`,
      inputs: readCollectedInputs(store, run.rootId, run.taskId),
      mounts: mounts.map(({ hostPath, containerPath, localPath }) => ({ hostPath, containerPath, localPath })),
      ...(configPath !== undefined && { configPath }),
      ...(files !== undefined && { target: { type: "files", files: files.map((file) => ({ ...file })) } }),
    },
  };
}

/** Where another app answers, or null: what `getInstalledAppUrl` tells. */
export async function installedAppUrl(
  deps: EffectDeps,
  run: Pick<EffectRun, "signal" | "setHostSilent">,
  appId: string,
): Promise<string | null> {
  const { host } = deps;
  const app = findApp(await retryWhileUnreachable(deps, run, () => host.apps()), appId);
  if (app?.port === undefined) return null;
  const { lanIp } = await retryWhileUnreachable(deps, run, () => host.facts());
  return `http://${toUrlHost(lanIp)}:${app.port}`;
}
