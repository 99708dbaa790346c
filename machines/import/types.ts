import type { ChildNews, EngineNews, LifecycleInput } from "../lifecycle/context.ts";

/** JSON without secrets: it is kept in the event log. `appId` is empty: it is about no app. */
export type ImportInput = Required<Pick<LifecycleInput, "appId" | "title" | "marks" | "children">> &
  Pick<LifecycleInput, "policies">;

export type ImportEvent =
  | ChildNews
  | EngineNews
  | { readonly type: "policies.kept" }
  | { readonly type: "user.cancel" };
