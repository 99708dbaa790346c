/** One run at the workbench: real network and files, its context from a file, nobody asked. */
import { lookup } from "node:dns/promises";
import type { CompiledScript, ContextCall, JournalPlayer, NetworkPolicy, Sandbox } from "../../../sandbox/contract.ts";
import { listSecrets } from "../../../sandbox/desk/concealment.ts";
import { MemoryJournal } from "../../../sandbox/journal/memory-journal.ts";
import { readPort } from "../../adapters/url-parts.ts";
import { readWidgetResult } from "../../core/hooks/widget-result.ts";
import type { Json } from "../../core/json/json.ts";
import type { Widget } from "../../core/script/dictionary.ts";
import type { Terminal } from "../ui/terminal.ts";
import { type ContextFile, readHookContext } from "./context-file.ts";
import { writeJournal } from "./journal-to-file.ts";
import type { RunHookResult } from "./run-result.ts";
import { RunView } from "./run-view.ts";
import type { Subject } from "./subject.ts";

/** Options of one run. */
export interface RunOptions {
  /** File to write what the script was told to. */
  readonly journal?: string;
  readonly format: "text" | "json";
}

/** A widget's run with its result checked against the declaration: what can't be shown at all is a failure. */
export function checkResult(widget: Widget, ended: RunHookResult): RunHookResult {
  const read = readWidgetResult(widget, ended.result ?? null);
  const [code, status] = ["WIDGET_RESULT_INVALID", "failed"] as const;
  if (read.kind === "invalid") return { ...ended, outcome: { status, code, message: read.message } };
  if (read.kind === "needsSetup") return { ...ended, problems: [] };
  const problems = read.problems.map(({ code, message, path }) => ({ code, message, path }));
  const fault = problems.find((problem) => problem.code === code);
  return { ...ended, problems, ...(fault && { outcome: { status, code, message: fault.message } }) };
}

/** Runs a script once; its journal is written where the options name a file. */
export async function runSubject(
  sandbox: Sandbox & JournalPlayer,
  script: CompiledScript,
  context: ContextFile,
  subject: Subject,
  options: RunOptions,
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
      secrets: listSecrets(data, secretInputs).map(String),
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
  // one that came while the script was bundled
  if (terminal.signal.aborted) started.stop();
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
