/**
 * Everything that crosses a boundary of the sandbox, as types.
 *
 * Invariants:
 * 1. A script reaches nothing but what `ScriptHost` and `ScriptIo` decide to do for it.
 * 2. Exactly one settled outcome is delivered into the isolate at a time; the calls it caused are collected in order.
 * 3. Every run ends with exactly one `RunOutcome`; after it no process of the run is left.
 */

import type { FailureDetail, Problem } from "../src/core/codes/problems.ts";
import type { Json, JsonObject } from "../src/core/json/json.ts";
import type { ScriptSource } from "../src/core/script/dictionary.ts";
import type { JournalRow, StoredJournal } from "./journal/row.ts";
import type { ContextCall } from "./protocol/context-call.ts";
import type { FetchAnswer, FileEntry, FileStat, SqliteRows, SqliteValue, WireError } from "./protocol/ops.ts";

/** The sandbox as the engine sees it. */
export interface Sandbox {
  /** Which protection layers this machine gives; catalog code is refused when a mandatory one is missing. */
  health(): Promise<SandboxHealth>;
  /** Bundles one script; problems are values with the author's file, line and column. */
  compile(request: CompileRequest): Promise<CompileResult>;
  /** Starts a script in a child process of its own. Never throws: every failure is an outcome. */
  run(request: RunRequest, scriptHost: ScriptHost): Run;
  /** What it is busy with now. */
  load(): SandboxLoad;
  /** Kills every run and the warm child; resolves when no child is left. */
  close(): Promise<void>;
}

/** How busy a sandbox is. */
export interface SandboxLoad {
  /** Processes for scripts that have not ended, the warm one included. */
  readonly children: number;
  /** Runs of each kind that wait for others to end. */
  readonly waiting: Readonly<Record<RunRequest["kind"], number>>;
}

/** The protection layers of this machine, as a live child shows them. */
export interface SandboxHealth {
  /** All mandatory layers are in force. */
  readonly usable: boolean;
  readonly layers: readonly SandboxLayer[];
}

/** One layer of isolation around a child. */
export interface SandboxLayer {
  readonly name: string;
  readonly mandatory: boolean;
  readonly active: boolean;
  /** The finding, e.g. `RLIMIT_DATA 307200000 bytes`. */
  readonly detail: string;
}

/** A script to bundle. */
export interface CompileRequest {
  /** Whose script it is: no process bundles scripts of two apps. */
  readonly app: string;
  /** Directory imports may not leave; null for inline code without a catalog. */
  readonly root: string | null;
  readonly source: ScriptSource;
  /** Name of the exported function that must exist. */
  readonly entrypoint: string;
  /** Name of inline code in messages and stack traces, e.g. `plex.json#configure-plex`. */
  readonly label: string;
}

/** The bundle, or what is wrong with the script. */
export type CompileResult =
  | { readonly ok: true; readonly script: CompiledScript }
  | { readonly ok: false; readonly problems: readonly Problem[] };

/** A bundled script: data, stored with the plan by its hash. */
export interface CompiledScript {
  readonly sha256: string;
  readonly code: string;
  /** Source map (JSON text) with sources relative to the catalog root and their contents. */
  readonly sourceMap: string;
}

/** One run of a compiled script, and all it may reach. */
export interface RunRequest {
  readonly runId: string;
  readonly kind: "hook" | "widget";
  readonly script: CompiledScript;
  readonly entrypoint: string;
  /** The data members of the script's context (`resourceId`, `event`, `inputs`, `mounts`, ...). */
  readonly context: JsonObject;
  /** Values masked in everything the script logs, throws or shows. */
  readonly secrets: readonly string[];
  /** Running time allowed, in ms; waiting for a person does not count. */
  readonly wallMs: number;
  readonly network: NetworkPolicy;
  readonly mounts: readonly Mount[];
  /** Seeds `Math.random` and the script's `crypto`-free randomness, so that a run can be replayed. */
  readonly seed: string;
  /** Where the run keeps what it was told, to go on where it was; absent: nothing is kept. */
  readonly journal?: RunJournal;
}

/** The journal of one run, and what the run asks of the engine because of it (docs/hooks.md, "After a restart"). */
export interface RunJournal {
  /** Reads the journal as kept so far; no rows where the run begins. Rejects when the signal aborts. */
  read(signal: AbortSignal): StoredJournal | Promise<StoredJournal>;
  /** Resolves when the entry is on disk; rejects where it never will be, since the run is over for the engine. */
  write(entry: JournalEntry): Promise<void>;
  /** Past a limit (the reason says which): what was kept goes, and the run can't go on from it any more. */
  giveUp(reason: string): void;
  /** Requests of unknown outcome are sent again without asking: the hook's `rerun` is `idempotent` or `converge`. */
  readonly resends: boolean;
  /** The engine's last sign of life before this one, ms since 1970; null where nothing is known of an earlier one. */
  readonly lastAlive: number | null;
  /** Asks a person about a request whose outcome nobody knows: `retry` sends it again, `skip` gives it up. */
  askAboutRequest(request: UncertainRequest, signal: AbortSignal): Promise<Choice>;
  /** The decision about a checkpoint a person was asked about in an earlier life. */
  decisionOf(checkpoint: string, signal: AbortSignal): Promise<Choice>;
  /** A context call of an earlier life, answered then, is made again: what it told may have been replaced before it was told. */
  replayed(call: ContextCall): void;
  /** The script stands where it was, `ranMs` of running time (ms) behind it, and goes on. */
  wentOn(ranMs: number): void;
  /** A named place is passed: tests have the process die there. */
  passed(place: JournalPlace): void;
  /** Kept is also what came last before the run's end, for whoever reads the journal then; default: no life follows it. */
  readonly keepsEnd?: boolean;
}

/** Plays journals where nothing is done: an author's bug report at a desk. */
export interface JournalPlayer {
  /**
   * Runs a script with every outcome taken from a journal, as far as that goes: nothing is sent, asked or waited for.
   * Never throws: every failure is an outcome.
   */
  play(request: PlayRequest, listener: PlayListener): Play;
}

/** The script as it ran, and the journal that was kept of it. */
export interface PlayRequest {
  readonly journal: StoredJournal;
  readonly script: CompiledScript;
  readonly entrypoint: string;
  /** As in `RunRequest`. */
  readonly context: JsonObject;
  /** Most time it may take, in ms. */
  readonly wallMs: number;
}

/** Listens to a script that is played back. */
export interface PlayListener {
  /** A context call, which is not performed, and what it was answered; undefined where that is not in the journal. */
  called(call: ContextCall, answer: Json | undefined): void;
  /** One `ctx.log` or console line. */
  log(line: string): void;
}

/** A journal being played. */
export interface Play {
  readonly outcome: Promise<PlayOutcome>;
  /** Ends it: the outcome is a failure with reason `stopped`. */
  stop(): void;
}

/**
 * Where a played journal has led: to the script's end, to its own with these calls open, or to a call that was another
 * one (`diverged`, with what is different in words; also where the journal is damaged).
 */
export type PlayOutcome = (
  | { readonly status: "ended"; readonly outcome: RunOutcome }
  | { readonly status: "open"; readonly calls: readonly OpenCall[]; readonly usage: RunUsage }
  | { readonly status: "diverged"; readonly message: string }
) & {
  /** Hashes of what the script called this time: of calls by their id, of questions in their order. */
  readonly made: { readonly calls: ReadonlyMap<number, string>; readonly questions: readonly string[] };
};

/** A call a script waits for where its journal ends, in words; a question in the middle of a delivery has no id. */
export interface OpenCall {
  readonly id: number | null;
  readonly call: string;
}

/** A decision of a person. */
export type Choice = "retry" | "skip";

/** Where a journalled run may be when its process dies. */
export type JournalPlace = "beforeSend" | "afterSend" | "beforeDelivery" | "afterDelivery";

/** One row to keep, and the log lines the deliveries in it have written. */
export interface JournalEntry {
  readonly row: JournalRow;
  readonly lines: readonly string[];
}

/** A request that may have arrived: it left, and its answer was lost. */
export interface UncertainRequest {
  /** The call's number in the script: two requests may be alike in everything else. */
  readonly call: number;
  readonly method: string;
  /** Origin and path; what could be a token in it is masked too. */
  readonly url: string;
  /** When it left, ms since 1970. */
  readonly at: number;
}

/**
 * A context call that takes the journal along: what it causes and its own outcome become durable in one transaction, so
 * that it takes effect exactly once.
 */
export interface JournalRide {
  /**
   * For what the call causes last: the journal so far with the call answered, once what was written before is on disk; null
   * where nothing is kept. Nothing else of the run is written before `settle` says whether the entry was committed.
   */
  take(answer: Json): Promise<JournalAboard | null>;
  /** For what it causes before that: the journal without the answer; null also where it is on disk. */
  ahead(): Promise<JournalAboard | null>;
}

/** A journal entry that was taken along. */
export interface JournalAboard {
  readonly entry: JournalEntry;
  settle(committed: boolean): void;
}

/** The addresses a script may reach; every other is refused with `policy_denied`. */
export interface NetworkPolicy {
  /** The host's LAN address: the only address plain apps are reached at. Empty: there is none. */
  readonly lanIp: string;
  /** Ports allowed on the LAN address: those the host says installed apps publish, asked at each request. */
  readonly lanPorts: () => Promise<readonly number[]>;
  /** Whether the script's app is there and does not run, so that its ports may still come. Absent: they never come. */
  readonly isStarting?: () => Promise<boolean>;
  /** Every address of the host: none counts as public, so that its own services are not reached at another one. */
  readonly hostAddresses?: readonly string[];
  /** Public unicast addresses on ports 80 and 443. */
  readonly internet: boolean;
  /** GET and HEAD only (widgets). */
  readonly readOnly: boolean;
}

/** A host directory the app sees, read-only for its scripts. */
export interface Mount {
  readonly hostPath: string;
  readonly containerPath: string | null;
  /** Where the engine's own machine sees it. */
  readonly localPath: string;
  /**
   * Where this machine sees the outermost of the host's locations it lies in or is: no app can replace that one by a
   * link, so every look into the mount begins there. null: it lies in none, and nothing of it is read.
   */
  readonly location: string | null;
}

export type { ContextCall };

/** The engine as a running script asks it. Answers are JSON; a rejection is thrown in the script at the call. */
export interface ScriptHost {
  /**
   * The signal aborts when the run has ended: what the call waits for is wanted no more. A call that causes a turn of its
   * task hands that turn what `ride` takes along.
   */
  call(call: ContextCall, signal: AbortSignal, ride?: JournalRide): Promise<Json>;
  /** One `ctx.log` or console line, already masked. */
  log(line: string): void;
  /** One decision of the network or file policy. */
  audit(record: AuditRecord): void;
}

/** One decision of the network or file policy, for the log. */
export interface AuditRecord {
  readonly kind: "fetch" | "file" | "sqlite";
  /** HTTP method, or `read`, `list`, `stat`, `query`. */
  readonly method: string;
  /** Host and port, or the virtual path. Never a query string or header. */
  readonly target: string;
  readonly allowed: boolean;
  readonly status?: number;
  readonly reason?: string;
}

/** A run under way. */
export interface Run {
  /**
   * Resolves with true when the script begins, which may be long after `Sandbox.run`; with false when it goes on where it
   * was, or when the run has ended before either.
   */
  readonly begun: Promise<boolean>;
  readonly outcome: Promise<RunOutcome>;
  /** Kills the child; the outcome becomes `failed` with reason `stopped`. */
  stop(): void;
  /**
   * Stops at the end of the present delivery with everything kept, so that a later run goes on from there; the outcome becomes
   * `failed` with reason `stopped`. Delivery and requests a person would be asked about have `patienceMs` to end in all; what
   * is sent again in any case is not waited for. Without a journal: `stop`.
   */
  suspend(patienceMs: number): void;
  /** Running time so far, in ms, without waiting for a person. */
  ranMs(): number;
}

/** Why a run failed (docs/sandbox.md); `stopped` when the engine ended it. */
export type RunReason =
  | "script_error"
  | "timeout_wall"
  | "timeout_cpu"
  | "memory"
  | `quota_${string}`
  | "sandbox_crash"
  | "policy_denied"
  | "replay_diverged"
  | "stopped";

/** How a run ended, and what it used. */
export type RunOutcome = (
  | { readonly status: "completed"; readonly result: Json }
  | {
      readonly status: "failed";
      readonly reason: RunReason;
      readonly message: string;
      readonly context: readonly FailureDetail[];
      /** Frames in the author's TypeScript: `file:line:column`. */
      readonly stack?: string;
    }
) & { readonly usage: RunUsage };

/** The resources a run used: running time and CPU in ms, highest resident memory in MB, requests made. */
export interface RunUsage {
  readonly wallMs: number;
  readonly cpuMs: number;
  readonly peakMb: number;
  readonly fetches: number;
}

/**
 * The effects of scripts, performed by adapters (`src/adapters/script-io/script-io.ts`); the sandbox itself touches nothing.
 *
 * Invariants:
 * 1. Nothing here throws or rejects: every failure is a value, with a virtual path or URL, never a path of this machine.
 * 2. Every decision of a policy is reported to `ScriptIoScope.audit` once, with what came of it.
 * 3. A value past a limit is an error whose code is `quota_<what>`; the run ends with that reason.
 * 4. Nothing of a session is left after `close`: no connection, no process, no copy.
 */
export interface ScriptIo {
  /** Opens the effects of one run; the run closes them when it has ended. */
  open(scope: ScriptIoScope): ScriptIoSession;
}

/** One run, as the script io knows it. */
export interface ScriptIoScope {
  readonly network: NetworkPolicy;
  readonly mounts: readonly Mount[];
  readonly audit: (record: AuditRecord) => void;
  /** Most bytes of one response's body, of one file, of all copied databases; most entries of one directory. */
  readonly limits: {
    readonly responseBytes: number;
    readonly fileBytes: number;
    readonly databaseBytes: number;
    readonly directoryEntries: number;
  };
}

/** The effects of one run; paths are as the script wrote them. */
export interface ScriptIoSession {
  /** One HTTP exchange, redirects included; an aborted one is answered with an `AbortError`. */
  fetch(request: ScriptIoRequest, signal: AbortSignal): Promise<Answered<ScriptIoReply>>;
  readFile(path: string): Promise<Answered<Uint8Array>>;
  list(path: string): Promise<Answered<readonly FileEntry[]>>;
  stat(path: string): Promise<Answered<FileStat>>;
  /** Opens an SQLite database below the mounts, read-only; answers a handle of this session. */
  openDatabase(path: string): Promise<Answered<number>>;
  query(query: ScriptIoQuery): Promise<Answered<SqliteRows>>;
  closeDatabase(db: number): Promise<Answered<null>>;
  close(): Promise<void>;
}

/** The value asked for, or the error the script gets to see. */
export type Answered<T> = { readonly ok: T } | { readonly error: WireError };

/** An HTTP request of a script. */
export interface ScriptIoRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: readonly (readonly [string, string])[];
  readonly redirect: "follow" | "manual" | "error";
  readonly body: Uint8Array | null;
}

/** The last response and its whole body, decompressed. */
export interface ScriptIoReply {
  readonly head: FetchAnswer;
  readonly body: Uint8Array;
  /** Called once the script's process has the body, or nobody wants it any more: until then it counts as held. */
  readonly taken?: () => void;
}

/** One SQL statement on an open database. */
export interface ScriptIoQuery {
  readonly db: number;
  readonly sql: string;
  readonly params: readonly SqliteValue[] | { readonly [name: string]: SqliteValue };
  readonly limit?: number;
}
