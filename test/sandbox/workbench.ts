/** Runs scripts in the real sandbox with the real outside, and keeps what they asked for. */
import { join } from "node:path";
import type { AuditRecord, ContextCall, Mount, RunOutcome, Sandbox } from "../../sandbox/contract.ts";
import { MemoryJournal } from "../../sandbox/journal/memory-journal.ts";
import { createSandbox } from "../../sandbox/sandbox.ts";
import { createScriptIo } from "../../src/adapters/script-io/script-io.ts";
import type { Json, JsonObject } from "../../src/core/json/json.ts";
import type { ScriptSource } from "../../src/core/script/dictionary.ts";
import type { AppServer } from "./app-server.ts";

/** The corpus of scripts. */
export const SCRIPTS = join(import.meta.dirname, "scripts");

export interface ScriptRun {
  /** A file of the corpus, or code. */
  readonly file?: string;
  readonly code?: string;
  readonly entrypoint?: string;
  readonly kind?: "hook" | "widget";
  readonly context?: JsonObject;
  readonly mounts?: readonly Mount[];
  readonly app?: AppServer;
  /** Installed apps by id. */
  readonly others?: Readonly<Record<string, AppServer>>;
  /** Answers of `awaitCheckpointRetry`, in order; then `skip`. */
  readonly person?: readonly ("retry" | "skip")[];
  readonly seed?: string;
  readonly wallMs?: number;
  /** Default: one that is thrown away afterwards where the workbench replays, else none. */
  readonly journal?: MemoryJournal;
}

export interface Ran {
  readonly outcome: RunOutcome;
  readonly log: readonly string[];
  readonly calls: readonly ContextCall[];
  readonly audit: readonly AuditRecord[];
}

export interface Workbench extends AsyncDisposable {
  readonly sandbox: Sandbox;
  run(request: ScriptRun): Promise<Ran>;
  /** Runs `code` as the body of the entrypoint; answers its result, throws what it ended with. */
  evaluate(code: string, request?: ScriptRun): Promise<Json>;
}

/** `SLIPWAY_ALWAYS_REPLAY` has every outcome of a hook delivered into a fresh isolate. */
const ALWAYS_REPLAY = process.env["SLIPWAY_ALWAYS_REPLAY"] !== undefined;

export function createWorkbench(alwaysReplay = ALWAYS_REPLAY): Workbench {
  const sandbox = createSandbox({
    allowWeakSandbox: true,
    scriptIo: createScriptIo({ loopback: true }),
    alwaysReplay,
  });
  const run = (request: ScriptRun) => runScript(sandbox, request, alwaysReplay);
  return {
    sandbox,
    run,
    evaluate: async (code, request = {}) => {
      const { outcome } = await run({ ...request, code: `export async function run(ctx: any) {\n${code}\n}` });
      if (outcome.status === "completed") return outcome.result;
      throw new Error(`${outcome.reason}: ${outcome.message}\n${outcome.stack ?? ""}`);
    },
    [Symbol.asyncDispose]: () => sandbox.close(),
  };
}

async function runScript(sandbox: Sandbox, request: ScriptRun, alwaysReplay: boolean): Promise<Ran> {
  const { app, others = {}, mounts = [], kind = "hook", entrypoint = "run" } = request;
  const source: ScriptSource =
    request.file === undefined ? { kind: "inline", content: request.code ?? "" } : { kind: "file", path: request.file };
  const root = request.file === undefined ? null : SCRIPTS;
  const compiled = await sandbox.compile({ app: "app", root, source, entrypoint, label: "inline.ts" });
  if (!compiled.ok) throw new Error(compiled.problems.map(({ message }) => message).join("\n"));
  const log: string[] = [];
  const calls: ContextCall[] = [];
  const audit: AuditRecord[] = [];
  const person = [...(request.person ?? [])];
  const ports = [app, ...Object.values(others)].flatMap((server) => (server === undefined ? [] : [server.port]));
  const kept = alwaysReplay && kind === "hook" ? new MemoryJournal({ log: (line) => log.push(line) }) : undefined;
  const journal = request.journal ?? kept;
  const { outcome } = sandbox.run(
    {
      runId: "test",
      kind,
      script: compiled.script,
      entrypoint,
      context: {
        ...(kind === "hook"
          ? { resourceId: "app", event: "userAction", inputs: {}, baseUrl: app?.url ?? "" }
          : { appId: "app", ...(app && { port: app.port }) }),
        host: "127.0.0.1",
        mounts: mounts.map((mount) => ({ ...mount })),
        ...request.context,
      },
      secrets: [],
      wallMs: request.wallMs ?? 20_000,
      network: { lanIp: "127.0.0.1", lanPorts: async () => ports, internet: false, readOnly: kind === "widget" },
      mounts,
      seed: request.seed ?? "test",
      ...(journal && { journal }),
    },
    {
      call: async (call) => {
        calls.push(call);
        if (call.kind === "awaitCheckpointRetry") return person.shift() ?? "skip";
        return call.kind === "getInstalledAppUrl" ? (others[call.appId]?.url ?? null) : null;
      },
      log: (line) => log.push(line),
      audit: (record) => audit.push(record),
    },
  );
  return { outcome: await outcome, log, calls, audit };
}

/** The result of a run that completed; throws what it failed with. */
export function resultOf({ outcome, log }: Ran): Json {
  if (outcome.status === "completed") return outcome.result;
  throw new Error(`${outcome.reason}: ${outcome.message}\n${outcome.stack ?? ""}\n${log.join("\n")}`);
}
