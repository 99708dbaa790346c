import type { RunReason } from "../../../sandbox/contract.ts";

/** A hostile script, with the ends it may come to. */
export interface Attack {
  readonly class: "cpu" | "memory" | "value" | "escape" | "flood" | "wall" | "outside";
  readonly name: string;
  /** Body of the entrypoint `run(ctx)`; `fs` and `Database` are imported. */
  readonly body: string;
  /** Default `widget`: its limits are the shorter ones. */
  readonly kind?: "hook" | "widget";
  /** `completed` or the reasons it may fail with; the first is the usual one. */
  readonly ends: readonly ("completed" | RunReason)[];
  /** What it must return when it completes. */
  readonly result?: string | null;
}
