/** Where the journal bench's runs take place: a sandbox, an app, and journals in a real store. */
import { mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { CompiledScript, JournalEntry, Run, RunJournal, ScriptHost } from "../../../sandbox/contract.ts";
import { createSandbox } from "../../../sandbox/sandbox.ts";
import { createScriptIo } from "../../../src/adapters/script-io/script-io.ts";
import { openStore } from "../../../src/adapters/store-sqlite/open-store.ts";
import { makeEffect, makeTask, turn } from "../../../src/contract/store-rows.ts";
import { joinParts } from "../../../src/engine/effects/hook/join-parts.ts";
import type { Store } from "../../../src/engine/ports/store.ts";
import { JournalWriter } from "../../../src/engine/runtime/journal-writer.ts";
import { createSystemClock } from "../../../src/engine/system/clock.ts";
import { SILENT_LOGGER } from "../../../src/engine/system/silent-logger.ts";
import { serveApp } from "./app.ts";

export interface Stage {
  /** A script with this body. */
  compile(body: string): Promise<CompiledScript>;
  /** Runs a script against the app. */
  run(script: CompiledScript, host: Partial<ScriptHost>, journal?: RunJournal): Run;
  /** A journal of its own. */
  openJournal(): Kept;
  close(): Promise<void>;
}

export interface Kept {
  readonly journal: RunJournal;
  /** Resolves once the script's first log line is on disk. */
  readonly logged: Promise<void>;
}

/** Opens a stage of its own. */
export async function openStage(): Promise<Stage> {
  const folder = mkdtempSync(join(process.cwd(), "bench-"));
  const store = openStore({ file: join(folder, "journal.db") });
  const writer = new JournalWriter({ store, clock: createSystemClock(), logger: SILENT_LOGGER });
  const sandbox = createSandbox({ allowWeakSandbox: true, scriptIo: createScriptIo({ loopback: true }) });
  const app = await serveApp();
  let effects = 0;
  return {
    async compile(body) {
      const source = { kind: "inline", content: `export async function run(ctx) { ${body} }` } as const;
      const made = await sandbox.compile({ app: "app", root: null, source, entrypoint: "run", label: "bench.ts" });
      if (!made.ok) throw new Error(made.problems[0]?.message);
      return made.script;
    },
    run: (script, host, journal) =>
      sandbox.run(
        {
          runId: "bench",
          kind: "hook",
          script,
          entrypoint: "run",
          context: { resourceId: "app", event: "userAction", inputs: {}, baseUrl: `http://127.0.0.1:${app.port}` },
          secrets: [],
          wallMs: 600_000,
          network: { lanIp: "127.0.0.1", lanPorts: async () => [app.port], internet: false, readOnly: false },
          mounts: [],
          seed: "bench",
          ...(journal && { journal }),
        },
        { call: async () => null, log: () => {}, audit: () => {}, ...host },
      ),
    openJournal() {
      effects += 1;
      const task = `t${effects}`;
      store.commit(turn(store, makeTask(task, 1), { effects: [makeEffect(task, 1)] }));
      return keep(store, writer, task);
    },
    async close() {
      await sandbox.close();
      await writer.close();
      store.close();
      app.close();
      rmSync(folder, { recursive: true });
    },
  };
}

/** Stops a run and waits for its end. */
export async function stop(running: Run): Promise<void> {
  running.stop();
  await running.outcome;
}

/** The journal of the effect `makeEffect(task, 1)`. */
function keep(store: Store, writer: JournalWriter, taskId: string): Kept {
  const effectId = `${taskId}:1.0`;
  const logged = Promise.withResolvers<void>();
  return {
    logged: logged.promise,
    journal: {
      resends: false,
      lastAlive: null,
      read: () => joinParts(async (from) => store.journal(effectId, from)),
      write: async (entry: JournalEntry) => {
        await writer.write({ effectId, taskId, at: Date.now(), ...entry });
        if (entry.lines.length > 0) logged.resolve();
      },
      giveUp: (reason) => logged.reject(new Error(reason)),
      askAboutRequest: async () => "skip",
      decisionOf: async () => "skip",
      replayed: () => {},
      wentOn: () => {},
      passed: () => {},
    },
  };
}
