import { EngineError } from "../../../core/codes/problems.ts";
import { readMessage } from "../../../core/json/read-message.ts";
import { createCrashLoopFailure } from "../../../core/task/task-failures.ts";
import type { Logger } from "../../ports/environment.ts";
import type { Store } from "../../ports/store.ts";
import type { EffectRow, TaskRow, TimerRow } from "../../ports/store-rows.ts";
import type { Source } from "../../ports/turn-rows.ts";
import type { JournalAlong, MachineEvent, RuntimeEvent } from "../effect.ts";
import type { TurnCommitter } from "./commit-turns.ts";
import { noteSilence } from "./silence.ts";

/** An event of this process that waits for its turn; if it dies with the process, its effect is reconciled. */
export type Delivery =
  | { readonly kind: "ended"; readonly effect: EffectRow; readonly event: MachineEvent }
  | {
      readonly kind: "emitted";
      readonly effect: EffectRow;
      readonly event: MachineEvent;
      readonly along?: JournalAlong;
    }
  | { readonly kind: "silenced"; readonly effect: EffectRow; readonly isSilent: boolean }
  | { readonly kind: "broke"; readonly effect: EffectRow; readonly error: unknown }
  | { readonly kind: "due"; readonly timer: TimerRow }
  | { readonly kind: "looping"; readonly taskId: string };

export interface DeliveryDeps {
  readonly store: Pick<Store, "task" | "isOpen" | "timers" | "openEffects">;
  readonly logger: Logger;
  readonly turns: TurnCommitter;
}

/** Takes a delivery as a turn, or drops it where it no longer says anything. Throws a store's fault: take it again. */
export function takeDelivery(deps: DeliveryDeps, delivery: Delivery): void {
  const { turns } = deps;
  switch (delivery.kind) {
    case "ended":
      withOpenEffect(deps, delivery.effect, (row, source) => {
        turns.advance(row, { event: delivery.event, source, progress: true });
      });
      break;
    case "emitted":
      takeEmitted(deps, delivery);
      break;
    case "silenced":
      withOpenEffect(deps, delivery.effect, (row) => {
        turns.commit(noteSilence(turns.depsOf(row.root), row, delivery.isSilent ? delivery.effect.id : null));
      });
      break;
    case "broke":
      withOpenEffect(deps, delivery.effect, (row) => {
        const { effect, error } = delivery;
        const reason = readMessage(error);
        turns.quarantine(row, "TASK_QUARANTINED", `effect "${effect.name}" broke: ${reason}`, { type: "engine.broke" });
      });
      break;
    case "due":
      takeTimer(deps, delivery.timer);
      break;
    case "looping":
      takeCrashLoop(deps, delivery.taskId);
      break;
  }
}

/** A delivery that is never taken: what wanted to go along is told. */
export function dropDelivery(delivery: Delivery): void {
  if (delivery.kind === "emitted") delivery.along?.settled(false);
}

function takeEmitted(deps: DeliveryDeps, { effect, event, along }: Extract<Delivery, { kind: "emitted" }>): void {
  let committed = false;
  try {
    withOpenEffect(deps, effect, (row) => {
      const journal = along && { journal: along.write };
      committed = deps.turns.advance(row, { event, source: null, progress: false, ...journal });
    });
  } catch (error) {
    // an entry that does not go on its journal never will: its run is told and ends, and keeps nobody else waiting
    if (along === undefined || !(error instanceof EngineError && error.code === "STORE_FENCED")) throw error;
    deps.logger.error({ task: effect.taskId, effect: effect.id, code: error.code }, error.message);
  }
  along?.settled(committed);
}

/** A cancelled effect's result is dropped; a frozen task's effects stay open. */
function withOpenEffect(
  { store, logger }: DeliveryDeps,
  effect: EffectRow,
  take: (row: TaskRow, source: Source) => void,
): void {
  const row = store.task(effect.taskId);
  if (row === null || row.quarantine !== null) return;
  if (store.isOpen(effect.id)) take(row, { kind: "effect", id: effect.id });
  else logger.debug({ task: row.id, effect: effect.id }, "result of a cancelled effect dropped");
}

function takeTimer({ store, turns }: DeliveryDeps, { taskId, id, dueAt, event }: TimerRow): void {
  const row = store.task(taskId);
  const stored = store.timers(taskId).some((timer) => timer.id === id && timer.dueAt === dueAt);
  if (row === null || row.quarantine !== null || !stored) return;
  turns.advance(row, { event, source: { kind: "timer", taskId, id }, progress: false });
}

function takeCrashLoop({ store, turns }: DeliveryDeps, taskId: string): void {
  const row = store.task(taskId);
  if (row === null || row.quarantine !== null) return;
  const cancels = store.openEffects(taskId).map(({ id }) => id);
  // What changes the host was asked for before: it was not begun.
  const event = {
    type: "engine.failed",
    failure: createCrashLoopFailure(row.crashCount),
    done: false,
  } satisfies RuntimeEvent;
  turns.advance(row, { event, source: null, progress: true, cancels }, "TASK_CRASH_LOOP");
}
