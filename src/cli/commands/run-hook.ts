/** `slipway run-hook`: the author's workbench. Runs one script in the real sandbox, without engine or host. */

import { lookup } from "node:dns/promises";
import { realpathSync, statSync } from "node:fs";
import { dirname, relative, resolve, sep } from "node:path";
import { InvalidArgumentError } from "commander";
import type {
  CompiledScript,
  ContextCall,
  JournalPlayer,
  NetworkPolicy,
  Sandbox,
  ScriptIo,
} from "../../../sandbox/contract.ts";
import { listSecrets } from "../../../sandbox/desk/concealment.ts";
import { MemoryJournal } from "../../../sandbox/journal/memory-journal.ts";
import { createSandbox } from "../../../sandbox/sandbox.ts";
import { createScriptIo } from "../../adapters/script-io/script-io.ts";
import { readPort } from "../../adapters/url-parts.ts";
import { createFileUnreadableError } from "../../core/codes/common-errors.ts";
import { EngineError } from "../../core/codes/problems.ts";
import { readWidgetResult } from "../../core/hooks/widget-result.ts";
import type { Json } from "../../core/json/json.ts";
import type { ScriptSource, Widget } from "../../core/script/dictionary.ts";
import { AppAnswersFile } from "../../standin/apps/answers.ts";
import type { DefineCommand } from "../command.ts";
import { answerFromTable } from "../options/answers-http.ts";
import { type DeclaredWidget, readDeclaredWidget } from "../options/declared-widget.ts";
import { readJsonFile } from "../options/files.ts";
import { EXIT } from "../ui/exit.ts";
import { formatOption } from "../ui/format.ts";
import { printJson, type Terminal } from "../ui/terminal.ts";
import { ContextFile, readHookContext } from "../workbench/context-file.ts";
import { type ReadJournal, readJournal, replayJournal } from "../workbench/journal-from-file.ts";
import { requireNewFile, writeJournal } from "../workbench/journal-to-file.ts";
import { createNotCompiled, printOutcome, type RunHookResult } from "../workbench/run-result.ts";
import { RunView } from "../workbench/run-view.ts";

interface RunHookOptions {
  readonly entrypoint?: string;
  /** `SCRIPT.json#ID`. */
  readonly widget?: string;
  readonly context?: string;
  /** Seconds of running time; default: the widget's own, of a hook 300. */
  readonly timeout?: number;
  readonly catalog?: string;
  readonly answersHttp?: string;
  /** File to write what the script was told to. */
  readonly journal?: string;
  /** Such a file, to be played in place of a run. */
  readonly replay?: string;
  readonly format: "text" | "json";
}

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
    .option("--journal <file>", "writes what the script was told to a new file, its secrets left out")
    .option("--replay <file>", "plays such a file: every answer comes from it, nothing is sent")
    .addOption(formatOption())
    .action(async (script: string | undefined, options: RunHookOptions) => {
      refuseContradictions(options);
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
  if (options.replay !== undefined) {
    return replayHook(subject, readJournal(options.replay, subject.entrypoint), options, terminal);
  }
  if (options.journal !== undefined) requireNewFile(options.journal);
  const context = options.context === undefined ? ContextFile.parse({}) : readJsonFile(options.context, ContextFile);
  const answers =
    options.answersHttp === undefined ? undefined : readJsonFile(options.answersHttp, AppAnswersFile).answers;
  const real = createScriptIo({ loopback: true });
  const scriptIo = answers === undefined ? real : answerFromTable(real, answers, context.baseUrl);
  const { declared } = subject;
  return withScript(scriptIo, subject, async (sandbox, script) => {
    const ended = await run(sandbox, script, context, subject, options, terminal);
    return declared === undefined || ended.outcome.status === "failed" ? ended : checkResult(declared.widget, ended);
  });
}

/** A journal is a hook's, and a replay has everything from its file. */
function refuseContradictions({ journal, replay, widget, context, answersHttp }: RunHookOptions): void {
  if (journal === undefined && replay === undefined) return;
  const wanted = replay === undefined ? "--journal" : "--replay";
  if (widget !== undefined) throw new EngineError("CLI_USAGE", `${wanted} is for hooks: of a widget nothing is kept`);
  if (replay === undefined) return;
  for (const [name, value] of Object.entries({ journal, context, "answers-http": answersHttp })) {
    if (value === undefined) continue;
    throw new EngineError("CLI_USAGE", `--replay takes no --${name}: everything comes from its file`);
  }
}

function replayHook(
  subject: Subject,
  journal: ReadJournal,
  options: RunHookOptions,
  terminal: Terminal,
): Promise<RunHookResult> {
  const view = new RunView(terminal, options.format === "text");
  return withScript(NOTHING_OUTSIDE, subject, (player, script) =>
    replayJournal(player, journal, { script, wallMs: subject.timeout * 1000, view, signal: terminal.signal }),
  );
}

const NOTHING_OUTSIDE: ScriptIo = {
  open: () => {
    throw new Error("a replay reaches nothing");
  },
};

/** Does something with the bundled script in a sandbox of its own. */
async function withScript(
  scriptIo: ScriptIo,
  { place: { root, label }, source, entrypoint }: Subject,
  act: (sandbox: Sandbox & JournalPlayer, script: CompiledScript) => Promise<RunHookResult>,
): Promise<RunHookResult> {
  const sandbox = createSandbox({ scriptIo, allowWeakSandbox: true, keepWarmChild: false });
  try {
    const compiled = await sandbox.compile({ app: label, root, source, entrypoint, label });
    // after it, when the processes to look at have been started for it
    await requireUsable(sandbox);
    return compiled.ok ? await act(sandbox, compiled.script) : createNotCompiled(compiled.problems);
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
  sandbox: Sandbox & JournalPlayer,
  script: CompiledScript,
  context: ContextFile,
  subject: Subject,
  options: RunHookOptions,
  terminal: Terminal,
): Promise<RunHookResult> {
  const { entrypoint, timeout, declared } = subject;
  const view = new RunView(terminal, options.format === "text");
  const line = (text: string) => view.line(text);
  const kept = new MemoryJournal({ isRead: true, log: line });
  const data = readHookContext(context);
  const [wallMs, { secretInputs }] = [timeout * 1000, context];
  const started = sandbox.run(
    {
      runId: "run-hook",
      kind: declared === undefined ? "hook" : "widget",
      script,
      entrypoint,
      context: declared === undefined ? data : { ...data, appId: declared.dictionary.appId },
      secrets: listSecrets(data, secretInputs),
      wallMs,
      network: {
        ...(await buildNetworkPolicy(context)),
        internet: declared?.dictionary.custom !== true,
        readOnly: declared !== undefined,
      },
      // The workbench has no host: its author says which directories are mounts, and vouches for them.
      mounts: context.mounts.map((mount) => ({ ...mount, location: mount.localPath })),
      seed: "run-hook",
      ...(options.journal !== undefined && { journal: kept }),
    },
    {
      call: async (call, _signal, ride) => {
        if (declared !== undefined) throw new Error(`a widget can't call "${call.kind}"`);
        const answer = answerCall(call, context);
        // what was logged before it is shown before it
        const aboard = await ride?.take(answer);
        if (aboard) await kept.write(aboard.entry).then(() => aboard.settle(true));
        view.call(call, answer);
        return answer;
      },
      log: line,
      audit: ({ kind, method, target, allowed, reason }) => {
        if (allowed || options.format !== "text") return;
        terminal.stderr.write(`refused: ${kind} ${method} ${target}: ${reason ?? ""}\n`);
      },
    },
  );
  terminal.signal.addEventListener("abort", started.stop);
  const { usage, ...ending } = await started.outcome;
  terminal.signal.removeEventListener("abort", started.stop);
  const seen = { checkpoints: view.checkpoints, log: view.log, usage };
  const result: RunHookResult =
    ending.status === "failed"
      ? { outcome: ending, ...seen }
      : { outcome: { status: "completed" }, ...seen, result: ending.result };
  if (options.journal === undefined) return result;
  const ended = {
    journal: kept.read(),
    script,
    entrypoint,
    context: data,
    secretInputs,
    wallMs,
    status: ending.status,
  };
  return { ...result, journal: await writeJournal(sandbox, ended, options.journal) };
}

/** Nobody is asked at the workbench: a checkpoint that waits goes the way a person's Skip would send it. */
function answerCall(call: ContextCall, { installedApps }: ContextFile): Json {
  if (call.kind === "getInstalledAppUrl") return installedApps[call.appId] ?? null;
  return call.kind === "awaitCheckpointRetry" ? "skip" : null;
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
