/** The checkpoints of one run without an engine: the engine's own machine, one per checkpoint, in order of appearance. */
import { initialTransition, transition } from "xstate";
import { checkpointMachine } from "../../../machines/checkpoint/machine.ts";
import type { CheckpointEvent } from "../../../machines/checkpoint/types.ts";
import type { ContextCall } from "../../../sandbox/contract.ts";

/** One line of the board. */
export interface ShownCheckpoint {
  readonly id: string;
  readonly message: string;
  readonly state: string;
}

type Snapshot = ReturnType<typeof initialTransition<typeof checkpointMachine>>[0];

/** Checkpoints as a script's calls leave them. */
export class CheckpointBoard {
  readonly #snapshots = new Map<string, Snapshot>();

  /** Applies one call; answers the checkpoints it concerns. Calls that concern none answer an empty list. */
  apply(call: ContextCall): readonly ShownCheckpoint[] {
    switch (call.kind) {
      case "registerCheckpoints":
        return call.checkpoints.map(({ id, message }) => this.#send(id, { type: "script.registered", message }));
      case "emitCheckpoint":
        return [this.#send(call.id, { type: "script.completed", message: call.message ?? null })];
      case "updateCheckpointMessage":
        return [this.#send(call.id, { type: "script.message", message: call.message })];
      case "skipCheckpoint":
        return [this.#send(call.id, { type: "script.skipped", message: call.message ?? null })];
      case "awaitCheckpointRetry":
        return [this.#send(call.id, { type: "script.failed", message: call.error })];
      case "setProgress":
      case "getInstalledAppUrl":
        return [];
    }
  }

  /** The person's Skip at a failed checkpoint. */
  skip(id: string): ShownCheckpoint {
    return this.#send(id, { type: "user.skip" });
  }

  list(): readonly ShownCheckpoint[] {
    return [...this.#snapshots].map(([id, snapshot]) => show(id, snapshot));
  }

  #send(id: string, event: CheckpointEvent): ShownCheckpoint {
    const before = this.#snapshots.get(id) ?? initialTransition(checkpointMachine, { checkpoint: id, message: id })[0];
    const [after] = transition(checkpointMachine, before, event);
    this.#snapshots.set(id, after);
    return show(id, after);
  }
}

function show(id: string, { value, context }: Snapshot): ShownCheckpoint {
  return { id, message: context.message, state: String(value) };
}
