/** Runs with a journal that a test begins, interrupts and begins again. */
import { expect } from "vitest";
import type { Run, RunOutcome, ScriptHost } from "../../../sandbox/contract.ts";
import { MemoryJournal, type MemoryJournalOptions } from "../../../sandbox/journal/memory-journal.ts";
import type { JournalRecord } from "../../../sandbox/journal/record.ts";
import { type StoredJournal, sealRows } from "../../../sandbox/journal/row.ts";
import { createSandbox, type SandboxOptions } from "../../../sandbox/sandbox.ts";
import { createScriptIo } from "../../../src/adapters/script-io/script-io.ts";

const scriptIo = createScriptIo({ loopback: true });

/** A sandbox that reaches loopback. */
export function openSandbox(options: Partial<SandboxOptions> = {}) {
  return createSandbox({ allowWeakSandbox: true, scriptIo, ...options });
}

export const sandbox = openSandbox();

export interface Life {
  readonly port?: number;
  readonly call?: ScriptHost["call"];
  readonly log?: (line: string) => void;
  readonly wallMs?: number;
  readonly in?: ReturnType<typeof openSandbox>;
}

/** Starts the body of an entrypoint with a journal. */
export async function begin(code: string, journal: MemoryJournal, life: Life = {}): Promise<Run> {
  const { port, call = async () => null, log = () => {}, wallMs = 20_000 } = life;
  const content = `export async function run(ctx) {\n${code}\n}`;
  const source = { kind: "inline", content } as const;
  const within = life.in ?? sandbox;
  const compiled = await within.compile({ app: "app", root: null, source, entrypoint: "run", label: "inline.ts" });
  if (!compiled.ok) throw new Error(compiled.problems.map(({ message }) => message).join("\n"));
  const network = {
    lanIp: "127.0.0.1",
    lanPorts: async () => (port === undefined ? [] : [port]),
    internet: false,
    readOnly: false,
  };
  return within.run(
    {
      runId: "test",
      kind: "hook",
      script: compiled.script,
      entrypoint: "run",
      context: { baseUrl: `http://127.0.0.1:${port ?? 1}`, host: "127.0.0.1" },
      secrets: [],
      wallMs,
      network,
      mounts: [],
      seed: "seed",
      journal,
    },
    { call, log, audit: () => {} },
  );
}

/** Every record of a journal. */
export function records(journal: MemoryJournal): JournalRecord[] {
  return journal.read().rows.flatMap(({ text }) => JSON.parse(text).records);
}

/** Whether a journal has a record of a kind. */
export function has(journal: MemoryJournal, kind: JournalRecord["is"]): boolean {
  return records(journal).some(({ is }) => is === kind);
}

/** The journal as a kill leaves it that comes right after the first record of a kind. */
export function cutAfter(journal: MemoryJournal, kind: JournalRecord["is"]): StoredJournal {
  const { rows } = journal.read();
  const last = rows.findIndex(({ text }) => text.includes(`"is":"${kind}"`));
  return sealRows(
    rows.slice(0, last + 1).map(({ text, bytes, bodies }, at) => {
      const step = JSON.parse(text);
      const end = step.records.findIndex(({ is }: JournalRecord) => is === kind) + 1;
      return {
        text: JSON.stringify(at < last ? step : { ...step, records: step.records.slice(0, end) }),
        bytes,
        bodies,
      };
    }),
  );
}

/** The journal for a later life. */
export function nextLife(journal: MemoryJournal, options: MemoryJournalOptions = {}): MemoryJournal {
  return new MemoryJournal(options, journal.read().rows);
}

export async function ended(run: Run): Promise<RunOutcome> {
  return run.outcome;
}

/** A journal of a run that was killed once it fits. */
export async function kill(code: string, journal: MemoryJournal, fits: () => boolean, life: Life = {}): Promise<void> {
  const run = await begin(code, journal, life);
  await expect.poll(fits, { interval: 5 }).toBe(true);
  run.stop();
  await ended(run);
}
