import type { AppStartEvent, LifecycleEvent, LifecycleInput } from "../lifecycle/context.ts";

/** JSON without secrets: it is kept in the event log. */
export type StartInput = Pick<LifecycleInput, "appId" | "title" | "marks"> &
  Required<Pick<LifecycleInput, "runningDeadlineMs">>;

export type StartEvent = LifecycleEvent | AppStartEvent;
