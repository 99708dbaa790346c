/** Runs a hook or widget while it is edited, at the workbench: against the app's fake, or else the app that is installed. */
import { lookup } from "node:dns/promises";
import type { ScriptIo } from "../../../sandbox/contract.ts";
import { createScriptIo } from "../../adapters/script-io/script-io.ts";
import { readHost, readPort } from "../../adapters/url-parts.ts";
import { generateInputs } from "../../check/trials/generate-inputs.ts";
import { answerFromTable } from "../../check/world/answers-http.ts";
import { readFake } from "../../check/world/read-fake.ts";
import type { Dictionary } from "../../core/script/dictionary.ts";
import { createSeededRandom } from "../../standin/random.ts";
import type { RealApp } from "../record/open-app.ts";
import { completeContext } from "../record/recorded-script.ts";
import type { Terminal } from "../ui/terminal.ts";
import { ContextFile } from "../workbench/context-file.ts";
import { printOutcome } from "../workbench/run-result.ts";
import { checkResult, runSubject } from "../workbench/run-subject.ts";
import type { Subject } from "../workbench/subject.ts";
import { withScript } from "../workbench/with-script.ts";
import { type EditedScript, nameScript } from "./edited-scripts.ts";

/** A script that is tried, and the app it is of. */
export interface Trial {
  /** The catalog's folder. */
  readonly root: string;
  /** The app's script, relative to it. */
  readonly file: string;
  readonly dictionary: Dictionary;
  readonly edited: EditedScript;
  /** Where an app answers; null where it is not installed, or has no address. */
  findApp(appId: string): Promise<string | null>;
}

/** Where a fake is asked: nothing is sent there. */
const NOWHERE: RealApp = { baseUrl: "http://127.0.0.1:8080", address: "127.0.0.1", port: 8080 };

/** Tries it once and shows how it went. Throws what a fake is refused for, and `SANDBOX_UNAVAILABLE`. */
export async function tryScript(trial: Trial, terminal: Terminal): Promise<void> {
  const { dictionary, edited } = trial;
  const { appId } = dictionary;
  const name = `${appId}: ${nameScript(edited)}`;
  const answers = await findAnswers(trial);
  if (answers === null) {
    terminal.stdout.write(`▸ ${name} is not tried: the app has no fake, and none is installed that has an address\n`);
    return;
  }
  terminal.stdout.write(`▸ ${name}, against ${answers.name}\n`);
  const hook = edited.kind === "hook" ? edited.script : null;
  const inputs = hook === null ? {} : generateInputs(hook, createSeededRandom(1));
  const context = completeContext(ContextFile.parse({ inputs }), answers.app, appId, hook);
  const subject = createSubject(trial);
  const ended = await withScript(answers.scriptIo, subject, async (sandbox, script) => {
    const ran = await runSubject(sandbox, script, context, subject, { format: "text" }, terminal);
    const isShown = edited.kind === "widget" && ran.outcome.status !== "failed";
    return isShown ? checkResult(edited.script, ran) : ran;
  });
  if (!terminal.signal.aborted) printOutcome(terminal, ended);
}

function createSubject({ root, file, dictionary, edited }: Trial): Subject {
  const { id, source, entrypoint, timeout } = edited.script;
  const label = source.kind === "file" ? source.path : `${file}#${id}`;
  const declared = edited.kind === "widget" ? { dictionary, widget: edited.script, folder: root } : undefined;
  return { place: { root, label }, source, entrypoint, timeout, ...(declared && { declared }) };
}

interface Answers {
  readonly name: string;
  readonly app: RealApp;
  readonly scriptIo: ScriptIo;
}

async function findAnswers({ root, dictionary: { appId }, findApp }: Trial): Promise<Answers | null> {
  const real = createScriptIo({ loopback: true });
  const fake = readFake(root, appId);
  if (fake !== null) {
    return { name: "its fake", app: NOWHERE, scriptIo: answerFromTable(real, fake.answers, NOWHERE.baseUrl) };
  }
  const url = URL.parse((await findApp(appId)) ?? "");
  if (url === null) return null;
  const { address } = await lookup(readHost(url));
  const app = { baseUrl: url.href.replace(/\/+$/, ""), address, port: readPort(url) };
  return { name: "the installed app", app, scriptIo: real };
}
