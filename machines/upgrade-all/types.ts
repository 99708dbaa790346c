import type { ChildNews, LifecycleInput } from "../lifecycle/context.ts";

/** JSON without secrets: it is kept in the event log. `appId` is empty: it is about no app. */
export type UpgradeAllInput = Required<Pick<LifecycleInput, "appId" | "title" | "marks" | "children">> &
  Pick<LifecycleInput, "stopsOnFailure">;

export type UpgradeAllEvent = ChildNews | { readonly type: "user.cancel" };
