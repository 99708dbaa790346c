/** Compiles the TypeScript of an install script as the run time does, for authors: what it would drop is said before. */
import { type Compiler, createCompiler } from "../../../sandbox/compile/bundle.ts";
import type { Problem } from "../../core/codes/problems.ts";
import type { Json } from "../../core/json/json.ts";
import type { CodedFinding } from "../../core/rules/finding.ts";
import type { FindingList } from "../../core/rules/finding-list.ts";
import { placeInSource } from "../../core/rules/rows/source-rules.ts";
import { type ScriptUse, scriptUses } from "../../core/script/script-uses.ts";
import type { ScriptCheck } from "./script-check.ts";

/** Processes that compile, kept for the scripts of one command. */
export interface CompileCheck {
  /** A check with what compiling finds in the hooks and widgets that `check` finds no error in. */
  after(check: ScriptCheck, root: string): ScriptCheck;
  /** Ends the processes. */
  close(): Promise<void>;
}

/** Compiles scripts that nobody runs: of all apps in one process, which learns nothing from any. */
export function createCompileCheck(): CompileCheck {
  const compiler = createCompiler({ allowWeak: true });
  return {
    after: (check, root) => async (script) => {
      const found = await check(script);
      if (!found.full) await compileUses(compiler, root, script, found);
      return found;
    },
    close: () => compiler.close(),
  };
}

/** Adds what compiling finds. */
async function compileUses(
  compiler: Compiler,
  root: string,
  script: Json | undefined,
  found: FindingList,
): Promise<void> {
  const faulty = new Set(found.kept.filter(({ severity }) => severity === "error").map(({ path }) => carrierKey(path)));
  for (const use of scriptUses(script)) {
    if (faulty.has(carrierKey(use.carrier))) continue;
    const { source, entrypoint } = use;
    const result = await compiler.compile({ app: "validate", root, source, entrypoint, label: LABEL });
    if (!result.ok) found.addAll(result.problems.map((problem) => toFinding(use, problem)));
  }
}

/** Names inline code; no file of a catalog is called so. */
const LABEL = "scriptContent";

/** Of a hook or widget, from any place in it. */
function carrierKey([list, index]: CodedFinding["path"]): string {
  return `${list} ${index}`;
}

function toFinding(use: ScriptUse, { code, severity, message, file, line, column, length }: Problem): CodedFinding {
  const finding: CodedFinding = { code, severity, message, path: use.place };
  const at = { line, column, length: Math.max(length, 1) };
  if (file === LABEL && use.source.kind === "inline") return { ...finding, ...placeInSource(use.source, at) };
  return file === undefined ? finding : { ...finding, elsewhere: { file, ...at } };
}
