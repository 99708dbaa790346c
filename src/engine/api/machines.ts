/** The machines tasks run on, as they are drawn. */

/** A machine of this engine, with its own descriptions. */
export interface MachineView {
  readonly id: string;
  /** The one new tasks begin with. */
  readonly version: number;
  /** In the order of the machine, each before those within it. */
  readonly states: readonly MachineState[];
  readonly transitions: readonly MachineTransition[];
}

export interface MachineState {
  /** Its names from the root, joined by dots, as a trace has them. */
  readonly path: string;
  readonly kind: "atomic" | "compound" | "final" | "history";
  /** Whether its parent begins in it. */
  readonly isInitial: boolean;
  readonly text: string;
}

export interface MachineTransition {
  /** Path of its source; empty for one that every state has. */
  readonly from: string;
  /** Path of its target; null where it stays. */
  readonly to: string | null;
  readonly on: "event" | "after" | "always";
  /** The event's name (`host.*` for all that begin so), the delay's, or of `always` its guard's. */
  readonly cause: string;
  /** Its guard's name; absent where it is always taken. */
  readonly guard?: string;
  readonly text: string;
}
