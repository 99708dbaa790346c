import type { Form, UpgradeRequest } from "../../api.ts";
import type { MethodDeps } from "../deps.ts";
import { previewMove } from "../preview/preview-upgrade.ts";

/** The rows of a dialog that has none. */
export const NO_ROWS = { consents: [], links: [], collapsed: [], request: {} } as const satisfies Partial<Form>;

/**
 * The upgrade dialog as data: it asks nothing before the upgrade begins, a hook asks when its turn comes, and it says where
 * the upgrade leads, what it changes, and what it would be refused for.
 */
export async function buildUpgradeForm(deps: MethodDeps, appId: string, chosen: UpgradeRequest): Promise<Form> {
  const { preview, revision } = await previewMove(deps, appId, chosen);
  const { upgrade, hooks, problems, advice, lastKnown, differences, answerDifferences } = preview;
  return {
    appId,
    mode: "upgrade",
    steps: [],
    ...NO_ROWS,
    ...(revision !== undefined && { request: { revision } }),
    ...(upgrade && { upgrade: { ...upgrade, hooks: hooks.map(({ fires: _, ...hook }) => hook) } }),
    problems: problems.filter(({ severity }) => severity === "error"),
    advice,
    ...(lastKnown && { lastKnown }),
    ...(differences && { differences }),
    ...(answerDifferences && { answerDifferences }),
  };
}
