import type { AppStartEvent, LifecycleEvent, LifecycleInput } from "../lifecycle/context.ts";

/** What an upgrade is started with; JSON, no secrets. */
export type UpgradeInput = Required<Omit<LifecycleInput, "waitsForTurn">>;

/** What can come to an upgrade. */
export type UpgradeEvent = LifecycleEvent | AppStartEvent;
