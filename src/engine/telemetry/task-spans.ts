/**
 * Spans of tasks and their turns, made of what is committed.
 *
 * Invariants:
 * 1. A span is open exactly as long as its task has not ended: FAILED ends it, a retry begins another one.
 * 2. All spans of a tree are in the trace its root's id names, in whichever life (tree-context.ts).
 */
import { type Context, context, isSpanContextValid, type Link, trace } from "@opentelemetry/api";
import { hasEnded } from "../../core/task-states.ts";
import type { Store } from "../ports/store.ts";
import type { LogRow, TaskRow } from "../ports/store-rows.ts";
import type { TurnRows } from "../ports/turn-rows.ts";
import type { CommittedTurn } from "../runtime/runtime.ts";
import type { Metering } from "./metering.ts";
import type { OpenSpan, Tracing } from "./tracing.ts";
import { createTreeContext } from "./tree-context.ts";

/** The spans of the tasks that have not ended. */
export class TaskSpans {
  readonly #tracing: Tracing;
  readonly #metering: Metering;
  readonly #open = new Map<string, OpenSpan<"task">>();

  /** Tasks an earlier life left begin again here. */
  constructor(store: Pick<Store, "unfinished">, tracing: Tracing, metering: Metering) {
    this.#tracing = tracing;
    this.#metering = metering;
    for (const row of store.unfinished()) if (!hasEnded(row.facts.state)) this.#begin(row, Date.now(), true);
  }

  /** Where what a task does belongs. */
  contextOf(taskId: string, rootId: string): Context {
    return this.#open.get(taskId)?.context ?? createTreeContext(rootId);
  }

  /** Takes note of a turn: of its own span, of tasks that began with it and of those that ended. */
  note({ rows, ms }: CommittedTurn): void {
    for (const { row } of rows.tasks) {
      if (!hasEnded(row.facts.state) && !this.#open.has(row.id)) this.#begin(row, rows.at, false);
    }
    this.#tellTurn(rows, ms);
    for (const { row } of rows.tasks) if (hasEnded(row.facts.state)) this.#end(row);
  }

  /** Ends every span: what has not ended goes on in a later life. */
  close(): void {
    for (const span of this.#open.values()) span.end();
    this.#open.clear();
  }

  #begin(row: TaskRow, startTime: number, resumed: boolean): void {
    const { id, root, parent, kind, appId, hookId, facts } = row;
    const how = {
      parent: this.contextOf(parent ?? "", root),
      detail: kind,
      startTime,
      ...(parent === null && { links: linkCaller() }),
    };
    const attributes = {
      "slipway.task.id": id,
      "slipway.task.kind": kind,
      "slipway.task.state": facts.state,
      "slipway.task.resumed": resumed,
      "slipway.app.id": appId,
      "slipway.hook.id": hookId ?? undefined,
    };
    this.#open.set(id, this.#tracing.start("task", how, attributes));
  }

  #end({ id, kind, facts: { state, failure } }: TaskRow): void {
    const span = this.#open.get(id);
    // A turn of a task that has ended already.
    if (span === undefined) return;
    this.#open.delete(id);
    const error = state === "FAILED" ? (failure?.code ?? "_OTHER") : undefined;
    span.end({ "slipway.task.state": state, "error.type": error });
    this.#metering.record("ended", 1, { "slipway.task.kind": kind, "slipway.task.state": state });
  }

  /** What is committed without an entry of the log is no turn. */
  #tellTurn({ log: [entry], tasks, at, consumed }: TurnRows, ms: number): void {
    if (entry === undefined) return;
    const row = tasks.find((task) => task.row.id === entry.taskId)?.row;
    const kind = row?.kind ?? (entry.task.id === entry.taskId ? entry.task.kind : "checkpoint");
    const outcome = readOutcome(entry);
    this.#metering.record("turn", ms / 1_000, { "slipway.task.kind": kind, "slipway.turn.outcome": outcome });
    const how = { parent: this.contextOf(entry.taskId, entry.root), detail: entry.event.type, startTime: at };
    const attributes = {
      "slipway.event.type": entry.event.type,
      "slipway.turn.outcome": outcome,
      "slipway.task.id": entry.taskId,
      "slipway.task.state": row?.facts.state,
      "slipway.task.revision": entry.rev,
      "slipway.effect.id": consumed?.kind === "effect" ? consumed.id : undefined,
    };
    this.#tracing.start("turn", how, attributes).end();
  }
}

function readOutcome({ type }: LogRow): string {
  return type === "task.created" || type === "task.updated" ? "taken" : type.slice("task.".length);
}

/** A request of the embedder's that has a span: it is not what the task belongs to, which outlives it, but it began there. */
function linkCaller(): readonly Link[] {
  const caller = trace.getSpanContext(context.active());
  return caller !== undefined && isSpanContextValid(caller) ? [{ context: caller }] : [];
}
