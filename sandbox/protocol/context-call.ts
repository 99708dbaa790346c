import type { FailureDetail } from "../../src/core/codes/problems.ts";

/** The context methods whose effect the engine performs, in the order the script called them. */
export type ContextCall =
  | {
      readonly kind: "registerCheckpoints";
      readonly checkpoints: readonly { readonly id: string; readonly message: string }[];
    }
  | { readonly kind: "emitCheckpoint"; readonly id: string; readonly message?: string; readonly progress?: number }
  | { readonly kind: "updateCheckpointMessage"; readonly id: string; readonly message: string }
  | { readonly kind: "skipCheckpoint"; readonly id: string; readonly message?: string }
  | { readonly kind: "setProgress"; readonly percent: number }
  | {
      /** Answers `"retry"` or `"skip"`; the run's clock stands still meanwhile. */
      readonly kind: "awaitCheckpointRetry";
      readonly id: string;
      readonly error: string;
      readonly context: readonly FailureDetail[];
    }
  | { readonly kind: "getInstalledAppUrl"; readonly appId: string };
