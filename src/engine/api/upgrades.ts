/** Where an upgrade leads. */
import type { LifecycleEvent } from "../../core/script/dictionary.ts";

/** A previewed upgrade. */
export interface UpgradePreview {
  readonly appId: string;
  /** Version of the host's package, of a custom app of its script; absent where nobody knows it. */
  readonly from?: string;
  readonly to: string;
  /** The hooks that run, in order. */
  readonly hooks: readonly {
    readonly id: string;
    readonly title: string;
    readonly event: LifecycleEvent;
    readonly optional: boolean;
  }[];
}
