import type { LifecycleEvent, LifecycleInput } from "../lifecycle/context.ts";

/** What an update is started with; JSON, no secrets. */
export type UpdateInput = Pick<LifecycleInput, "appId" | "title" | "marks">;

/** What can come to an update. */
export type UpdateEvent = LifecycleEvent;
