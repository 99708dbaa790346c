/** What a client is asked to do in its tests: one call for each operation of the OpenAPI document. */

/** What a call is about; a call uses what its route takes. */
export interface Subject {
  /** Text of an export. */
  readonly file?: string;
  readonly appId: string;
  readonly taskId: string;
  readonly hookId: string;
  readonly notificationId: string;
}

/** The status of a response, and what the call read in its body. */
export interface Answered {
  readonly status: number;
  readonly read: unknown;
}

/** Calls one operation. */
export type Call = (subject: Subject) => Promise<Answered>;

/** Calls by operation id. */
export type Calls = Readonly<Record<string, Call>>;
