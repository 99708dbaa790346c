/**
 * What is done by itself in a database that was found to be an older copy: nothing that was under way in it. Its tasks
 * have gone on in the time that is lost, and what comes next in them may have been done.
 */
import { createEffectUnknownFailure } from "../../../core/task/task-failures.ts";
import { isFinal } from "../../../core/task-states.ts";
import type { Store } from "../../ports/store.ts";
import type { EffectRow, TaskRow } from "../../ports/store-rows.ts";
import type { EffectHandler, RuntimeEvent } from "../effect.ts";
import type { TurnLoop } from "../turn/turn-loop.ts";

/** Freezes the tasks that have mail, before it is taken: what it makes them do may have been done. */
export function freezeRecipients(store: Pick<Store, "nextMail" | "task">, loop: TurnLoop): void {
  for (let mail = store.nextMail(); mail !== null; mail = store.nextMail(mail.id)) {
    const row = store.task(mail.to);
    // One that has ended does nothing about its mail.
    if (row === null || isFinal(row.facts.state)) continue;
    const reason = "an older copy of the database was put back: nobody knows whether it has gone on since";
    loop.quarantine(row, "TASK_EFFECT_UNKNOWN", reason, { type: "engine.load" });
  }
}

/** Whether an open effect is left to a person: also one that may be repeated freely, for what its task does after it. */
export function isLeftToPerson(effect: EffectRow, handler: EffectHandler | undefined): boolean {
  return effect.isDoubtful === true && (handler?.class !== "local" || handler.reachesOthers === true);
}

/** Ends an effect with the question to a person. */
export function leaveToPerson(effect: EffectRow, row: TaskRow, loop: TurnLoop): void {
  const event = {
    type: "engine.failed",
    failure: createEffectUnknownFailure(row.hookId ?? effect.name),
    done: "unknown",
  } satisfies RuntimeEvent;
  const incoming = { event, source: { kind: "effect", id: effect.id }, progress: true } as const;
  loop.deliverRequired(row, incoming, "TASK_EFFECT_UNKNOWN");
}
