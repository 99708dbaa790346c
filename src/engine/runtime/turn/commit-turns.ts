/**
 * Events become committed turns; what comes of a fault of a machine is a quarantine.
 *
 * Invariants:
 * 1. A turn is computed and committed in one synchronous stretch.
 * 2. A turn that can't be committed leaves its event's source open.
 */
import type { Code } from "../../../core/codes/code.ts";
import type { Failure } from "../../../core/codes/problems.ts";
import type { LoggedRow, TaskRow } from "../../ports/store-rows.ts";
import type { TurnRows } from "../../ports/turn-rows.ts";
import { passCrashPoint } from "../crash-points.ts";
import type { MachineEvent } from "../effect.ts";
import type { CommittedTurn, RuntimeOptions } from "../runtime.ts";
import { tellQuarantined } from "./child-news.ts";
import { createEmptyTurn, findOtherHolder, type Incoming, takeTurn } from "./turn.ts";
import { MachineFault, type TurnContext } from "./turn-context.ts";
import { createLogEntry } from "./turn-log.ts";

/** Takes events as turns and commits them. Every write throws a store's fault. */
export interface TurnCommitter {
  depsOf(root: string): TurnContext;
  /** Writes a turn, then tells of it. */
  commit(rows: TurnRows): void;
  /**
   * Takes one event as a turn. A fault of the machine quarantines the task and leaves the event's source open; so does a
   * machine that drops an event it must take, with the code given for it. Answers whether what came in is on disk.
   */
  advance(row: TaskRow, incoming: Incoming, must?: Code): boolean;
  /** Freezes a task until a person decides. */
  quarantine(row: TaskRow, code: Code, reason: string, event: MachineEvent): void;
}

export interface TurnCommitterOptions
  extends Pick<RuntimeOptions, "store" | "registry" | "handlers" | "clock" | "logger" | "mask"> {
  /** Called after each commit, with what was written and its entries in the log. */
  readonly committed: (turn: CommittedTurn, logged: readonly LoggedRow[]) => void;
}

/** It keeps nothing between two turns but when the last one began. */
export function createTurnCommitter(options: TurnCommitterOptions): TurnCommitter {
  const { store, registry, handlers, clock, logger } = options;
  let began = 0;

  function createContext(root: string): TurnContext {
    began = clock.monotonic();
    const mask = options.mask?.(root) ?? ((text: string) => text);
    return { registry, handlers, read: store, epoch: store.opened.epoch, now: clock.now(), mask };
  }

  function commit(rows: TurnRows): void {
    passCrashPoint("beforeCommit");
    const { logged } = store.commit(rows);
    passCrashPoint("afterCommit");
    options.committed({ rows, ms: clock.monotonic() - began }, logged);
  }

  function advance(row: TaskRow, incoming: Incoming, must?: Code): boolean {
    const { type } = incoming.event;
    try {
      const turn = takeTurn(createContext(row.root), row, incoming);
      if (!turn.taken && must !== undefined) throw new MachineFault(`machine "${row.machine}" does not take "${type}"`);
      if (turn.taken && findOtherHolder(store, turn.row))
        throw new MachineFault(`claim "${row.claim}" is held by another task`);
      commit(turn.rows);
      if (!turn.taken) logger.debug({ task: row.id, event: type, reason: turn.reason }, "event dropped");
      return true;
    } catch (error) {
      if (!(error instanceof MachineFault)) throw error;
      quarantine(row, must ?? "TASK_QUARANTINED", error.message, incoming.event);
      return false;
    }
  }

  function quarantine(row: TaskRow, code: Code, reason: string, event: MachineEvent): void {
    const deps = createContext(row.root);
    const failure: Failure = {
      code,
      message: deps.mask(reason),
      context: [{ label: "machine", value: `${row.machine} ${row.version}` }],
      retryable: true,
    };
    const frozen: TaskRow = { ...row, quarantine: failure, updated: deps.now };
    logger.error({ task: row.id, code, reason: failure.message }, "task quarantined");
    commit({
      ...createEmptyTurn(deps),
      tasks: [{ expectedRev: row.rev, row: frozen }],
      log: [createLogEntry(deps, frozen, "task.quarantined", event, { reason: failure.message })],
      mail: tellQuarantined(store, row),
    });
  }

  return { depsOf: createContext, commit, advance, quarantine };
}
