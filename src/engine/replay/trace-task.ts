/** Where the machine of a task has been: its kept events folded again, with the states each turn led through. */
import { setImmediate as nextTurn } from "node:timers/promises";
import { type AnyMachineSnapshot, getInitialMicrosteps, getMicrosteps } from "xstate";
import { isJsonObject, type Json } from "../../core/json/json.ts";
import type { TaskTrace, TraceEntry } from "../api.ts";
import type { Store } from "../ports/store.ts";
import type { TaskEventRow, TaskRow } from "../ports/store-rows.ts";
import type { RegisteredMachine } from "../runtime/effect.ts";
import { restoreSnapshot } from "../runtime/turn/persist-snapshot.ts";
import { foldEvent } from "./fold-events.ts";
import { isTurn } from "./replay.ts";

/** Entries folded at a stretch: some ms, after which others get their turn. */
const AT_ONCE = 50;

/** Traces a page of a task, `limit` entries after the number `from`. */
export async function traceTask(
  reads: Pick<Store, "taskEvents">,
  registry: Readonly<Record<string, RegisteredMachine>>,
  row: TaskRow,
  { from, limit }: { readonly from: number; readonly limit: number },
): Promise<TaskTrace> {
  const log = reads.taskEvents(row.id);
  const fold = new TracedFold(registry[row.machine], log.find(isTurn)?.rev === 1);
  const entries: TraceEntry[] = [];
  let isLast = true;
  for (const [index, entry] of log.entries()) {
    isLast = entries.length < limit;
    if (!isLast) break;
    const isShown = entry.seq > from;
    const states = isTurn(entry) ? fold.take(entry, isShown) : undefined;
    if (isShown) entries.push(showEntry(entry, states));
    if (index % AT_ONCE === AT_ONCE - 1) await nextTurn();
  }
  const next = entries.at(-1)?.seq;
  return {
    machine: row.machine,
    version: row.version,
    active: row.snapshot === null ? [] : readActive(JSON.parse(row.snapshot)),
    entries,
    ...(!isLast && next !== undefined && { next }),
  };
}

function showEntry({ seq, at, type, event, reason }: TaskEventRow, states: readonly string[] | undefined): TraceEntry {
  return {
    seq,
    at: new Date(at).toISOString(),
    type,
    cause: event.type,
    ...(reason !== undefined && { reason }),
    ...(states && { states }),
  };
}

/** A machine led through the turns it took, as long as it goes where it went. */
class TracedFold {
  readonly #registered: RegisteredMachine | undefined;
  #isTrue: boolean;
  #text: string | null = null;

  constructor(registered: RegisteredMachine | undefined, hasBeginning: boolean) {
    this.#registered = registered;
    this.#isTrue = hasBeginning;
  }

  /** Takes the event of a turn; the states it entered where they are asked for and known. */
  take({ event, digest }: TaskEventRow, isAsked: boolean): readonly string[] | undefined {
    const registered = this.#registered;
    if (!this.#isTrue || registered === undefined) return undefined;
    try {
      const before = this.#text;
      const { persisted } = foldEvent(registered, before, event);
      this.#isTrue = persisted.digest === digest;
      this.#text = persisted.text;
      return this.#isTrue && isAsked ? listEntered(registered, before, event) : undefined;
    } catch {
      // The present machine is not the one that took it.
      this.#isTrue = false;
      return undefined;
    }
  }
}

/** The innermost states a turn entered, microstep by microstep. */
function listEntered(
  registered: RegisteredMachine,
  text: string | null,
  event: TaskEventRow["event"],
): readonly string[] {
  const { machine } = registered;
  const before = text === null ? null : restoreSnapshot(registered, registered.version, text);
  const steps: readonly (readonly [AnyMachineSnapshot, unknown])[] =
    before === null ? getInitialMicrosteps(machine, event["input"]) : getMicrosteps(machine, before, event);
  let last = before === null ? [] : listLeaves(before.value);
  return steps.flatMap(([{ value }]) => {
    const leaves = listLeaves(value);
    const entered = leaves.filter((leaf) => !last.includes(leaf));
    last = leaves;
    return entered;
  });
}

function readActive(snapshot: Json): readonly string[] {
  return isJsonObject(snapshot) ? listLeaves(snapshot["value"]) : [];
}

/** The innermost states of a state value, as paths from the root. */
function listLeaves(value: unknown, above: readonly string[] = []): readonly string[] {
  if (typeof value === "string") return [[...above, value].join(".")];
  if (typeof value !== "object" || value === null) return [];
  const inside = Object.entries(value);
  return inside.length === 0
    ? [above.join(".")]
    : inside.flatMap(([name, below]) => listLeaves(below, [...above, name]));
}
