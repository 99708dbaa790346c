import type { LifecycleEvent, LifecycleInput } from "../lifecycle/context.ts";

/** JSON without secrets: it is kept in the event log. */
export type AdoptInput = Pick<LifecycleInput, "appId" | "title" | "marks">;

export type AdoptEvent = LifecycleEvent;
