import type { SwitchResult } from "../../src/core/task/task-result.ts";
import type { StateValue } from "../state-value.ts";
import type { LifecycleContext } from "./context.ts";

/** The calls of a start, stop or restart, and what its end is called. */
interface Switch {
  /** In the order they are made. */
  readonly calls: readonly string[];
  /** By the last call that was made. */
  readonly ends: Readonly<Record<string, SwitchResult["app"]>>;
  readonly already: SwitchResult["app"];
  readonly not: SwitchResult["app"];
  /** The state that was waited for. */
  readonly wanted: string;
}

/** The result of a start, stop or restart. */
export function reportSwitch(value: StateValue, context: LifecycleContext, own: Switch): SwitchResult {
  const made = context.work.calls ?? [];
  const last = own.calls.findLast((call) => made.includes(call));
  const isDone = value === "COMPLETED";
  const end = last === undefined ? undefined : own.ends[last];
  return {
    app: context.app === "unknown" ? "unknown" : (end ?? (isDone ? own.already : own.not)),
    state: isDone ? own.wanted : context.appState,
    done: own.calls.filter((call) => made.includes(call)),
    notDone: isDone ? [] : own.calls.filter((call) => !made.includes(call)),
  };
}
