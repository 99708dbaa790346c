import type {
  AppStartEvent,
  LifecycleEvent,
  LifecycleInput,
  OfUpgrade,
  RemovalOrRollback,
} from "../lifecycle/context.ts";

/** JSON without secrets: it is kept in the event log. */
export type InstallInput = Required<Omit<LifecycleInput, OfUpgrade | RemovalOrRollback>>;

export type InstallEvent =
  | LifecycleEvent
  | AppStartEvent
  | { readonly type: "parent.start" }
  | { readonly type: "parent.cancel" };
