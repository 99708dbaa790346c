import type { RollbackPlan, StoredPlan } from "../../stored-plan.ts";

/** The plan of an installed app with what it is rolled back to; what was secret then is in it already. */
export function addRollback(plan: StoredPlan, appId: string, rollback: RollbackPlan): StoredPlan {
  const app = plan.apps[appId];
  return app === undefined ? plan : { ...plan, apps: { ...plan.apps, [appId]: { ...app, rollback } } };
}
