import type { AppStartEvent, LifecycleEvent, LifecycleInput, ParentEvent } from "../lifecycle/context.ts";

/** JSON without secrets: it is kept in the event log. */
export type InstallInput = Required<
  Pick<LifecycleInput, "appId" | "title" | "marks" | "children" | "waitsForTurn" | "runningDeadlineMs">
> &
  Pick<LifecycleInput, "isImported">;

export type InstallEvent = LifecycleEvent | AppStartEvent | ParentEvent;
