/** Limits of one run (docs/sandbox.md): enforced softly in the child, hard in the parent. */

const KB = 1024;
const MB = 1024 * KB;

/** Bytes, milliseconds and counts; one table per kind of run. */
export interface RunLimits {
  /** Most ms of CPU in all, and of one delivery of the isolate. */
  readonly cpuMs: number;
  readonly sliceMs: number;
  readonly fetchesAtOnce: number;
  readonly fetches: number;
  readonly responseBytes: number;
  readonly responsesBytes: number;
  readonly requestBytes: number;
  readonly logLineBytes: number;
  readonly logBytes: number;
  readonly logLines: number;
  /** Messages out of the isolate, `log` lines not counted. */
  readonly messages: number;
  /** Characters of all headers out of the child, log lines counted: what the parent has to parse. */
  readonly messageBytes: number;
  readonly timers: number;
  readonly checkpoints: number;
  /** Context calls performed at once; the others wait in order. */
  readonly contextCallsAtOnce: number;
  readonly fileBytes: number;
  readonly filesBytes: number;
  /** Bytes of databases that are copied, each try counted. */
  readonly databaseBytes: number;
  readonly directoryEntries: number;
  readonly resultBytes: number;
}

/** Of hooks and actions. */
export const HOOK_LIMITS: RunLimits = {
  cpuMs: 30_000,
  sliceMs: 5_000,
  fetchesAtOnce: 8,
  fetches: 2_000,
  responseBytes: 16 * MB,
  responsesBytes: 256 * MB,
  requestBytes: 16 * MB,
  logLineBytes: 4 * KB,
  logBytes: MB,
  logLines: 5_000,
  messages: 20_000,
  messageBytes: 64 * MB,
  timers: 1_000,
  checkpoints: 200,
  contextCallsAtOnce: 10,
  fileBytes: 4 * MB,
  filesBytes: 32 * MB,
  databaseBytes: 2_048 * MB,
  directoryEntries: 5_000,
  resultBytes: 512 * KB,
};

/** Of widget queries. */
export const WIDGET_LIMITS: RunLimits = {
  cpuMs: 5_000,
  sliceMs: 1_000,
  fetchesAtOnce: 6,
  fetches: 50,
  responseBytes: 5 * MB,
  responsesBytes: 16 * MB,
  requestBytes: MB,
  logLineBytes: 4 * KB,
  logBytes: 64 * KB,
  logLines: 200,
  messages: 2_000,
  messageBytes: 16 * MB,
  timers: 50,
  checkpoints: 0,
  contextCallsAtOnce: 10,
  fileBytes: 4 * MB,
  filesBytes: 8 * MB,
  // lower than a hook's: a widget copies its databases at every refresh
  databaseBytes: 256 * MB,
  directoryEntries: 5_000,
  resultBytes: 512 * KB,
};

/** The limits of a kind of run. */
export function getLimits(kind: "hook" | "widget"): RunLimits {
  return kind === "hook" ? HOOK_LIMITS : WIDGET_LIMITS;
}

/** Of the child process itself, whatever runs in it. */
export const CHILD_LIMITS = {
  /** isolated-vm's `memoryLimit`, MB. */
  isolateMb: 64,
  /** RLIMIT_DATA in the KB `ulimit -d` takes. */
  dataKb: 300_000,
  /** RLIMIT_CPU, s. */
  cpuS: 30,
  /** RLIMIT_STACK in the KB `ulimit -s` takes. */
  stackKb: 8_192,
  /** How far a script may go down the stack, KB: Node's own frames lie above the script's, native ones below. */
  scriptStackKb: 3_900,
  /** All memory of all processes, shared included, MB: held by a memory group where there is one, else by the watch. */
  memoryMb: 400,
  /** RLIMIT_NOFILE. */
  files: 64,
  /** RLIMIT_FSIZE, blocks: it writes no file. */
  fileBlocks: 0,
  /** RLIMIT_NPROC, threads included; in force only where the child has a uid of its own. */
  processes: 64,
} as const;

/**
 * Wall time a delivery may take as a multiple of the CPU allowed for it: on a busy machine a process gets only its share.
 * The parent ends a delivery by its CPU; its stall limit comes after that. The child's own timer, which also counts the time
 * it waits for answers, ends nothing before the run's wall time is over.
 */
export const SLICE_STRETCH = 3;

/** Slack of the parent's stall limit behind the child's timer, ms. */
export const HARD_SLACK_MS = 500;

/**
 * Most bytes of a frame from the child: a request body and its header. A header is the JSON text of JSON text, so that a
 * result may be twice as long there.
 */
export const CHILD_FRAME_LIMITS = { header: MB + 4 * KB, frame: 18 * MB } as const;

/** Most characters of a header that does not bring the script's result: the context of a failure, twice escaped. */
export const CHILD_HEADER = 512 * KB;

/** Most bytes of a frame to the child: a response body and its header, or the script to start. */
export const PARENT_FRAME_LIMITS = { header: 24 * MB, frame: 48 * MB } as const;

/** Of the journal of one attempt; past one of them the run goes on without it (docs/hooks.md, "After a restart"). */
export const JOURNAL_LIMITS = {
  /** Calls and questions. */
  calls: 2_000,
  /** Everything kept, bodies included. */
  bytes: 16 * MB,
  /** One outcome. */
  outcomeBytes: 8 * MB,
  /** A body longer than this is kept by its hash, once for the run. */
  inlineBytes: 64 * KB,
} as const;
