import type { AppStartEvent, LifecycleEvent, LifecycleInput, RemovalOrRollback } from "../lifecycle/context.ts";

/** JSON without secrets: it is kept in the event log. */
export type UpgradeInput = Required<Omit<LifecycleInput, "waitsForTurn" | "byValues" | RemovalOrRollback>> &
  Pick<LifecycleInput, "byValues">;

export type UpgradeEvent = LifecycleEvent | AppStartEvent | { readonly type: "user.skip" | "user.rollback" };
