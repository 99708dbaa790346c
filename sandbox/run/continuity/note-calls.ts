import { classifyCall, hashCall } from "../../journal/call-class.ts";
import type { CallNote } from "../../journal/record.ts";
import type { ScriptCall } from "../deliveries.ts";

/** Calls as they are kept; a timer of theirs runs from `since`, ms since 1970. */
export function* noteCalls(calls: readonly ScriptCall[], since: number): Generator<CallNote, void> {
  for (const { op, body } of calls) {
    if (!("id" in op)) continue;
    const note = { id: op.id, class: classifyCall(op), hash: hashCall(op, body) };
    yield op.op === "timer" ? { ...note, due: since + op.ms } : note;
  }
}
