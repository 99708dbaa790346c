import { hash } from "node:crypto";
import type { AnyMachineSnapshot } from "xstate";
import type { Json, JsonObject } from "../../../core/json/json.ts";
import { readMessage } from "../../../core/json/read-message.ts";
import type { RegisteredMachine } from "../effect.ts";

/** A snapshot as it is stored. */
export interface PersistedSnapshot {
  /** JSON text. */
  readonly text: string;
  /** SHA-256 of the text, hex: what a replay compares. */
  readonly digest: string;
  readonly value: Json;
  readonly context: JsonObject;
}

/** Turns a snapshot into the text that is stored. */
export function persistSnapshot(registered: RegisteredMachine, snapshot: AnyMachineSnapshot): PersistedSnapshot {
  const text = JSON.stringify(registered.machine.getPersistedSnapshot(snapshot));
  return { text, digest: digestOf(text), value: snapshot.value, context: snapshot.context };
}

export function digestOf(text: string): string {
  return hash("sha256", text);
}

/**
 * Makes a stored snapshot one the present machine can take events in, migrating it version by version. Throws where no
 * migration leads to the present version, or where the snapshot names a state the machine does not have.
 */
export function restoreSnapshot(registered: RegisteredMachine, version: number, text: string): AnyMachineSnapshot {
  let json: Json = JSON.parse(text);
  if (version > registered.version) {
    throw new Error(
      `snapshot of machine "${registered.id}" has version ${version}, this build knows up to ${registered.version}`,
    );
  }
  for (let from = version; from < registered.version; from += 1) {
    const migrate = registered.migrate[from];
    if (migrate === undefined) throw new Error(`machine "${registered.id}" has no migration from version ${from}`);
    json = migrate(json);
  }
  try {
    // The text was written by `getPersistedSnapshot` or made by a migration; xstate itself checks the state names.
    return registered.machine.restoreSnapshot(json as never, {} as never);
  } catch (error) {
    const reason = readMessage(error);
    throw new Error(`stored snapshot does not fit machine "${registered.id}" ${registered.version}: ${reason}`, {
      cause: error,
    });
  }
}
