import type { AppStartEvent, AppStopEvent, LifecycleEvent, LifecycleInput } from "../lifecycle/context.ts";

/** JSON without secrets: it is kept in the event log. */
export type RollbackInput = Pick<LifecycleInput, "appId" | "title" | "marks" | "reverts" | "restores"> &
  Required<Pick<LifecycleInput, "runningDeadlineMs">>;

export type RollbackEvent = LifecycleEvent | AppStartEvent | AppStopEvent;
