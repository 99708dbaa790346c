/** What the engine keeps of an app, to be compared with what the host says. */
import { listConverted } from "../../core/app-values/kept-values.ts";
import type { BelievedApp, LostLink } from "../../core/drift/drift-types.ts";
import { listPairings } from "../../core/hooks/pairings.ts";
import type { StoredApp } from "../stored-plan.ts";
import type { CatalogView } from "../surfaces/catalog-view.ts";
import { findLinkState } from "../surfaces/pairings.ts";
import { listAppSecrets } from "../vault/app-secrets.ts";
import { type LeftStore, readLeftApp } from "./left-app.ts";

/** An app as it was left, and the locations its directories lie in. */
export interface Believed extends BelievedApp {
  readonly locations: StoredApp["locations"];
}

/** null where nothing is known for sure. */
export function believeApp(
  store: LeftStore,
  view: CatalogView,
  appId: string,
  isInstalled: (appId: string) => boolean,
): Believed | null {
  const left = readLeftApp(store, appId);
  const app = left?.plan.apps[appId];
  if (left === null || app === undefined) return null;
  const { rollback, directories } = app;
  const dictionary = view.apps.get(appId)?.dictionary ?? null;
  const questions = dictionary?.questions ?? [];
  return {
    appId,
    instance: app.instance,
    version: app.custom ? null : (rollback?.app?.version ?? app.toVersion ?? app.version ?? null),
    values: rollback?.app?.values ?? listConverted(app.appValues, app.keptValues ?? app.appValues),
    origins: rollback?.app === undefined ? (app.origins ?? null) : null,
    openQuestions: new Set(questions.filter(({ type }) => type !== "password").map(({ key }) => key)),
    secrets: [...new Set([...left.plan.secrets, ...listAppSecrets(store, appId, dictionary)])],
    directories: directories.map(({ path, root, owner, share }) => {
      return { path, root, ...(owner !== undefined && { owner }), shared: share && left.shared.includes(path) };
    }),
    locations: app.locations,
    lostLinks: listLostLinks(store, view, appId, isInstalled),
  };
}

function listLostLinks(
  store: LeftStore,
  { index }: CatalogView,
  appId: string,
  isInstalled: (appId: string) => boolean,
): LostLink[] {
  const outgoing = listPairings(index, appId).filter(({ direction }) => direction === "outgoing");
  return outgoing.flatMap(({ pairing: { hook }, targets }) =>
    targets
      .filter((target) => isInstalled(target) && findLinkState(store, appId, hook.id, target) === "lost")
      .map((target) => ({ hookId: hook.id, target })),
  );
}
