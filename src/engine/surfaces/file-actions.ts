import { listActionsOn } from "../../core/hooks/actions.ts";
import type { AppAction } from "../api.ts";
import { findApp } from "../find-app.ts";
import type { Host } from "../ports/host.ts";
import type { Store } from "../ports/store.ts";
import { listEffectiveRuns } from "../runtime/claims.ts";
import { showAction } from "./action-view.ts";
import type { AppLabels } from "./app-labels.ts";
import type { CatalogView } from "./catalog-view.ts";
import { HOST_ANSWER_MS, type HostAnswers } from "./host-answers.ts";
import { explainBusy } from "./lifecycle-entries.ts";
import { readSelection } from "./read-selection.ts";

export interface FileActionDeps {
  readonly answers: Pick<HostAnswers, "facts" | "apps">;
  readonly host: Pick<Host, "stat">;
  readonly store: Pick<Store, "runs" | "task" | "setting" | "holder">;
  readonly labels: AppLabels;
  readonly view: CatalogView;
}

/** Lists what the installed apps can do with the selected files, by app id; actions that do not take them are left out. */
export async function listFileActions(
  { answers, host, store, labels, view }: FileActionDeps,
  selection: readonly string[],
): Promise<readonly AppAction[]> {
  const [facts, apps] = await Promise.all([answers.facts(HOST_ANSWER_MS), answers.apps(HOST_ANSWER_MS)]);
  const { paths, faults } = await readSelection(host, selection, apps.value, facts.value);
  const found: AppAction[] = [];
  for (const { appId, dictionary } of view.apps.values()) {
    const app = findApp(apps.value, appId);
    if (dictionary === null || app === null) continue;
    const hooks = dictionary.hooks.filter(({ target }) => target !== undefined);
    const actions = listActionsOn({ ...dictionary, hooks }, "fileBrowser", {
      apps: facts.value.apps,
      mounts: app.mounts,
      selection: paths,
      fileFaults: faults,
      busy: explainBusy(store, appId),
      runs: (hookId) => listEffectiveRuns(store, appId, hookId),
    }).flatMap(showAction);
    if (actions.length === 0) continue;
    const label = await labels.of(appId, view);
    for (const action of actions) found.push({ ...action, app: label });
  }
  return found;
}
