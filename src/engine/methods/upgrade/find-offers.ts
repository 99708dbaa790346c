import { EngineError } from "../../../core/codes/problems.ts";
import { isHostAway } from "../../host-error.ts";
import type { HostApp } from "../../ports/host-records.ts";
import type { MethodDeps } from "../deps.ts";
import { findUpgrade, upgradeScript, type Versions } from "./find-upgrade.ts";
import { mayHaveUpgrade } from "./find-upgrades.ts";

/** By id of an installed app where its upgrade leads; `unknown` where that could not be found out. */
export type Offers = ReadonlyMap<string, Versions | "none" | "unknown">;

/** Asks the host where the upgrades of installed apps lead. Rejects where it is away. */
export async function findOffers(deps: MethodDeps, isWanted: (appId: string) => boolean): Promise<Offers> {
  const offers = new Map<string, Versions | "none" | "unknown">();
  for (const app of await deps.host.apps()) {
    if (isWanted(app.appId)) offers.set(app.appId, mayHaveUpgrade(deps, app) ? await findOffer(deps, app) : "none");
  }
  return offers;
}

async function findOffer(deps: MethodDeps, app: HostApp): Promise<Versions | "none" | "unknown"> {
  try {
    return (await findUpgrade(deps, upgradeScript(deps, app.appId), app)).versions;
  } catch (error) {
    if (isHostAway(error)) throw error;
    return error instanceof EngineError && error.code === "HOST_UPGRADE_NONE" ? "none" : "unknown";
  }
}
