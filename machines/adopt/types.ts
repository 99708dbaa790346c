import type { LifecycleEvent, LifecycleInput, ParentEvent } from "../lifecycle/context.ts";

/** JSON without secrets: it is kept in the event log. */
export type AdoptInput = Pick<LifecycleInput, "appId" | "title" | "marks" | "waitsForTurn">;

export type AdoptEvent = LifecycleEvent | ParentEvent;
