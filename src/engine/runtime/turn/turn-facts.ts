import { isDeepStrictEqual } from "node:util";
import type { AnyMachineSnapshot } from "xstate";
import { COMMANDS, type Command } from "../../../core/task/commands.ts";
import { advanceSteps } from "../../../core/task/steps.ts";
import type { TaskFacts, WaitingFacts } from "../../../core/task/task-facts.ts";
import type { Store } from "../../ports/store.ts";
import type { StoredFacts, TaskRow, TimerRow } from "../../ports/store-rows.ts";
import { type Mask, maskFacts } from "../../vault/masking.ts";
import type { RegisteredMachine } from "../effect.ts";
import type { PersistedSnapshot } from "./persist-snapshot.ts";

/** Timers as a turn leaves them. */
export interface TurnTimers {
  readonly set: readonly TimerRow[];
  readonly cleared: ReadonlySet<string>;
}

const NETWORK: WaitingFacts = { kind: "network" };

export interface FactsContext {
  /** UTC ms. */
  readonly now: number;
  readonly mask: Mask;
  readonly read: Pick<Store, "timers">;
}

/** Lists the commands the machine would take from a person in this state, by asking it. */
export function listCommands(snapshot: AnyMachineSnapshot): readonly Command[] {
  return COMMANDS.filter((command) => snapshot.can({ type: `user.${command}`, given: [] }));
}

/** The part of a snapshot that is shown. */
type Shown = Pick<PersistedSnapshot, "value" | "context"> & { readonly commands: readonly Command[] };

/**
 * Reads the facts people see of a task after a turn: the machine's own facts, masked; progress that never runs
 * backwards and is 100 only at the end; since when it waits, and until when. While an effect of it can't reach the
 * host, it waits for the network, whatever else it waits for.
 */
export function readFacts(
  deps: FactsContext,
  registered: RegisteredMachine,
  before: TaskRow,
  { value, context, commands }: Shown,
  timers: TurnTimers,
  isSilent = false,
): StoredFacts {
  const facts = maskFacts(registered.view({ value, context }), deps.mask);
  const { state, label, title = label, doing, way, marks, failure, result } = facts;
  const wait = isSilent && state === "RUNNING" ? NETWORK : facts.waitingFor;
  const progress = state === "COMPLETED" ? 100 : Math.min(99, Math.max(before.facts.progress, facts.progress));
  const common: StoredFacts = {
    state,
    label,
    title,
    ...(doing !== undefined && { doing }),
    steps: way === undefined ? [] : advanceSteps(before.facts.steps, way, state, new Date(deps.now).toISOString()),
    commands,
    progress,
    marks,
    revision: isAsked(before.facts, { ...facts, ...(wait && { waitingFor: wait }) })
      ? before.facts.revision
      : before.rev + 1,
    ...(failure && { failure }),
    ...(result && { result }),
    ...(before.facts.startedBy && { startedBy: before.facts.startedBy }),
  };
  if (wait === undefined) return common;
  const { deadline: _, ...waited } = wait;
  const due = wait.deadline === undefined ? undefined : findDeadline(deps, before.id, wait.deadline, timers);
  const deadline = due === undefined ? undefined : new Date(due).toISOString();
  const last = before.facts.state === state ? before.facts.waitingFor : undefined;
  const isOverdue = wait.deadline !== undefined && deadline === undefined;
  const goesOn = last?.kind === wait.kind && (isOverdue || last.deadline === deadline);
  const since = goesOn ? last.since : new Date(deps.now).toISOString();
  return {
    ...common,
    waitingFor: { ...waited, since, ...(deadline !== undefined && { deadline }) },
  };
}

/** Whether a person is asked what was asked before. What a script says while it waits changes nothing about that. */
function isAsked(before: StoredFacts, { state, waitingFor, failure }: TaskFacts): boolean {
  return (
    before.state === state &&
    before.waitingFor?.kind === waitingFor?.kind &&
    isDeepStrictEqual(before.waitingFor?.detail, waitingFor?.detail) &&
    isDeepStrictEqual(before.failure, failure)
  );
}

/** The delay's name in a timer's id: `xstate.after.<delay>.<machine>.<STATE>`. */
export function readDelayName(timerId: string): string {
  return /^xstate\.after\.([^.]+)\./.exec(timerId)?.[1] ?? timerId;
}

function findDeadline(deps: FactsContext, taskId: string, delay: string, timers: TurnTimers): number | undefined {
  const kept = deps.read.timers(taskId).filter(({ id }) => !timers.cleared.has(id));
  return [...timers.set, ...kept].find(({ id }) => readDelayName(id) === delay)?.dueAt;
}
