import { fires } from "../../../core/hooks/hook-selection.ts";
import type { PlanMode, PlannedHook } from "../../../core/plan/plan.ts";
import type { Dictionary } from "../../../core/script/dictionary.ts";
import type { Preview } from "../../api.ts";
import { INSTALL_EVENTS } from "../missed-hooks.ts";

/** The hooks of an install with what they are called and whether they run, in the order they run; an update runs none. */
export function previewHooks({ hooks }: Dictionary, planned: readonly PlannedHook[], mode: PlanMode): Preview["hooks"] {
  if (mode === "options") return [];
  const titles = new Map(hooks.map(({ id, title }) => [id, title]));
  return INSTALL_EVENTS.flatMap((event) => planned.filter((hook) => hook.event === event)).map((hook) => ({
    ...hook,
    title: titles.get(hook.id) ?? hook.id,
    fires: fires(hook),
  }));
}
