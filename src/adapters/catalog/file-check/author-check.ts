/** Compiles the TypeScript of an install script as the run time does, for authors: what it would drop is said before. */
import { type Compiler, createCompiler } from "../../../../sandbox/compile/bundle.ts";
import { Bundlers } from "../../../../sandbox/compile/bundler/bundlers.ts";
import type { Problem } from "../../../core/codes/problems.ts";
import type { Json } from "../../../core/json/json.ts";
import type { Diagnostic } from "../../../core/rules/diagnostic.ts";
import type { DiagnosticList } from "../../../core/rules/diagnostic-list.ts";
import { placeInSource } from "../../../core/rules/rows/source-rules.ts";
import { listScriptUses, type ScriptUse } from "../../../core/script/script-uses.ts";
import { createReadSource } from "../script-source.ts";
import { createScriptCheck, type ScriptCheck } from "./script-check.ts";

/** The check of scripts that nobody runs: one process for all, which learns nothing from any. */
export interface AuthorCheck {
  /** The check of a catalog's scripts, with what compiling finds in the hooks and widgets it finds no error in. */
  at(root: string): ScriptCheck;
  /** Starts the process ahead of the first script. */
  prepare(): void;
  /** Ends the process. */
  close(): Promise<void>;
}

/** The one name the process knows all scripts by. */
const APP = "validate";

/** Makes a check whose process is started with the first TypeScript. */
export function createAuthorCheck(): AuthorCheck {
  const options = { allowWeak: true };
  const bundlers = new Bundlers(options);
  const compiler = createCompiler(options, bundlers);
  const readSource = createReadSource({
    ask: (task) => bundlers.ask(APP, task),
    rest: () => bundlers.discard(APP),
  });
  return {
    at: (root) => {
      const check = createScriptCheck(root, readSource);
      return async (script) => {
        const found = await check(script);
        if (!found.full) await compileUses(compiler, root, script, found);
        return found;
      };
    },
    prepare: () => bundlers.prepare(APP),
    close: () => compiler.close(),
  };
}

/** Adds what compiling finds. */
async function compileUses(
  compiler: Compiler,
  root: string,
  script: Json | undefined,
  found: DiagnosticList,
): Promise<void> {
  const faulty = new Set(
    found.kept.filter(({ severity }) => severity === "error").map(({ path }) => toCarrierKey(path)),
  );
  for (const use of listScriptUses(script)) {
    if (faulty.has(toCarrierKey(use.carrier))) continue;
    const { source, entrypoint } = use;
    const result = await compiler.compile({ app: APP, root, source, entrypoint, label: LABEL });
    if (!result.ok) found.addAll(result.problems.map((problem) => toDiagnostic(use, problem)));
  }
}

/** Names inline code; no file of a catalog is called so. */
const LABEL = "scriptContent";

/** Of a hook or widget, from any place in it. */
function toCarrierKey([list, index]: Diagnostic["path"]): string {
  return `${list} ${index}`;
}

function toDiagnostic(use: ScriptUse, { code, severity, message, file, line, column, length }: Problem): Diagnostic {
  const diagnostic: Diagnostic = { code, severity, message, path: use.place };
  const at = { line, column, length: Math.max(length, 1) };
  if (file === LABEL && use.source.kind === "inline") return { ...diagnostic, ...placeInSource(use.source, at) };
  return file === undefined ? diagnostic : { ...diagnostic, elsewhere: { file, ...at } };
}
