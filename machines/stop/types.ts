import type { AppStopEvent, LifecycleEvent } from "../lifecycle/context.ts";
import type { StartInput } from "../start/types.ts";

/** As of a start; the deadline is that of the stop. */
export type StopInput = StartInput;

export type StopEvent = LifecycleEvent | AppStopEvent;
