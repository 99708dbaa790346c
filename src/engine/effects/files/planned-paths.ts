import type { Store } from "../../ports/store.ts";
import { StoredPlanSchema } from "../../stored-plan-schema.ts";
import { type AppPaths, listPathTexts } from "./app-paths.ts";

/** The apps that tasks under way are to make or change, but for this one, with the paths these tasks were planned with. */
export function listPlannedPaths(store: Pick<Store, "unfinished" | "plan">, appId: string): readonly AppPaths[] {
  const roots = new Set(store.unfinished().map(({ root }) => root));
  return [...roots].flatMap((root): AppPaths[] => {
    const plan = StoredPlanSchema.safeParse(store.plan(root));
    const apps = Object.values(plan.data?.apps ?? {}).filter((app) => app.appId !== appId);
    return apps.map(({ instance, appId, title, directories, appValues }) => ({
      name: instance,
      appId,
      title,
      paths: directories.filter(({ root }) => !root).map(({ path }) => path),
      texts: listPathTexts(appValues),
    }));
  });
}
