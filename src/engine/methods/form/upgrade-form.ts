import type { Form, UpgradeRequest } from "../../api.ts";
import { suggestsValues } from "../../effects/app/with-values.ts";
import type { MethodDeps } from "../deps.ts";
import { previewMove } from "../preview/preview-upgrade.ts";

/** The rows of a dialog that has none. */
export const NO_ROWS = { consents: [], links: [], collapsed: [], request: {} } as const satisfies Partial<Form>;

/**
 * The upgrade dialog as data: it asks nothing before the upgrade begins, a hook asks when its turn comes, and it says where
 * the upgrade leads, what it changes, and what it would be refused for. If the new version is certain to refuse the app's
 * values, or the host has refused them, it is one with those of the script, if they are others: `request.withValues`.
 */
export async function buildUpgradeForm(deps: MethodDeps, appId: string, chosen: UpgradeRequest): Promise<Form> {
  const plain = await previewMove(deps, appId, chosen);
  const isRefused = chosen.withValues === undefined && (plain.isRefused || wasRefused(deps, appId));
  const offered = isRefused ? await previewMove(deps, appId, { ...chosen, withValues: true }) : null;
  const isOffered = offered !== null && !offered.isRefused && (offered.preview.differences ?? []).length > 0;
  const withValues = isOffered || chosen.withValues === true;
  const { preview, revision } = isOffered ? offered : plain;
  const { upgrade, hooks, problems, advice, lastKnown, differences, answerDifferences } = preview;
  return {
    appId,
    mode: "upgrade",
    steps: [],
    ...NO_ROWS,
    ...(revision !== undefined && { request: { revision, ...(withValues && { withValues }) } }),
    ...(upgrade && { upgrade: { ...upgrade, hooks: hooks.map(({ fires: _, ...hook }) => hook) } }),
    problems: problems.filter(({ severity }) => severity === "error"),
    advice,
    ...(lastKnown && { lastKnown }),
    ...(differences && { differences }),
    ...(answerDifferences && { answerDifferences }),
  };
}

/** Whether the last lifecycle of an app is an upgrade that failed since the host refused the values the app has. */
function wasRefused({ store }: Pick<MethodDeps, "store">, appId: string): boolean {
  const last = store.runs(appId).find(({ kind }) => kind !== "hook" && kind !== "link");
  const failure = last?.kind === "upgrade" ? store.task(last.taskId)?.facts.failure : undefined;
  return failure !== undefined && suggestsValues(failure);
}
