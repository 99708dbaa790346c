import type { HostFacts } from "../plan/host-facts.ts";
import type { Dictionary, Hook, Surface } from "../script/dictionary.ts";
import { hasEnded } from "../task-states.ts";
import { type Availability, evaluateConditions, explainHidden } from "./conditions.ts";
import { explainMismatch, matchTargetFiles, type PathMapping, type TargetFile } from "./file-targets.ts";
import { type EarlierRun, isRerunBlocked, RERUN_REFUSED, toTargetKey } from "./reruns.ts";

/** The host and the selection as they are when a hook is to be pressed. */
export interface ActionContext {
  readonly apps: HostFacts["apps"];
  /** Live mounts of the hook's app. */
  readonly mounts: readonly PathMapping[];
  /** Host paths of the selected files, normalised and each once; empty off the file browser. */
  readonly selection: readonly string[];
  /** Why no hook may have a selected file, by its path. */
  readonly fileFaults?: Readonly<Record<string, string>>;
  /** Why no action of the app can be run now; null where nothing is at work on it. */
  readonly busy: string | null;
  /** Earlier and unfinished runs of a hook. */
  readonly runs: (hookId: string) => readonly EarlierRun[];
}

/** A hook's standing on one surface; enabled ones carry the files a run would get. */
export type ActionStanding =
  | Extract<Availability, { state: "hidden" | "disabled" }>
  | { readonly state: "enabled"; readonly files: readonly TargetFile[] };

/** The user-triggerable hooks of an app on one surface, in declaration order, with how each stands. */
export function listActionsOn(
  dictionary: Dictionary,
  surface: Surface,
  context: ActionContext,
): readonly { readonly hook: Hook; readonly standing: ActionStanding }[] {
  return dictionary.hooks
    .filter(({ surfaces }) => surfaces.includes(surface))
    .map((hook) => ({ hook, standing: checkAction(dictionary.appId, hook, context) }));
}

/** The files of a selection that are a run's target: none for a hook without one, whatever is selected. */
export function selectTargetFiles({ target }: Hook, selection: readonly string[]): readonly string[] {
  return target === undefined ? [] : selection;
}

/** Why a hook is not enabled: for who asks for it all the same, also where it is hidden. */
export function explainRefusal(hook: Hook, standing: ActionStanding, context: ActionContext): string | null {
  if (standing.state === "enabled") return null;
  if (standing.state === "disabled") return standing.reason;
  const byFiles = hook.target === undefined ? null : explainMismatch(hook.target, context.selection);
  return explainHidden(hook.conditions, context.apps) ?? byFiles ?? "it is hidden";
}

/** Hidden, disabled with a reason, or enabled: conditions first, then files, then earlier runs (docs/install-scripts.md, "Fields that go together"). */
export function checkAction(appId: string, hook: Hook, context: ActionContext): ActionStanding {
  const availability = evaluateConditions(hook.conditions, context.apps);
  if (availability.state === "hidden") return availability;
  const files =
    hook.target === undefined
      ? ({ state: "enabled", files: [] } as const)
      : matchTargetFiles(hook.target, context.selection, context.mounts, context.fileFaults);
  if (files.state === "hidden") return files;
  if (availability.state === "disabled") return availability;
  if (!Object.hasOwn(context.apps, appId)) return { state: "disabled", reason: `"${appId}" is not installed` };
  if (files.state === "disabled") return files;
  if (context.busy !== null) return { state: "disabled", reason: context.busy };
  const target = toTargetKey(selectTargetFiles(hook, context.selection));
  const runs = context.runs(hook.id);
  if (runs.some((run) => run.target === target && !hasEnded(run.state))) {
    return { state: "disabled", reason: "it is running" };
  }
  if (isRerunBlocked(hook, target, runs)) {
    return { state: "disabled", reason: RERUN_REFUSED };
  }
  return files;
}
