import type { AppStartEvent, LifecycleEvent, LifecycleInput } from "../lifecycle/context.ts";

/** What an install is started with; JSON, no secrets. */
export type InstallInput = Required<LifecycleInput>;

/** What can come to an install. */
export type InstallEvent =
  | LifecycleEvent
  | AppStartEvent
  | { readonly type: "parent.start" }
  | { readonly type: "parent.cancel" };
