import type { Condition, FileTarget, HookTrigger, Surface } from "../script/dictionary.ts";

/** The app ids a hook's conditions name, without the declaring app, in the order first named (docs/install-scripts.md, "Pairings: links between apps"). */
export function listForeignApps(appId: string, conditions: readonly Condition[]): readonly string[] {
  const apps = new Set<string>();
  for (const { app } of conditions) if (app !== undefined && app !== appId) apps.add(app);
  return [...apps];
}

/** The part of a hook that decides its surfaces. */
export interface SurfaceSource {
  readonly triggers: readonly HookTrigger[];
  readonly conditions: readonly Condition[];
  readonly target?: FileTarget;
  /** `surfaces` as declared, if it was. */
  readonly declared?: readonly Surface[];
}

/** The surfaces a hook appears on: the declared ones, else derived; none without a `userAction` (docs/install-scripts.md, "Surfaces"). */
export function deriveSurfaces(appId: string, hook: SurfaceSource): readonly Surface[] {
  if (!hook.triggers.some(({ event }) => event === "userAction")) return [];
  if (hook.declared !== undefined) return [...new Set(hook.declared)];
  if (hook.target !== undefined) return ["fileBrowser"];
  if (listForeignApps(appId, hook.conditions).length > 0) return ["installPicker", "card", "widget"];
  return ["card", "widget"];
}
