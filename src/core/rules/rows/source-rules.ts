/** Rows about the TypeScript a hook or widget names. An adapter reads the facts, these rows judge them. */
import { findLineStarts } from "../../json/text-spans.ts";
import type { ScriptSource } from "../../script/dictionary.ts";
import type { ScriptUse } from "../../script/script-uses.ts";
import type { Diagnostic, UncodedDiagnostic } from "../diagnostic.ts";
import { makeHook } from "../example.ts";
import { quote, quoteAll, reportWhen, type SubjectRule } from "../row.ts";
import { runRules } from "../run-rules.ts";

/** A place in the author's TypeScript: line and column 1-based, length in UTF-16 units. */
export interface SourcePlace {
  readonly line: number;
  readonly column: number;
  readonly length: number;
}

/** The literal numbers among the options of a `waitForApp` call: counts, and ms. */
export type WaitOptions = Readonly<Partial<Record<"retries" | "timeout" | "initialDelayMs" | "maxDelayMs", number>>>;

/** Facts about a hook's or widget's TypeScript, or why there is none. */
export type SourceFacts =
  | { readonly kind: "absent"; readonly reason: string; readonly hint?: string }
  | { readonly kind: "faulty"; readonly message: string; readonly place: SourcePlace }
  | {
      readonly kind: "read";
      readonly exports: readonly string[];
      /** Has `export * from`: its exports are not all known. */
      readonly open: boolean;
      /** Calls an export is sure to make when it is run as an entrypoint. */
      readonly getInputs: readonly { readonly entrypoint: string; readonly id: string; readonly place: SourcePlace }[];
      /** The same, their options all known. */
      readonly waits: readonly {
        readonly entrypoint: string;
        readonly options: WaitOptions;
        readonly place: SourcePlace;
      }[];
    };

/** Facts of a text that is there. */
export type TextFacts = Exclude<SourceFacts, { readonly kind: "absent" }>;

/** A source with what its hook or widget declares. */
export interface SourceSubject {
  readonly use: ScriptUse;
  readonly facts: SourceFacts;
}

/** A diagnostic that may stand in the TypeScript itself. */
interface SourceDiagnostic extends UncodedDiagnostic {
  readonly at?: SourcePlace;
}

interface SourceRule extends SubjectRule<SourceSubject> {
  readonly find: (subject: SourceSubject) => readonly SourceDiagnostic[];
}

export const SOURCE_RULES = {
  SCRIPT_FILE_MISSING: {
    title: "The script file is not there",
    hint: "add the file to the catalog, or correct the path",
    see: 'docs/install-scripts.md, "Hook6"',
    severity: "error",
    find: ({ use, facts }) =>
      facts.kind === "absent"
        ? [
            {
              path: use.place,
              message: `${nameUse(use)} can't have its script: ${facts.reason}`,
              ...(facts.hint !== undefined && { hint: facts.hint }),
            },
          ]
        : [],
    bad: makeHook({ scriptContent: undefined, script: "missing.ts" }),
    good: makeHook(),
  },
  SCRIPT_TYPESCRIPT_SYNTAX: {
    title: "The TypeScript of a hook or widget has a syntax error",
    hint: "correct the syntax at the place shown",
    see: 'docs/install-scripts.md, "Hook6"',
    severity: "error",
    find: ({ use, facts }) =>
      facts.kind === "faulty" ? [{ path: use.place, message: facts.message, at: facts.place }] : [],
    bad: makeHook({ scriptContent: "export async function run(ctx) {" }),
    good: makeHook({ scriptContent: "export async function run(ctx) {}" }),
  },
  SCRIPT_ENTRYPOINT_MISSING: {
    title: "The script does not export its entrypoint",
    hint: "export the function, or correct the name",
    see: 'docs/install-scripts.md, "Hook6"',
    severity: "error",
    find: ({ use, facts }) => {
      if (facts.kind !== "read" || facts.open || facts.exports.includes(use.entrypoint)) return [];
      const exported = facts.exports.length === 0 ? "nothing" : quoteAll(facts.exports);
      const message = `${nameUse(use)} starts at ${quote(use.entrypoint)}, which its script does not export; it exports ${exported}`;
      return [{ path: [...use.carrier, "entrypoint"], message }];
    },
    bad: makeHook({ entrypoint: "start" }),
    good: makeHook({ entrypoint: "run" }),
  },
  SCRIPT_INPUT_UNDECLARED: {
    title: "A script asks for an input that is not declared",
    hint: 'declare the input in "inputs", or name the hook that asks for it in "requiresHooks"',
    see: 'docs/install-scripts.md, "HookInput"',
    severity: "warning",
    find: ({ use, facts }) => {
      if (facts.kind !== "read" || use.inputs === null) return [];
      const declared = quoteAll(use.inputs);
      return facts.getInputs.flatMap(({ entrypoint, id, place }) =>
        reportWhen(entrypoint === use.entrypoint && use.inputs?.has(id) === false, () => ({
          path: use.place,
          message: `${nameUse(use)} asks for the input ${quote(id)}, which is not declared; declared are ${declared}`,
          at: place,
        })),
      );
    },
    bad: makeHook({ scriptContent: 'export async function run(ctx) { ctx.getInput("name"); }' }),
    good: makeHook({
      inputs: [{ type: "question", id: "name", question: { question: "Name?", type: "text", key: "name" } }],
      scriptContent: 'export async function run(ctx) { ctx.getInput("name"); }',
    }),
  },
  SCRIPT_WAIT_TOO_LONG: {
    title: "A script may wait for its app longer than its hook may run",
    hint: 'raise "timeout", or wait less',
    see: 'docs/hooks.md, "The hook context"; docs/decisions.md, section 5',
    severity: "warning",
    find: ({ use, facts }) =>
      facts.kind !== "read"
        ? []
        : facts.waits.flatMap(({ entrypoint, options, place }) =>
            reportWhen(entrypoint === use.entrypoint && waitsTooLong(options, use.timeout), () => ({
              path: use.place,
              message: `${nameUse(use)} may wait ${Math.round(computeWaitingSeconds(options))} s for the app, but its "timeout" is ${use.timeout} s`,
              at: place,
            })),
          ),
    bad: makeHook({
      timeout: 60,
      scriptContent: 'export async function run(ctx) { await ctx.waitForApp("/", { retries: 30 }); }',
    }),
    good: makeHook({
      timeout: 60,
      scriptContent: 'export async function run(ctx) { await ctx.waitForApp("/", { retries: 3 }); }',
    }),
  },
} as const satisfies Record<string, SourceRule>;

const checkRows = runRules<SourceSubject, SourceDiagnostic>(SOURCE_RULES);

/** Judges one source; diagnostics in a file stand in that file, those in inline code in the install script's string. */
export function checkSource(use: ScriptUse, facts: SourceFacts): readonly Diagnostic[] {
  return checkRows({ use, facts }).map(({ at, ...diagnostic }) =>
    at === undefined ? diagnostic : { ...diagnostic, ...placeInSource(use.source, at) },
  );
}

/** A place of a source as one of a diagnostic; one behind the end of inline code counts from its last line. */
export function placeInSource(source: ScriptSource, at: SourcePlace): Pick<Diagnostic, "elsewhere" | "within"> {
  if (source.kind === "file") return { elsewhere: { file: source.path, ...at } };
  const starts = findLineStarts(source.content);
  const offset = (starts[Math.min(at.line, starts.length) - 1] ?? 0) + at.column - 1;
  return { within: { offset, length: at.length } };
}

/** Without an option that counts the defaults hold, which fit the default timeout badly and are nobody's choice. */
function waitsTooLong(options: WaitOptions, timeoutSeconds: number): boolean {
  return Object.keys(options).length > 0 && computeWaitingSeconds(options) > timeoutSeconds;
}

/** The shortest time all attempts and the pauses between them take when every attempt fails at once, in seconds. */
function computeWaitingSeconds({
  retries = 40,
  timeout = 0,
  initialDelayMs = 5_000,
  maxDelayMs = 15_000,
}: WaitOptions): number {
  let total = timeout;
  let delay = initialDelayMs;
  // Beyond a thousand attempts only the length of a pause counts.
  const counted = Math.min(retries - 1, 1_000);
  for (let attempt = 0; attempt < counted; attempt += 1) {
    total += Math.min(delay, maxDelayMs);
    delay = Math.min(delay * 1.5, maxDelayMs);
  }
  return (total + Math.max(retries - 1 - counted, 0) * delay) / 1_000;
}

function nameUse({ carrier, id }: ScriptUse): string {
  return `${String(carrier[0]).slice(0, -1)} ${quote(id)}`;
}
