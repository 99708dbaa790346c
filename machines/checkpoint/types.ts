/** What a hook task starts a checkpoint with. */
export interface CheckpointInput {
  /** As the script named it. */
  readonly checkpoint: string;
  readonly message: string;
}

/** What the machine remembers; JSON, no secrets. */
export interface CheckpointContext {
  readonly checkpoint: string;
  readonly message: string;
}

/** What can come to a checkpoint. */
export type CheckpointEvent =
  | { readonly type: "script.registered"; readonly message: string | null }
  | { readonly type: "script.message"; readonly message: string | null }
  | { readonly type: "script.completed"; readonly message: string | null }
  | { readonly type: "script.skipped"; readonly message: string | null }
  | { readonly type: "script.failed"; readonly message: string | null }
  | { readonly type: "user.retry" }
  | { readonly type: "user.skip" };
