import type { JsonPath } from "../json/json.ts";
import type { Code } from "./code.ts";

/** `error`: the carrier is dropped; `warning`: kept as most plausibly meant; `info`: never changes an exit code. */
export type Severity = "error" | "warning" | "info";

/** A finding about an author's file: a value, never thrown. */
export interface Problem {
  readonly code: Code;
  readonly severity: Severity;
  /** One sentence without a full stop, the offending value quoted, what is allowed said. */
  readonly message: string;
  /** Keys and indexes from the root of the document. */
  readonly path: JsonPath;
  /** The file it stands in where that is not the install script itself (a hook's TypeScript), relative to the catalog. */
  readonly file?: string;
  /** 1-based. */
  readonly line: number;
  /** 1-based, in UTF-16 units. */
  readonly column: number;
  /** In UTF-16 units. */
  readonly length: number;
  /** What to do, in the imperative. */
  readonly hint?: string;
  /** Other places that belong to the same finding. */
  readonly related?: readonly RelatedPlace[];
}

/** A second place a problem points at, e.g. the first of two equal ids. */
export interface RelatedPlace {
  readonly message: string;
  readonly path: JsonPath;
  readonly line: number;
  readonly column: number;
  readonly length: number;
}

/**
 * What went wrong with a task, for the user: a value in a snapshot, the shape of a hook's `fail()`.
 * A type alias, not an interface, so that it is assignable to `Json`.
 */
export type Failure = {
  readonly code: Code;
  readonly message: string;
  readonly context: readonly FailureDetail[];
  /** Whether trying the same again can help. */
  readonly retryable: boolean;
  readonly cause?: Failure;
};

/** One line of diagnosis beside a failure. */
export type FailureDetail = {
  readonly label: string;
  readonly value: string;
};

/** Marks an `EngineError`, whichever copy of the package or realm made it. */
const BRAND = Symbol.for("slipway.EngineError");

/** Whether a value is an `EngineError`, also of another copy of the package or another realm; `instanceof` asks the same. */
export function isEngineError(value: unknown): value is EngineError {
  return typeof value === "object" && value !== null && BRAND in value;
}

/** The only thing the library throws on purpose, for embedders; anything else thrown is a bug. */
export class EngineError extends Error {
  static override [Symbol.hasInstance](value: unknown): boolean {
    return isEngineError(value);
  }

  /** Not enumerable: it is no fact of the error. */
  static {
    Object.defineProperty(EngineError.prototype, BRAND, { value: true });
  }

  override readonly name = "EngineError";
  readonly code: Code;
  /** Typed facts of this error, e.g. `{taskId}` for a conflict or `{problems}` for a refused request. */
  readonly details: Readonly<Record<string, unknown>>;

  constructor(code: Code, message: string, details: Readonly<Record<string, unknown>> = {}, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
    this.details = details;
  }
}
