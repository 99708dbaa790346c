import type { EffectHandler } from "../effect.ts";
import { hostFailure } from "./failures.ts";

/**
 * An effect on an app that fails with what the host refuses it. A silent host is waited for inside (`patiently`), so what
 * comes out of `perform` is an answer: asking again would be for ever.
 */
export function endsRefused(handler: EffectHandler): EffectHandler {
  return {
    ...handler,
    async perform(params, run) {
      try {
        return await handler.perform(params, run);
      } catch (error) {
        run.signal.throwIfAborted();
        return { type: "host.app.failed", failure: hostFailure(error) };
      }
    },
  };
}
