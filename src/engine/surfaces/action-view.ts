import type { ActionStanding } from "../../core/hooks/actions.ts";
import type { Hook } from "../../core/script/dictionary.ts";
import type { ActionEntry } from "../api.ts";

/** An action as a button; none where it is hidden. */
export function showAction({
  hook,
  standing,
}: {
  readonly hook: Hook;
  readonly standing: ActionStanding;
}): ActionEntry[] {
  if (standing.state === "hidden") return [];
  return [
    {
      hookId: hook.id,
      title: hook.title,
      ...(hook.description !== undefined && { description: hook.description }),
      ...(hook.kind !== undefined && { kind: hook.kind }),
      state: standing.state,
      ...(standing.state === "disabled" && { reason: standing.reason }),
    },
  ];
}
