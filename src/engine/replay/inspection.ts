/** The event log as the inspector protocol of `@statelyai/inspect` 0.7: recorded runs shown as if they were live. */
import type { Json } from "../../core/json/json.ts";
import type { Store } from "../ports/store.ts";
import type { LoggedRow } from "../ports/store-rows.ts";
import type { MachineEvent, RegisteredMachine } from "../runtime/effect.ts";
import { foldEvent } from "./fold-events.ts";
import { listTurns } from "./replay.ts";

const PROTOCOL_VERSION = "0.7.2";

interface InspectionBase {
  readonly sessionId: string;
  readonly rootId: string;
  /** UTC ms as text. */
  readonly createdAt: string;
  readonly id: string;
  readonly _version: string;
}

/** One message of the protocol. */
export type InspectionEvent =
  | (InspectionBase & {
      readonly type: "@xstate.actor";
      readonly name: string;
      readonly parentId: string | undefined;
      /** `machine.config` as JSON text. */
      readonly definition: string;
      readonly snapshot: Json;
    })
  | (InspectionBase & { readonly type: "@xstate.event"; readonly event: MachineEvent; readonly sourceId: undefined })
  | (InspectionBase & { readonly type: "@xstate.snapshot"; readonly event: MachineEvent; readonly snapshot: Json });

/** Translates log entries in order; keeps what every task's snapshot is at the last one. */
export function createInspection(
  reads: Pick<Store, "task">,
  registry: Readonly<Record<string, RegisteredMachine>>,
): (logged: readonly LoggedRow[]) => readonly InspectionEvent[] {
  const texts = new Map<string, string>();
  return (logged) =>
    listTurns(logged).flatMap((entry): readonly InspectionEvent[] => {
      const row = reads.task(entry.taskId);
      const registered = row === null ? undefined : registry[row.machine];
      if (row === null || registered === undefined) return [];
      const known = texts.get(row.id) ?? null;
      const { persisted } = foldEvent(registered, known, entry.event);
      texts.set(row.id, persisted.text);
      const snapshot: Json = JSON.parse(persisted.text);
      const createBase = (part: string): InspectionBase => ({
        sessionId: row.id,
        rootId: row.root,
        createdAt: String(entry.at),
        id: `${entry.seq}.${part}`,
        _version: PROTOCOL_VERSION,
      });
      if (known === null) {
        const definition = JSON.stringify(registered.machine.config);
        const parentId = row.parent ?? undefined;
        return [{ ...createBase("actor"), type: "@xstate.actor", name: row.id, parentId, definition, snapshot }];
      }
      return [
        { ...createBase("event"), type: "@xstate.event", event: entry.event, sourceId: undefined },
        { ...createBase("snapshot"), type: "@xstate.snapshot", event: entry.event, snapshot },
      ];
    });
}
