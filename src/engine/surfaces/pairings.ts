import { type DeclaredPairing, listPairings } from "../../core/hooks/pairings.ts";
import type { PairingRecord, PairingStatus, PairingsBody, PairingTarget } from "../api.ts";
import type { Store } from "../ports/store.ts";
import { isUndone } from "../runtime/installations.ts";
import type { AppLabels } from "./app-labels.ts";
import type { CatalogView } from "./catalog-view.ts";

/** Bodies kept at once: ids that name no app are kept too, and anybody can ask for any. */
const KEPT_LIMIT = 20_000;

/** The pairings of one app as `GET /api/apps/{appId}/pairings` serves them (docs/decisions.md, section 7). */
export type PairingReader = (appId: string) => Promise<PairingsBody>;

/** A pairing as it is served; fields the hook has not are absent (docs/decisions.md, section 7). */
export function toPairingRecord({ appId, hook }: DeclaredPairing, targets: readonly PairingTarget[]): PairingRecord {
  return {
    targets,
    runsOnAppId: appId,
    hookId: hook.id,
    title: hook.title,
    ...(hook.description !== undefined && { description: hook.description }),
    ...(hook.kind !== undefined && { kind: hook.kind }),
  };
}

/**
 * Reads pairing records. The same object is returned until the catalog or a label changes, so that a body made of it
 * can be kept.
 */
export function createPairingReader(view: () => CatalogView, labels: AppLabels): PairingReader {
  let kept = new Map<string, Promise<PairingsBody>>();
  let keptOf: CatalogView | null = null;
  let keptRevision = -1;

  async function read(appId: string, current: CatalogView): Promise<PairingsBody> {
    const pairings = await Promise.all(
      listPairings(current.index, appId).map(async ({ pairing, targets }) =>
        toPairingRecord(pairing, await Promise.all(targets.map((target) => labels.of(target, current)))),
      ),
    );
    return { appId, pairings };
  }

  return (appId) => {
    const current = view();
    const { revision } = labels;
    if (current !== keptOf || revision !== keptRevision || kept.size >= KEPT_LIMIT) {
      kept = new Map();
      keptOf = current;
      keptRevision = revision;
    }
    const found = kept.get(appId);
    if (found !== undefined) return found;
    const body = read(appId, current);
    kept.set(appId, body);
    return body;
  };
}

/**
 * The Pairings panel: connected when the hook's last run completed after the last install of both apps
 * (docs/decisions.md, section 7), and no rollback of one of them has undone it.
 */
export async function listPairingStatuses(
  appId: string,
  current: CatalogView,
  labels: AppLabels,
  installed: (appId: string) => boolean,
  store: Pick<Store, "runs" | "setting">,
): Promise<readonly PairingStatus[]> {
  const rows = listPairings(current.index, appId).flatMap(({ pairing, targets, direction }) =>
    targets.map(async (target): Promise<PairingStatus> => {
      const { hook } = pairing;
      const other = direction === "outgoing" ? target : appId;
      const state = installed(target) ? findLinkState(store, pairing.appId, hook.id, other) : "none";
      return {
        hookId: hook.id,
        runsOnAppId: pairing.appId,
        title: hook.title,
        target: await labels.of(target, current),
        status: state === "linked" ? "connected" : installed(target) ? "installed" : "not installed",
        ...(state === "lost" && { connectAgain: true }),
      };
    }),
  );
  return Promise.all(rows);
}

/** A run that has not come to its end says nothing yet. */
const UNDECIDED: readonly string[] = ["PENDING", "RUNNING", "AWAITING_INPUT"];

/**
 * Whether a hook has linked two apps: `lost` where one of them was installed anew since, or a rollback has undone it.
 */
export function findLinkState(
  store: Pick<Store, "runs" | "setting">,
  declaring: string,
  hookId: string,
  other: string,
): "linked" | "lost" | "none" {
  const last = store.runs(declaring, hookId).find(({ state }) => !UNDECIDED.includes(state));
  if (last === undefined || last.state !== "COMPLETED") return "none";
  let state: "linked" | "lost" = "linked";
  for (const app of [declaring, other]) {
    const installs = store.runs(app).filter(({ kind, state }) => kind === "install" && state === "COMPLETED");
    const isNew = (installs[0]?.created ?? 0) >= last.updated;
    // One that came later than the link was not linked by it; the app of the hook was there.
    if (isNew && app === other && !installs.some(({ created }) => created < last.updated)) return "none";
    if (isNew || isUndone(store, app, last.updated)) state = "lost";
  }
  return state;
}
