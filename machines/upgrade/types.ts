import type { AppStartEvent, LifecycleEvent, LifecycleInput } from "../lifecycle/context.ts";

/** JSON without secrets: it is kept in the event log. */
export type UpgradeInput = Required<Omit<LifecycleInput, "waitsForTurn" | "byValues" | "removes" | "keepsAnswers">> &
  Pick<LifecycleInput, "byValues">;

export type UpgradeEvent = LifecycleEvent | AppStartEvent;
