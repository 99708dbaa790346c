/**
 * `<app>.check.ts`: what it exports by default is evaluated in the sandbox, and read from there on as a file in JSON is.
 *
 * Invariant: of what runs there nothing but the text of one JSON value is taken.
 */
import type { CompiledScript, RunOutcome, Sandbox } from "../../../sandbox/contract.ts";
import { createFileProblem } from "../../adapters/catalog/file-problem.ts";
import type { Problem } from "../../core/codes/problems.ts";
import { isJsonObject, type Json } from "../../core/json/json.ts";
import type { PlayedApp } from "../subject.ts";
import { type FoundScenarios, foundNone } from "./found-scenarios.ts";
import { parseScenarios } from "./parse-scenarios.ts";
import { placeAtNames } from "./place-findings.ts";

/** Ms in which it has to be evaluated; the sandbox allows 1 s of computing at a stretch. */
const WALL_MS = 5_000;
/** Of the function that asks for the value, which no author has written. */
const ENTRYPOINT = "readScenarios";

/** A file by its name in the catalog. */
interface PlacedText {
  readonly file: string;
  readonly text: string;
}

/** Evaluates a file and reads its scenarios. Rejects with the signal's reason. */
export async function readTypedScenarios(
  { appId, root, dictionary }: PlayedApp,
  { file, text }: PlacedText,
  sandbox: Pick<Sandbox, "compile" | "run">,
  signal: AbortSignal,
): Promise<FoundScenarios> {
  const label = `${file}#default`;
  const source = { kind: "inline", content: writeEntry(file) } as const;
  const compiled = await sandbox.compile({ app: appId, root, source, entrypoint: ENTRYPOINT, label });
  signal.throwIfAborted();
  if (!compiled.ok) {
    // what is wrong with the whole is told of the one file an author knows
    return foundNone(...compiled.problems.map((problem) => (problem.file === label ? { ...problem, file } : problem)));
  }
  const outcome = await evaluate(compiled.script, sandbox, signal);
  signal.throwIfAborted();
  if (outcome.status === "failed") return foundNone(describeEnd(file, outcome, compiled.script, label));
  return parseScenarios(outcome.result, dictionary, placeAtNames(file, text, listNames(outcome.result)));
}

/** The default export, or what it returns where it is a function. */
function writeEntry(file: string): string {
  return `import * as file from ${JSON.stringify(`./${file}`)};
export async function ${ENTRYPOINT}() {
  if (!("default" in file)) throw new Error("the file has no default export: the scenarios, or a function that returns them");
  return typeof file.default === "function" ? await file.default() : await file.default;
}`;
}

async function evaluate(
  script: CompiledScript,
  sandbox: Pick<Sandbox, "run">,
  signal: AbortSignal,
): Promise<RunOutcome> {
  const run = sandbox.run(
    {
      runId: "scenarios",
      kind: "widget",
      script,
      entrypoint: ENTRYPOINT,
      context: {},
      secrets: [],
      wallMs: WALL_MS,
      network: { lanIp: "", lanPorts: async () => [], internet: false, readOnly: true },
      mounts: [],
      seed: "scenarios",
    },
    {
      call: async ({ kind }) => {
        throw new Error(`a file of scenarios can't call "${kind}"`);
      },
      log: () => {},
      audit: () => {},
    },
  );
  signal.addEventListener("abort", run.stop);
  try {
    if (signal.aborted) run.stop();
    return await run.outcome;
  } finally {
    signal.removeEventListener("abort", run.stop);
  }
}

/** Why there is no value, at the author's innermost line where one is known. */
function describeEnd(
  file: string,
  { reason, message, stack }: Extract<RunOutcome, { status: "failed" }>,
  { sourceMap }: CompiledScript,
  label: string,
): Problem {
  const said = reason === "script_error" ? `its code throws: ${message}` : message;
  const problem = createFileProblem("CHECK_SCENARIO_INVALID", file, `"${file}" can't be evaluated: ${said}`);
  const { sources }: { readonly sources: readonly string[] } = JSON.parse(sourceMap);
  for (const [, name = "", line, column] of (stack ?? "").matchAll(FRAME)) {
    // a script may write any text into its stack
    if (name !== label && sources.includes(name)) {
      return { ...problem, file: name, line: Number(line), column: Number(column) };
    }
  }
  return problem;
}

const FRAME = /(?:^|[(\s])([^()\s]+):(\d{1,9}):(\d{1,9})\)?$/gm;

function listNames(value: Json): readonly (string | undefined)[] {
  const scenarios = isJsonObject(value) ? value["scenarios"] : undefined;
  if (!Array.isArray(scenarios)) return [];
  return scenarios.map((one) => (isJsonObject(one) && typeof one["name"] === "string" ? one["name"] : undefined));
}
