import type { EffectHandler } from "../../runtime/effect.ts";
import { catchRefusal } from "../failures.ts";

/** An effect on an app that fails with what the host refuses it before its work was sent (host-job.ts knows of the rest). */
export function endWhenRefused(handler: EffectHandler): EffectHandler {
  return {
    ...handler,
    perform: (params, run) =>
      catchRefusal(
        run.signal,
        () => handler.perform(params, run),
        (failure) => ({ type: "host.failed", failure }),
      ),
  };
}
