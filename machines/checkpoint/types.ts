export interface CheckpointInput {
  /** As the script named it. */
  readonly checkpoint: string;
  readonly message: string;
}

/** JSON without secrets: it is kept in the task's row. */
export interface CheckpointContext {
  readonly checkpoint: string;
  readonly message: string;
}

export type CheckpointEvent =
  | { readonly type: "script.registered"; readonly message: string | null }
  | { readonly type: "script.message"; readonly message: string | null }
  | { readonly type: "script.completed"; readonly message: string | null }
  | { readonly type: "script.skipped"; readonly message: string | null }
  | { readonly type: "script.failed"; readonly message: string | null }
  | { readonly type: "user.retry" }
  | { readonly type: "user.skip" };
