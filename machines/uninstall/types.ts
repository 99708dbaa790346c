import type { LifecycleEvent, LifecycleInput } from "../lifecycle/context.ts";

/** JSON without secrets: it is kept in the event log. Without `removes` the app's data is kept. */
export type UninstallInput = Pick<LifecycleInput, "appId" | "title" | "marks" | "removes" | "keepsAnswers">;

export type UninstallEvent = LifecycleEvent;
