/** How much of an app the check has seen, so that a level is worth something. */
export interface Coverage {
  readonly of:
    | "values"
    | "branches"
    | "checkpoints"
    | "requests"
    | "hooks"
    | "lines"
    | "crashes"
    | "link crashes"
    | "versions"
    | "options"
    | "traces"
    | "links";
  readonly reached: number;
  readonly all: number;
  /** What was not reached, in words. */
  readonly missed: readonly string[];
}
