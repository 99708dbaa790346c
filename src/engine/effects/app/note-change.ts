import type { JsonObject } from "../../../core/json/json.ts";
import type { Store } from "../../ports/store.ts";
import type { EffectHandler, MachineEvent } from "../../runtime/effect.ts";
import { readTextParam } from "./params.ts";

/** The setting of an app that names the effect that changed it last. */
const CHANGED_BY = "changedBy";

/** The id of the effect that changed an app last, or may have; null where none of this engine did. */
export function readChangedBy(store: Pick<Store, "setting">, appId: string): string | null {
  const effectId = store.setting(appId, CHANGED_BY);
  return typeof effectId === "string" ? effectId : null;
}

export interface NoteDeps {
  readonly store: Pick<Store, "setting" | "keepSettings">;
  /** Told before a task's effect is noted, while another one is. */
  readonly beforeChange: (appId: string, taskId: string) => void;
}

/** An effect that changes an app: it is noted before, and taken back where the host has refused it all. */
export function noteChange({ store, beforeChange }: NoteDeps, handler: EffectHandler): EffectHandler {
  return {
    ...handler,
    async perform(params: JsonObject, run) {
      const appId = readTextParam(params, "appId");
      const before = readChangedBy(store, appId);
      if (before !== run.effectId) {
        beforeChange(appId, run.taskId);
        store.keepSettings(appId, { [CHANGED_BY]: run.effectId });
      }
      const event = await handler.perform(params, run);
      if (isUnchanged(event) && !run.signal.aborted) store.keepSettings(appId, { [CHANGED_BY]: before });
      return event;
    },
  };
}

function isUnchanged({ type, done }: MachineEvent): boolean {
  return type === "host.failed" && done !== true && done !== "unknown";
}
