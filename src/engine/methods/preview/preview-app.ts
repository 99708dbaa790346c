import { fires, INSTALL_EVENTS } from "../../../core/hooks/hook-selection.ts";
import { toJsonObject } from "../../../core/json/json.ts";
import type { PlannedHook } from "../../../core/plan/plan.ts";
import type { ResolvedPlan } from "../../../core/plan/resolve-plan.ts";
import { createMask, type Mask, maskJson } from "../../../core/report/mask.ts";
import type { Dictionary } from "../../../core/script/dictionary.ts";
import type { DialogMode, MissingParts, PreviewedApp } from "../../api.ts";
import type { MethodDeps } from "../deps.ts";
import type { Refusals } from "./preview-refusals.ts";

interface Drafted {
  readonly dictionary: Dictionary;
  readonly mode: DialogMode;
  readonly draft: ResolvedPlan;
  readonly hooks: PreviewedApp["hooks"];
}

/** The effect of a drafted plan on its app, secrets masked. */
export async function previewApp(
  deps: Pick<MethodDeps, "labels" | "view">,
  { dictionary, mode, draft: { draft, requirements, secrets, secretPlaces }, hooks }: Drafted,
): Promise<PreviewedApp> {
  const mask = createMask(secrets);
  const missing = countMissing(dictionary, hooks);
  return {
    ...(await deps.labels.of(dictionary.appId, deps.view())),
    mode,
    appValues: toJsonObject(Object(maskJson(draft.appValues, mask, secretPlaces))),
    directories: draft.directories.map((directory) => maskDirectory(directory, mask)),
    hooks,
    requirements,
    ...(missing !== null && { missing }),
  };
}

/** Counts what an error drops, and the hooks that would run but do not compile. */
function countMissing({ dropped }: Dictionary, hooks: PreviewedApp["hooks"]): MissingParts | null {
  const parts = dropped?.hooks ?? [];
  const connections = parts.filter(({ connects }) => connects).length;
  const uncompiled = new Set(hooks.filter((hook) => fires(hook) && !hook.fires).map(({ id }) => id));
  const steps = parts.length - connections + uncompiled.size;
  const widgets = dropped?.widgets ?? 0;
  return steps + connections + widgets === 0 ? null : { steps, connections, widgets };
}

/** The hooks of an install with what they are called and whether they run, in the order they run. */
export function previewHooks(
  { appId, hooks }: Dictionary,
  planned: readonly PlannedHook[],
  canRun: Refusals["canRun"],
): PreviewedApp["hooks"] {
  const titles = new Map(hooks.map(({ id, title }) => [id, title]));
  return INSTALL_EVENTS.flatMap((event) => planned.filter((hook) => hook.event === event)).map((hook) => ({
    ...hook,
    title: titles.get(hook.id) ?? hook.id,
    fires: fires(hook) && canRun(appId, hook.id),
  }));
}

function maskDirectory(
  { path, owner, snapshot, ...directory }: PreviewedApp["directories"][number],
  mask: Mask,
): PreviewedApp["directories"][number] {
  return {
    ...directory,
    path: path === null ? null : mask(path),
    ...(owner && {
      owner: { user: mask(owner.user), ...(owner.group !== undefined && { group: mask(owner.group) }) },
    }),
    ...(snapshot && { snapshot: { id: mask(snapshot.id) } }),
  };
}
