import type { EffectHandler } from "../effect.ts";
import { refusal } from "./failures.ts";

/** An effect on an app that fails with what the host refuses it before its work was sent (host-job.ts knows of the rest). */
export function endsRefused(handler: EffectHandler): EffectHandler {
  return {
    ...handler,
    async perform(params, run) {
      try {
        return await handler.perform(params, run);
      } catch (error) {
        return { type: "host.app.failed", failure: refusal(error, run.signal), done: "unchanged" };
      }
    },
  };
}
