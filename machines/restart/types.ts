import type { AppStartEvent, AppStopEvent, LifecycleEvent } from "../lifecycle/context.ts";
import type { StartInput } from "../start/types.ts";

/** As of a start; the deadline counts for the stop and for the start anew. */
export type RestartInput = StartInput;

export type RestartEvent = LifecycleEvent | AppStartEvent | AppStopEvent;
