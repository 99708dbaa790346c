import type {
  AppStartEvent,
  LifecycleEvent,
  LifecycleInput,
  OfUpgrade,
  RemovalOrRollback,
} from "../lifecycle/context.ts";

/** JSON without secrets: it is kept in the event log. */
export type UpgradeInput = Required<Omit<LifecycleInput, "waitsForTurn" | OfUpgrade | RemovalOrRollback>> &
  Pick<LifecycleInput, OfUpgrade>;

export type UpgradeEvent = LifecycleEvent | AppStartEvent | { readonly type: "user.skip" | "user.rollback" };
