/** What `slipway explain CODE` prints about a code. */
export interface CodeRow {
  /** What it means, one sentence without a full stop. */
  readonly title: string;
  /** What to do about it, in the imperative. */
  readonly hint: string;
  /** Section of the specification or of docs/choices.md the rule comes from. */
  readonly section?: string;
  /** A smallest text that has the fault, where one can be shown. */
  readonly bad?: string;
  /** The same text without the fault. */
  readonly good?: string;
}
