import type { AppStartEvent, LifecycleEvent, LifecycleInput, ParentEvent } from "../lifecycle/context.ts";

/** JSON without secrets: it is kept in the event log. */
export type UpgradeInput = Required<
  Pick<LifecycleInput, "appId" | "title" | "marks" | "children" | "runningDeadlineMs">
> &
  Pick<LifecycleInput, "waitsForTurn" | "byValues" | "isPackage" | "from" | "to">;

export type UpgradeEvent =
  | LifecycleEvent
  | AppStartEvent
  | ParentEvent
  | { readonly type: "user.skip" | "user.rollback" };
