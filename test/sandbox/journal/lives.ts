/** Several lives of one run: each ends where a test says, and the next one goes on from the rows that were written. */
import type {
  Choice,
  CompiledScript,
  ContextCall,
  JournalEntry,
  JournalPlace,
  Mount,
  Run,
  RunOutcome,
  Sandbox,
  UncertainRequest,
} from "../../../sandbox/contract.ts";
import { MemoryJournal } from "../../../sandbox/journal/memory-journal.ts";
import type { JournalRow } from "../../../sandbox/journal/row.ts";
import type { JsonObject } from "../../../src/core/json/json.ts";

/** What one life is told and what its world answers. */
export interface LifeOptions {
  readonly script: CompiledScript;
  readonly port: number;
  readonly rows?: readonly JournalRow[];
  /** Of the last row, where it is not the last of `rows`. */
  readonly head?: string;
  readonly entrypoint?: string;
  readonly seed?: string;
  readonly context?: JsonObject;
  readonly mounts?: readonly Mount[];
  readonly resends?: boolean;
  /** What the person presses, for requests of unknown outcome and for checkpoints; default `retry`. */
  readonly choose?: (about: UncertainRequest | string) => Choice;
  /** Called where the process might die. */
  readonly event?: (life: Life, place: LifePlace) => void;
  /** Called for each context call that has taken effect. */
  readonly took?: (call: ContextCall) => void;
}

export type LifePlace = JournalPlace | "beforeCommit" | "afterCommit";

/** A life under way, and what came of it. */
export interface Life {
  readonly journal: LifeJournal;
  readonly run: Run;
  readonly outcome: Promise<RunOutcome>;
  /** Lines and calls that were told for good, in order. */
  readonly lines: readonly string[];
  readonly calls: readonly ContextCall[];
  /** The process dies: nothing is written from now on. */
  die(): void;
}

/** A journal whose process may die. */
export class LifeJournal extends MemoryJournal {
  isDead = false;
  readonly #options: LifeOptions;
  readonly #passed: (place: LifePlace) => void;

  constructor(options: LifeOptions, log: (line: string) => void, passed: (place: LifePlace) => void) {
    const { choose = () => "retry", resends = false } = options;
    super(
      {
        log,
        resends,
        passed,
        askAboutRequest: async (request) => choose(request),
        decisionOf: async (checkpoint) => choose(checkpoint),
      },
      options.rows,
    );
    this.#options = options;
    this.#passed = passed;
  }

  override read() {
    const { rows, head } = super.read();
    const { rows: given = [], head: givenHead } = this.#options;
    return { rows, head: rows.length === given.length ? (givenHead ?? head) : head };
  }

  override write(entry: JournalEntry): Promise<void> {
    return this.commit(entry, () => {});
  }

  /** Writes a row, and what takes effect in the same transaction. */
  async commit(entry: JournalEntry, effect: () => void): Promise<void> {
    this.#pass("beforeCommit");
    await super.write(entry);
    effect();
    this.#pass("afterCommit");
  }

  #pass(place: LifePlace): void {
    if (!this.isDead) this.#passed(place);
    if (this.isDead) throw new Error("the process is dead");
  }
}

/** Begins a life; context calls take effect with the row that rides on them. */
export function beginLife(sandbox: Sandbox, options: LifeOptions): Life {
  const { script, port, entrypoint = "run", seed = "seed", mounts = [], choose = () => "retry" } = options;
  const lines: string[] = [];
  const calls: ContextCall[] = [];
  const journal = new LifeJournal(
    options,
    (line) => lines.push(line),
    (place) => options.event?.(life, place),
  );
  const run = sandbox.run(
    {
      runId: "life",
      kind: "hook",
      script,
      entrypoint,
      context: {
        resourceId: "app",
        event: "userAction",
        inputs: {},
        baseUrl: `http://127.0.0.1:${port}`,
        host: "127.0.0.1",
        mounts: mounts.map((mount) => ({ ...mount })),
        ...options.context,
      },
      secrets: [],
      wallMs: 30_000,
      network: { lanIp: "127.0.0.1", lanPorts: async () => [port], internet: false, readOnly: false },
      mounts,
      seed,
      journal,
    },
    {
      log: (line) => lines.push(line),
      audit: () => {},
      call: async (call, _signal, ride) => {
        if (call.kind === "getInstalledAppUrl") return null;
        const take = () => {
          calls.push(call);
          options.took?.(call);
        };
        const aboard = await ride?.take(null);
        if (aboard === undefined || aboard === null) take();
        else {
          const committed = journal.commit(aboard.entry, take);
          await committed.then(
            () => aboard.settle(true),
            () => aboard.settle(false),
          );
          await committed;
        }
        return call.kind === "awaitCheckpointRetry" ? choose(call.id) : null;
      },
    },
  );
  const life: Life = {
    journal,
    run,
    outcome: run.outcome,
    lines,
    calls,
    die() {
      journal.isDead = true;
      run.stop();
    },
  };
  return life;
}

/** Compiles code of one file with the entrypoint `run`; throws where it has faults. */
export async function compile(sandbox: Sandbox, content: string): Promise<CompiledScript> {
  const compiled = await sandbox.compile({
    app: "app",
    root: null,
    source: { kind: "inline", content },
    entrypoint: "run",
    label: "inline.ts",
  });
  if (!compiled.ok) throw new Error(compiled.problems.map(({ message }) => message).join("\n"));
  return compiled.script;
}
