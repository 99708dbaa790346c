/** A host's silence on a task's row: no turn of its machine. */
import type { TaskRow } from "../../ports/store-rows.ts";
import type { TurnRows } from "../../ports/turn-rows.ts";
import { restoreSnapshot } from "./persist-snapshot.ts";
import { createEmptyTurn } from "./turn.ts";
import { requireMachine, type TurnContext } from "./turn-context.ts";
import { listCommands, readFacts } from "./turn-facts.ts";
import { createLogEntry } from "./turn-log.ts";

/** Notes that an effect can't reach the host, or none is known not to: a fact of the row, which its machine never hears of. */
export function noteSilence(deps: TurnContext, row: TaskRow, silent: string | null): TurnRows {
  const event = { type: silent === null ? "host.answers" : "host.silent" };
  const shown: TaskRow = { ...row, silent, facts: maskFacts(deps, row, silent !== null), updated: deps.now };
  return {
    ...createEmptyTurn(deps),
    tasks: [{ expectedRev: row.rev, row: shown }],
    log: [createLogEntry(deps, shown, "task.updated", event)],
  };
}

function maskFacts(deps: TurnContext, row: TaskRow, isSilent: boolean): TaskRow["facts"] {
  if (row.snapshot === null) return row.facts;
  const registered = requireMachine(deps, row.machine);
  const snapshot = restoreSnapshot(registered, row.version, row.snapshot);
  const shown = { value: snapshot.value, context: snapshot.context, commands: listCommands(snapshot) };
  const facts = readFacts(deps, registered, row, shown, { set: [], cleared: new Set() }, isSilent);
  // No turn of the machine, so no revision of its own: whoever answers the task is not asked anything else.
  return { ...facts, revision: row.facts.revision };
}
