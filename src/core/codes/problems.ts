import type { JsonPath } from "../json/json.ts";
import type { TaskState } from "../task-states.ts";
import type { Code } from "./code.ts";
import type { Audience } from "./row.ts";

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
  /** Advice, in the imperative. */
  readonly hint?: string;
  /** Other places that belong to the same finding. */
  readonly related?: readonly RelatedPlace[];
}

/** A problem as it is shown to people: with who has to do something about it. */
export interface AddressedProblem extends Problem {
  readonly audience: Audience;
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
 * The reason a task failed, for the user: a value in a snapshot, the shape of a hook's `fail()`.
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

/** One place where a request has another shape than it may have. Names no value: it may be a password. */
export interface RequestFault {
  readonly path: JsonPath;
  readonly message: string;
}

// Aliases, not interfaces, so that the facts of any error are a record too.
type OfTask = { readonly taskId: string };

type OfApp = { readonly appId: string };

type OfVersions = OfApp & {
  readonly version: string;
  readonly installed: string;
  readonly versions: readonly string[];
};

type OfFile = { readonly file: string };

/** The facts an error carries, by code. A code that is not here is thrown with what its place knows, see `AnyDetails`. */
export interface ErrorDetails {
  readonly TASK_UNKNOWN: OfTask;
  /** The task that is at work already. */
  readonly TASK_CONFLICT: OfTask;
  readonly TASK_REFUSED: OfTask & { readonly state: TaskState };
  readonly TASK_DECISION_STALE: OfTask & {
    readonly state: TaskState;
    readonly revision: number;
    readonly checkpoint?: string;
  };
  readonly TASK_QUARANTINED: OfTask;
  readonly TASK_ROLLBACK_OVERTAKEN: OfTask & OfApp;
  /** `file` where a file was read for the request. */
  readonly TASK_REQUEST_INVALID: { readonly errors: readonly RequestFault[]; readonly file?: string };
  readonly TASK_APP_UNKNOWN: OfApp;
  readonly TASK_APP_NOT_INSTALLED: OfApp;
  /** Those that were not shown. */
  readonly TASK_UNINSTALL_STALE: OfApp & { readonly paths: readonly string[] };
  readonly TASK_FORM_STALE: OfApp;
  /** `file` is relative to the catalog. */
  readonly TASK_SCRIPT_REFUSED: OfApp & OfFile & { readonly problems: readonly Problem[] };
  /** The hooks that would have to be accepted, and why they were dropped. */
  readonly TASK_HOOK_DROPPED: OfApp & { readonly hookIds: readonly string[]; readonly problems: readonly Problem[] };
  /** Characters from the expression's start. */
  readonly TASK_CRON_INVALID: { readonly cron: string; readonly position: number };
  /** The version asked for, the installed one, and those there are, the newest first. */
  readonly TASK_VERSION_UNKNOWN: OfVersions;
  readonly TASK_VERSION_NOT_NEWER: OfVersions;
  /** Versions of the script: installed, and of the catalog. */
  readonly TASK_UPDATE_INCOMPATIBLE: OfApp & { readonly installed: string; readonly version: string };
  readonly ACTION_UNKNOWN: OfApp & { readonly hookId: string };
  readonly ACTION_UNAVAILABLE: OfApp & { readonly hookId: string; readonly reason: string };
  readonly WIDGET_UNKNOWN: OfApp & { readonly widgetId: string };
  readonly DASHBOARD_REFUSED: { readonly problems: readonly Problem[] };
  readonly ANSWER_UNKNOWN: OfApp;
  /** The folder. */
  readonly CATALOG_UNREADABLE: { readonly root: string };
  readonly CLI_FILE_UNREADABLE: OfFile;
  readonly CLI_FILE_UNWRITABLE: OfFile;
  readonly CLI_JOURNAL_INVALID: OfFile;
  readonly CLI_JOURNAL_FOREIGN: OfFile;
  readonly CLI_REPLAY_DIVERGED: OfFile;
  /** Address of the service. */
  readonly CLI_API_FAILED: { readonly api: string };
  readonly CLI_SERVICE_UNPROVEN: { readonly api: string };
}

/** The facts of a `HOST_*` error: of a call the host refused, or of a request that can't be carried out on it. */
export type HostDetails = {
  /** Field paths of a validation error of the host. */
  readonly fields?: readonly { readonly field: string; readonly message: string }[];
  /** e.g. `EEXIST`. */
  readonly errname?: string | undefined;
  readonly appId?: string;
  /** Everything that stands in the way of an install, this error's own fault first. */
  readonly faults?: readonly Failure[];
  /** Of the app that has no upgrade (`HOST_UPGRADE_NONE`). */
  readonly version?: string;
  /** Directory of a stand-in, or the file of its state. */
  readonly dir?: string;
  readonly file?: string;
};

/** The facts of a `STORE_*` error. */
export type StoreDetails = {
  /** The database. */
  readonly file?: string;
  /** SQLite's result code, or the file system's. */
  readonly sqlite?: string;
  readonly errno?: string;
  /** The process that owns it (`STORE_LOCKED`). */
  readonly pid?: number;
  readonly command?: string;
  /** Schema it has, and the newest one known (`STORE_NEWER`, `STORE_OUTDATED`). */
  readonly found?: number;
  readonly known?: number;
  /** SQLite's findings in a damaged file. */
  readonly findings?: readonly string[];
  /** The setting that is not in force (`STORE_SETTINGS`). */
  readonly name?: string;
};

/** The facts of an error whose code has no row above: `problems` of a request refused for what it names. */
export interface AnyDetails {
  readonly problems?: readonly Problem[];
  readonly [member: string]: unknown;
}

/** The facts an error of a code carries. */
export type DetailsOf<C extends Code> = C extends keyof ErrorDetails
  ? ErrorDetails[C]
  : C extends `HOST_${string}`
    ? HostDetails
    : C extends `STORE_${string}`
      ? StoreDetails
      : AnyDetails;

/** Arguments behind the message of a new error: none where its code asks for no facts, or is not known here. */
type DetailArguments<C extends Code> = Code extends C
  ? [details?: Readonly<Record<string, unknown>>, cause?: unknown]
  : C extends keyof ErrorDetails
    ? [details: ErrorDetails[C], cause?: unknown]
    : [details?: DetailsOf<C>, cause?: unknown];

/** Marks an `EngineError`, whichever copy of the package or realm made it. */
const BRAND = Symbol.for("slipway.EngineError");

/** Whether a value is an `EngineError`, also of another copy of the package or another realm; `instanceof` asks the same. */
export function isEngineError(value: unknown): value is EngineError {
  return typeof value === "object" && value !== null && BRAND in value;
}

/** The class behind `EngineError`, for a class that extends it. */
export class EngineErrorOf<C extends Code> extends Error {
  static override [Symbol.hasInstance](value: unknown): boolean {
    return isEngineError(value);
  }

  /** Not enumerable: it is no fact of the error. */
  static {
    Object.defineProperty(EngineErrorOf.prototype, BRAND, { value: true });
  }

  override readonly name = "EngineError";
  readonly code: C;
  /** Typed facts of this error, e.g. `{taskId}` for a conflict or `{problems}` for a refused request. */
  readonly details: DetailsOf<C>;

  constructor(code: C, message: string, ...[details = {}, cause]: DetailArguments<C>) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
    // What the arguments' type demands for the code; an optional argument of a type not known yet can't show it.
    this.details = details as DetailsOf<C>;
  }
}

/**
 * The only thing the library throws on purpose, for embedders; anything else thrown is a bug. A check of `code` says what
 * `details` holds.
 */
export type EngineError<C extends Code = Code> = { readonly [K in C]: EngineErrorOf<K> }[C];

interface EngineErrorConstructor {
  /** `instanceof` leaves one of the errors of all codes. */
  readonly prototype: EngineError;
  /** `details` are the facts of the code, `cause` is what it comes from. */
  new <C extends Code>(code: C, message: string, ...rest: DetailArguments<C>): EngineErrorOf<C>;
}

/** @alias of the class, typed so that `instanceof` leaves one error of each code to tell apart. */
export const EngineError: EngineErrorConstructor = EngineErrorOf;
