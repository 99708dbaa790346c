/**
 * Who has to do something about a fault: the owner of the appliance, by a setting or an answer; the author of the catalog,
 * in a script; whoever looks after the host and the machine the engine runs on.
 */
export const AUDIENCES = ["owner", "author", "host"] as const;

export type Audience = (typeof AUDIENCES)[number];

/** Text of a code as its area writes it; status, exit class and audience only where they differ from the area's. */
export interface CodeText {
  /** Its meaning, one sentence without a full stop. */
  readonly title: string;
  /** Advice, in the imperative. */
  readonly hint: string;
  /** Place in the documents of the rule it comes from. */
  readonly see?: string;
  /** A smallest text that has the fault, where one can be shown. */
  readonly bad?: string;
  /** The same text without the fault. */
  readonly good?: string;
  /** Where it differs from its area's. */
  readonly status?: ErrorStatus;
  /** Where it differs from its area's. */
  readonly exit?: ExitClass;
  /** Where it differs from its area's. */
  readonly audience?: Audience;
}

/** Statuses the HTTP routes answer errors with. */
export const ERROR_STATUSES = [400, 401, 403, 404, 405, 409, 413, 415, 422, 429, 500, 502, 503] as const;

export type ErrorStatus = (typeof ERROR_STATUSES)[number];

/** `failed`: examined and refused; `usage`: the command line is wrong, or what it needs can't be reached. */
export type ExitClass = "failed" | "usage";

/** How errors of an area are answered, and who has to do something about them. */
export interface Answering {
  /** The HTTP status. */
  readonly status: ErrorStatus;
  /** The exit code of a command that ends with it. */
  readonly exit: ExitClass;
  readonly audience: Audience;
}

/** A row of the registry: what `slipway explain CODE` prints, and how the surfaces answer. */
export interface CodeRow extends CodeText, Answering {
  readonly status: ErrorStatus;
  readonly exit: ExitClass;
  readonly audience: Audience;
}

/** The rows of an area; a row's own status, exit class and audience go before the area's. */
export function defineRows<const Rows extends Readonly<Record<string, CodeText>>>(
  area: Answering,
  rows: Rows,
): { readonly [C in keyof Rows]: Rows[C] & CodeRow } {
  const answered = Object.entries(rows).map(([code, row]) => [code, { ...area, ...row }]);
  return Object.fromEntries(answered);
}
