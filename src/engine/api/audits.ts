/** Who changed what: how it is said, and how it is listed. */
import type { Code } from "../../core/codes/code.ts";
import type { Actor } from "../audit/actor.ts";
import type { AUDIT_METHODS } from "../audit/methods.ts";

/** Whose change it is: the last parameter of every method that changes something. */
export interface By {
  /** Whoever asks for it, as the embedder knows them. Default: `unnamed`, by `API`. */
  readonly actor?: Actor;
}

/** A method that leaves an entry in the audit list. */
export type AuditMethod = (typeof AUDIT_METHODS)[number];

/** One call of a method that changes something, or was to. Holds no secret: of a request only what it was about. */
export interface AuditEntry {
  /** Grows from entry to entry: `before` of the page of older ones. */
  readonly number: number;
  /** ISO 8601 UTC. */
  readonly at: string;
  readonly actor: Actor;
  readonly method: AuditMethod;
  readonly appId?: string;
  /** Display name of the app; absent where it is not known. */
  readonly appName?: string;
  /** The task it started, or that it was about. */
  readonly taskId?: string;
  /** Why it was refused; absent where it was done. */
  readonly refused?: Code;
}
