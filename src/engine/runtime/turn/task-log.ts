import type { JsonObject } from "../../../core/json/json.ts";
import { isAwaiting, isFinal } from "../../../core/task-states.ts";
import type { Logger } from "../../ports/environment.ts";
import type { Store } from "../../ports/store.ts";
import type { TaskRow } from "../../ports/store-rows.ts";
import type { TurnRows } from "../../ports/turn-rows.ts";

/** Says in the log what becomes of tasks: a line when one starts, waits, ends or fails, and none in between. */
export interface TaskLog {
  /** Tells what a committed turn changed. */
  tell(rows: Pick<TurnRows, "tasks">): void;
}

/** The standing of tasks of earlier lives is known and not logged again. */
export function createTaskLog(store: Pick<Store, "unfinished">, logger: Logger): TaskLog {
  return new StandingTasks(store, logger);
}

class StandingTasks implements TaskLog {
  readonly #logger: Logger;
  /** How every unfinished task stood when it was last told of. */
  readonly #told: Map<string, Standing>;

  constructor(store: Pick<Store, "unfinished">, logger: Logger) {
    this.#logger = logger;
    this.#told = new Map(store.unfinished().map((row) => [row.id, readStanding(row)]));
  }

  tell({ tasks }: Pick<TurnRows, "tasks">): void {
    for (const { row } of tasks) if (row.kind !== "checkpoint") this.#tellTask(row);
  }

  #tellTask(row: TaskRow): void {
    const before = this.#told.get(row.id) ?? "idle";
    const now = readStanding(row);
    if (isFinal(row.facts.state)) this.#told.delete(row.id);
    else this.#told.set(row.id, now);
    // A quarantine has a line of its own.
    if (now === before || now === "idle" || row.quarantine !== null) return;
    const { state, waitingFor, failure } = row.facts;
    const durationMs = row.updated - row.created;
    if (now === "failed") {
      this.#logger.warn(
        { ...readIds(row), state, code: failure?.code, reason: failure?.message, durationMs },
        "task failed",
      );
      return;
    }
    if (now === "ended") {
      this.#logger.info({ ...readIds(row), state, durationMs }, "task ended");
      return;
    }
    if (before === "idle" || before === "failed") {
      this.#logger.info({ ...readIds(row), state }, "task started");
    }
    if (now.startsWith("waits")) {
      const { deadline } = waitingFor ?? {};
      const wait = { waitingFor: waitingFor?.kind ?? "person", ...(deadline !== undefined && { deadline }) };
      this.#logger.info({ ...readIds(row), state, ...wait, durationMs }, "task waits");
    }
  }
}

type Standing = "idle" | "at work" | "failed" | "ended" | `waits ${string}`;

function readStanding({ facts: { state, waitingFor } }: TaskRow): Standing {
  if (state === "PENDING") return "idle";
  if (state === "FAILED") return "failed";
  if (isFinal(state)) return "ended";
  if (isAwaiting(state)) return `waits ${state}`;
  return waitingFor === undefined ? "at work" : `waits ${waitingFor.kind}`;
}

function readIds({ id, root, parent, kind, appId, hookId }: TaskRow): JsonObject {
  return {
    task: id,
    ...(parent !== null && { root, parent }),
    kind,
    appId,
    ...(hookId !== null && { hookId }),
  };
}
