import { setImmediate as nextTick } from "node:timers/promises";
import { toJsonObject } from "../../core/json/json.ts";
import { isFinal } from "../../core/task-states.ts";
import type { Store } from "../ports/store.ts";
import type { StoredApp, StoredPlan } from "../stored-plan.ts";
import { StoredPlanSchema } from "../stored-plan-schema.ts";
import { listHeldSecrets } from "./held-secrets.ts";

type Trees = Pick<Store, "rootTrees" | "plan" | "redactTree">;

/** Trees that are looked at before other work has its turn. */
const PORTION = 10;

/**
 * Empties what the plans of an app's tasks hold of its answers, values and generated strings, in trees that have come to
 * their end; another one may be retried with its own. Begun anew it ends the same. Rejects when the signal aborts.
 */
export async function redactEndedTrees(store: Trees, appId: string, signal: AbortSignal): Promise<void> {
  for (let before: string | undefined; ; ) {
    await nextTick();
    signal.throwIfAborted();
    const trees = store.rootTrees({ limit: PORTION, ...(before !== undefined && { before }) });
    for (const tree of trees) {
      const isOver = tree.every(({ facts }) => isFinal(facts.state));
      if (isOver && tree.some((task) => task.appId === appId)) redactTree(store, tree[0].id, appId);
    }
    before = trees.at(-1)?.[0].id;
    if (before === undefined) return;
  }
}

/** Does the same to one tree, which needs none of it any more. */
export function redactTree(store: Omit<Trees, "rootTrees">, rootId: string, appId: string): void {
  const plan = StoredPlanSchema.safeParse(store.plan(rootId));
  if (plan.success) store.redactTree(rootId, toJsonObject(redactPlan(plan.data, appId)));
}

function redactPlan(plan: StoredPlan, appId: string): StoredPlan {
  const { [appId]: app, ...others } = plan.apps;
  // The defaults of its inputs may hold generated strings.
  const hooks = Object.fromEntries(Object.entries(plan.hooks).filter(([, hook]) => hook.appId !== appId));
  return {
    ...plan,
    apps: app === undefined ? others : { ...others, [appId]: redactApp(app) },
    hooks,
    // What the other apps keep is still masked.
    secrets: listHeldSecrets(plan.secrets, toJsonObject({ others, hooks })),
  };
}

/** What a rollback would bring back holds them too; it is over. */
function redactApp({ rollback: _, ...app }: StoredApp): StoredApp {
  return { ...app, appValues: {}, answers: {}, randoms: {} };
}
