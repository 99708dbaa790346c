import { toJsonObject } from "../../core/json/json.ts";
import { isFinal } from "../../core/task-states.ts";
import type { Store } from "../ports/store.ts";
import type { StoredApp, StoredPlan } from "../stored-plan.ts";
import { StoredPlanSchema } from "../stored-plan-schema.ts";

/**
 * Empties what the plans of an app's tasks hold of its answers, values and generated strings: of trees that have come to
 * their end, and of the one under `rootId`, which needs none of them any more. Another one may be retried with its own.
 */
export function redactTrees(
  store: Pick<Store, "rootTrees" | "plan" | "redactTree">,
  appId: string,
  rootId: string,
): void {
  for (const tree of store.rootTrees()) {
    const [{ id }] = tree;
    const isOver = id === rootId || tree.every(({ facts }) => isFinal(facts.state));
    if (!isOver || !tree.some((task) => task.appId === appId)) continue;
    const plan = StoredPlanSchema.safeParse(store.plan(id));
    if (plan.success) store.redactTree(id, toJsonObject(redactPlan(plan.data, appId)));
  }
}

function redactPlan(plan: StoredPlan, appId: string): StoredPlan {
  const { [appId]: app, ...others } = plan.apps;
  return {
    ...plan,
    apps: app === undefined ? others : { ...others, [appId]: redactApp(app) },
    // The defaults of its inputs may hold generated strings.
    hooks: Object.fromEntries(Object.entries(plan.hooks).filter(([, hook]) => hook.appId !== appId)),
    secrets: [],
  };
}

/** What a rollback would bring back holds them too; it is over. */
function redactApp({ rollback: _, ...app }: StoredApp): StoredApp {
  return { ...app, appValues: {}, answers: {}, randoms: {} };
}
