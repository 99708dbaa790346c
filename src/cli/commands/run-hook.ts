/** `slipway run-hook`: the author's workbench. Runs one script in the real sandbox, without engine or host. */

import { lookup } from "node:dns/promises";
import { realpathSync, statSync } from "node:fs";
import { dirname, relative, resolve, sep } from "node:path";
import { InvalidArgumentError } from "commander";
import { z } from "zod";
import type { CompiledScript, ContextCall, NetworkPolicy, RunOutcome, Sandbox } from "../../../sandbox/contract.ts";
import { createSandbox } from "../../../sandbox/sandbox.ts";
import { createScriptIo } from "../../adapters/script-io/script-io.ts";
import { readPort } from "../../adapters/url-parts.ts";
import { createFileUnreadableError } from "../../core/codes/common-errors.ts";
import { EngineError, type FailureDetail, type Problem } from "../../core/codes/problems.ts";
import { readWidgetResult } from "../../core/hooks/widget-result.ts";
import type { Json } from "../../core/json/json.ts";
import type { ScriptSource, Widget } from "../../core/script/dictionary.ts";
import { AppAnswersFile } from "../../standin/apps/answers.ts";
import type { DefineCommand } from "../command.ts";
import { answerFromTable } from "../options/answers-http.ts";
import { type DeclaredWidget, readDeclaredWidget } from "../options/declared-widget.ts";
import { readJsonFile } from "../options/files.ts";
import { CheckpointBoard, type ShownCheckpoint } from "../ui/checkpoint-board.ts";
import { EXIT } from "../ui/exit.ts";
import { formatOption } from "../ui/format.ts";
import { printJson, type Terminal } from "../ui/terminal.ts";

interface RunHookOptions {
  readonly entrypoint?: string;
  /** `SCRIPT.json#ID`. */
  readonly widget?: string;
  readonly context?: string;
  /** Seconds of running time; default: the widget's own, of a hook 300. */
  readonly timeout?: number;
  readonly catalog?: string;
  readonly answersHttp?: string;
  readonly format: "text" | "json";
}

/** The document `--format json` prints. */
interface RunHookResult {
  readonly outcome: {
    readonly status: "completed" | "failed";
    readonly reason?: string;
    readonly code?: string;
    readonly message?: string;
    readonly context?: readonly FailureDetail[];
    readonly stack?: string;
  };
  readonly checkpoints: readonly ShownCheckpoint[];
  readonly log: readonly string[];
  readonly result?: Json;
  /** What of a widget's result can't be shown, or is missing for its sizes. */
  readonly problems?: readonly Pick<Problem, "code" | "message" | "path">[];
  readonly usage: RunOutcome["usage"];
}

/** The context file: the context's data members; `installedApps` answers `getInstalledAppUrl`. */
const ContextFile = z
  .object({
    resourceId: z.string().default("app"),
    event: z.string().default("userAction"),
    inputs: z.record(z.string(), z.json()).default({}),
    baseUrl: z.string().default(""),
    host: z.string().exactOptional(),
    port: z.int().exactOptional(),
    mounts: z
      .array(z.object({ hostPath: z.string(), containerPath: z.string().nullable(), localPath: z.string() }))
      .default([]),
    installedApps: z.record(z.string(), z.string()).default({}),
  })
  .catchall(z.json());
type ContextFile = z.infer<typeof ContextFile>;

/**
 * `slipway run-hook SCRIPT.ts --entrypoint NAME`, or `--widget SCRIPT.json#ID`: exit 0 when the script completed, 1 when it
 * or its bundling failed, or a widget's result can't be shown as declared.
 */
export const defineRunHook: DefineCommand = (command, terminal) => {
  command
    .argument("[script]", "the TypeScript file")
    .option("--entrypoint <name>", "the exported function to call")
    .option("--widget <script#id>", "instead: a widget by its install script and id; its result is checked")
    .option("--context <file>", "JSON file with the context's data members")
    .option("--timeout <seconds>", "running time allowed (default: 300; for a widget its own)", toSeconds)
    .option("--catalog <dir>", "folder that imports may not leave (default: the script's own folder)")
    .option("--answers-http <file>", "JSON table that answers every request instead of the network")
    .addOption(formatOption())
    .action(async (script: string | undefined, options: RunHookOptions) => {
      const result = await runHook(await readSubject(script, options), options, terminal);
      if (options.format === "json") printJson(terminal, result);
      else printOutcome(terminal, result);
      if (result.outcome.status === "failed") terminal.exitCode = EXIT.failed;
    });
};

function toSeconds(text: string): number {
  const seconds = Number(text);
  if (seconds > 0 && seconds <= 21_600) return seconds;
  throw new InvalidArgumentError("allowed are more than 0 and at most 21600 seconds");
}

/** A function of a file, run as a hook, or a declared widget. */
interface Subject {
  readonly place: { readonly root: string; readonly label: string };
  readonly source: ScriptSource;
  readonly entrypoint: string;
  readonly timeout: number;
  /** A widget's declaration. */
  readonly declared?: DeclaredWidget;
}

async function readSubject(script: string | undefined, options: RunHookOptions): Promise<Subject> {
  const { entrypoint, widget: name, timeout } = options;
  if (name !== undefined && script === undefined && entrypoint === undefined) {
    const declared = await readDeclaredWidget(name);
    const { source, entrypoint: start, timeout: own } = declared.widget;
    const root = options.catalog === undefined ? realpath(declared.folder) : realpath(options.catalog);
    const label = source.kind === "file" ? source.path : name;
    return { place: { root, label }, source, entrypoint: start, timeout: timeout ?? own, declared };
  }
  if (name !== undefined) throw new EngineError("CLI_USAGE", "--widget takes neither a script nor --entrypoint");
  if (script === undefined) throw new EngineError("CLI_USAGE", "a script is missing, or --widget");
  if (entrypoint === undefined) throw new EngineError("CLI_USAGE", "--entrypoint is missing");
  const { root, path } = findPlace(script, options.catalog);
  return { place: { root, label: path }, source: { kind: "file", path }, entrypoint, timeout: timeout ?? 300 };
}

async function runHook(subject: Subject, options: RunHookOptions, terminal: Terminal): Promise<RunHookResult> {
  const context = options.context === undefined ? ContextFile.parse({}) : readJsonFile(options.context, ContextFile);
  const answers =
    options.answersHttp === undefined ? undefined : readJsonFile(options.answersHttp, AppAnswersFile).answers;
  const real = createScriptIo({ loopback: true });
  const scriptIo = answers === undefined ? real : answerFromTable(real, answers, context.baseUrl);
  const { place, source, entrypoint, declared } = subject;
  const sandbox = createSandbox({ scriptIo, allowWeakSandbox: true, keepSpare: false });
  try {
    const { root, label } = place;
    const compiled = await sandbox.compile({ app: label, root, source, entrypoint, label });
    // after it, when the processes to look at have been started for it
    await requireUsable(sandbox);
    if (!compiled.ok) return createNotCompiled(compiled.problems);
    const ended = await run(sandbox, compiled.script, context, subject, options, terminal);
    return declared === undefined || ended.outcome.status === "failed" ? ended : checkResult(declared.widget, ended);
  } finally {
    await sandbox.close();
  }
}

/** A widget's run with its result checked against the declaration: what can't be shown at all is a failure. */
function checkResult(widget: Widget, ended: RunHookResult): RunHookResult {
  const read = readWidgetResult(widget, ended.result ?? null);
  const [code, status] = ["WIDGET_RESULT_INVALID", "failed"] as const;
  if (read.kind === "invalid") return { ...ended, outcome: { status, code, message: read.message } };
  if (read.kind === "needsSetup") return { ...ended, problems: [] };
  const problems = read.problems.map(({ code, message, path }) => ({ code, message, path }));
  const fault = problems.find((problem) => problem.code === code);
  return { ...ended, problems, ...(fault && { outcome: { status, code, message: fault.message } }) };
}

async function run(
  sandbox: Sandbox,
  script: CompiledScript,
  context: ContextFile,
  { entrypoint, timeout, declared }: Subject,
  options: RunHookOptions,
  terminal: Terminal,
): Promise<RunHookResult> {
  const { installedApps, ...data } = context;
  const live = options.format === "text";
  const board = new CheckpointBoard();
  const log: string[] = [];
  const showCheckpoint = ({ id, message, state }: ShownCheckpoint) => {
    if (live) terminal.stdout.write(`[${state}] ${id}: ${message}\n`);
  };
  const call = async (call: ContextCall): Promise<Json> => {
    if (declared !== undefined) throw new Error(`a widget can't call "${call.kind}"`);
    for (const checkpoint of board.apply(call)) showCheckpoint(checkpoint);
    if (call.kind === "getInstalledAppUrl") return installedApps[call.appId] ?? null;
    if (call.kind === "setProgress" && live) terminal.stdout.write(`[${call.percent} %]\n`);
    if (call.kind !== "awaitCheckpointRetry") return null;
    if (live) terminal.stdout.write(`  ${call.error}\n`);
    // Nobody is asked at the workbench: the script goes the way a person's Skip would send it.
    showCheckpoint(board.skip(call.id));
    return "skip";
  };
  const started = sandbox.run(
    {
      runId: "run-hook",
      kind: declared === undefined ? "hook" : "widget",
      script,
      entrypoint,
      context: declared === undefined ? data : { ...data, appId: declared.dictionary.appId },
      secrets: [],
      wallMs: timeout * 1000,
      network: {
        ...(await buildNetworkPolicy(context)),
        internet: declared?.dictionary.custom !== true,
        readOnly: declared !== undefined,
      },
      // The workbench has no host: its author says which directories are mounts, and vouches for them.
      mounts: context.mounts.map((mount) => ({ ...mount, location: mount.localPath })),
      seed: "run-hook",
    },
    {
      call,
      log: (line) => {
        log.push(line);
        if (live) terminal.stdout.write(`${line}\n`);
      },
      audit: ({ kind, method, target, allowed, reason }) => {
        if (!allowed && live) terminal.stderr.write(`refused: ${kind} ${method} ${target}: ${reason ?? ""}\n`);
      },
    },
  );
  terminal.signal.addEventListener("abort", started.stop);
  try {
    const { usage, ...ending } = await started.outcome;
    const seen = { checkpoints: board.list(), log, usage };
    if (ending.status === "failed") return { outcome: ending, ...seen };
    return { outcome: { status: "completed" }, ...seen, result: ending.result };
  } finally {
    terminal.signal.removeEventListener("abort", started.stop);
  }
}

/** Root and path of the script; `CLI_FILE_UNREADABLE` where one is not what it should be or the script is not below the root. */
function findPlace(script: string, catalog: string | undefined): { root: string; path: string } {
  const file = realpath(script);
  const root = catalog === undefined ? dirname(file) : realpath(catalog);
  if (!statSync(file).isFile()) throw createFileUnreadableError(script, "it is not a regular file");
  if (!statSync(root).isDirectory()) throw createFileUnreadableError(catalog ?? root, "it is not a directory");
  const path = relative(root, file);
  if (path !== ".." && !path.startsWith(`..${sep}`)) return { root, path };
  throw createFileUnreadableError(script, `it is not below the catalog "${catalog}"`);
}

function realpath(path: string): string {
  try {
    return realpathSync(resolve(path));
  } catch (error) {
    throw createFileUnreadableError(path, error);
  }
}

async function requireUsable(sandbox: Sandbox): Promise<void> {
  const { usable, layers } = await sandbox.health();
  if (usable) return;
  const missing = layers.filter(({ mandatory, active }) => mandatory && !active).map(({ name }) => name);
  throw new EngineError("SANDBOX_UNAVAILABLE", `the sandbox lacks ${missing.join(", ")} on this machine`, { layers });
}

/**
 * The base URL's host is this workbench's LAN address, loopback too: it is the author's own machine. Without a base URL
 * there is none, and loopback stays denied.
 */
async function buildNetworkPolicy(context: ContextFile): Promise<NetworkPolicy> {
  const base = URL.parse(context.baseUrl);
  const host = base?.hostname.replace(/^\[|\]$/g, "") ?? context.host;
  const lanIp =
    host === undefined
      ? NOWHERE
      : await lookup(host).then(
          ({ address }) => address,
          () => NOWHERE,
        );
  const ports = [base, ...Object.values(context.installedApps).map((url) => URL.parse(url))].flatMap((url) =>
    url === null ? [] : [readPort(url)],
  );
  if (context.port !== undefined) ports.push(context.port);
  return { lanIp, lanPorts: async () => ports, internet: true, readOnly: false };
}

/** An address nothing has (RFC 5737): the LAN address of a workbench without one. */
const NOWHERE = "192.0.2.1";

function createNotCompiled(problems: readonly Problem[]): RunHookResult {
  const [first] = problems;
  const text = problems.map(({ file, line, column, message }) => `${file}:${line}:${column}: ${message}`).join("\n");
  return {
    outcome: { status: "failed", ...(first && { code: first.code }), message: text },
    checkpoints: [],
    log: [],
    usage: { wallMs: 0, cpuMs: 0, peakMb: 0, fetches: 0 },
  };
}

function printOutcome(terminal: Terminal, { outcome, result, problems = [], usage }: RunHookResult): void {
  const used = `${usage.wallMs} ms, CPU ${usage.cpuMs} ms, ${usage.peakMb} MB, ${usage.fetches} requests`;
  if (outcome.status === "completed") {
    if (result !== undefined && result !== null) terminal.stdout.write(`${JSON.stringify(result, null, 2)}\n`);
    for (const { code, message } of problems) terminal.stdout.write(`${code}: ${message}\n`);
    terminal.stdout.write(`completed (${used})\n`);
    return;
  }
  const code = outcome.reason ?? outcome.code ?? "failed";
  terminal.stderr.write(`failed ${code}: ${outcome.message ?? ""}\n`);
  for (const { code, message } of problems) terminal.stderr.write(`  ${code}: ${message}\n`);
  for (const { label, value } of outcome.context ?? []) terminal.stderr.write(`  ${label}: ${value}\n`);
  if (outcome.stack !== undefined) terminal.stderr.write(`${outcome.stack}\n`);
  terminal.stderr.write(`failed (${used})\n`);
}
