/** `reportError` and the global object as an event target (HTML standard, section 8.1.4.6). */
import { log } from "../web/console.ts";
import { ErrorEvent } from "../web/events/event-kinds.ts";
import { dispatchTrusted, EventTarget, exposeHandler, reportListenerErrorsTo } from "../web/events/event-target.ts";
import { describeError } from "../web/inspect.ts";

/** The target `addEventListener` on the global object adds to. */
export const globalTarget = new EventTarget();

/** Tells `error` listeners of the global object; an error nobody prevents is logged. It never ends the run. */
export function reportError(error: unknown): void {
  const message = error instanceof Error ? `Uncaught ${describeError(error)}` : "Uncaught exception";
  const event = new ErrorEvent("error", { message, error, cancelable: true });
  if (dispatchTrusted(globalTarget, event)) log(message);
}

reportListenerErrorsTo(reportError);
exposeHandler(globalTarget, "error");
exposeHandler(globalTarget, "unhandledrejection");
exposeHandler(globalTarget, "rejectionhandled");
