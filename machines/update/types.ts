import type { LifecycleEvent, LifecycleInput } from "../lifecycle/context.ts";

/** JSON without secrets: it is kept in the event log. */
export type UpdateInput = Pick<LifecycleInput, "appId" | "title" | "marks">;

export type UpdateEvent = LifecycleEvent;
