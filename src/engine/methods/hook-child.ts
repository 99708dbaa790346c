import type { HookTaskInput } from "../../../machines/hook-task/types.ts";
import type { PlannedChild } from "../../../machines/lifecycle/planned-child.ts";
import { toJsonObject } from "../../core/json/json.ts";
import type { Hook, LifecycleEvent } from "../../core/script/dictionary.ts";
import type { Timing } from "../runtime/timing.ts";

/** The input of a hook task, for any of its firings (docs/install-scripts.md, "Tasks of hooks"; docs/decisions.md, section 3). */
export function buildHookTaskInput(
  appId: string,
  hook: Hook,
  event: LifecycleEvent | "userAction",
  kind: "hook" | "link",
  timing: Timing,
): HookTaskInput {
  const isLifecycle = event !== "userAction";
  const skips = hook.optional && isLifecycle;
  return {
    appId,
    hookId: hook.id,
    event,
    title: hook.title,
    runningTitle: hook.description ?? hook.title,
    waitsForTurn: isLifecycle || kind === "link",
    kind,
    // A press is judged where it is taken, a link while it waits for its apps.
    conditional: isLifecycle && hook.conditions.length > 0,
    onFailure: kind === "link" ? "fail" : skips ? "skip" : "ask",
    onInputTimeout: skips && hook.dialect === 6 ? "skip" : "stay",
    requiredBefore: !hook.optional && (event === "onBeforeInstall" || event === "onBeforeUpgrade"),
    retries: hook.retries,
    timeoutMs: hook.timeout * 1000,
    inputDeadlineMs: timing.inputDeadline,
  };
}

/** A lifecycle hook as its parent plans it. */
export function planHookChild(appId: string, hook: Hook, event: LifecycleEvent, timing: Timing): PlannedChild {
  return {
    id: hook.id,
    phase: event,
    machine: "hook-task",
    kind: "hook",
    appId,
    hookId: hook.id,
    input: toJsonObject(buildHookTaskInput(appId, hook, event, "hook", timing)),
  };
}
