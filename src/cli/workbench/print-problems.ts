/** Problems of install scripts where they stand, as authors read them in a terminal. */
import { dirname, join, relative } from "node:path";
import { readWhole } from "../../adapters/catalog/catalog-file.ts";
import type { ValidatedFile } from "../../adapters/catalog/validate-file.ts";
import { formatProblem } from "../../core/report/problem-text.ts";
import type { Terminal } from "../ui/terminal.ts";

/** A script and what is wrong with it. */
type Faulty = Pick<ValidatedFile, "file" | "problems">;

/** Shows each problem with its line of the file; the install script, and what lies beside it, is named from where the command runs. */
export async function printProblems(terminal: Terminal, validated: Faulty): Promise<void> {
  const { file, problems } = withShownNames(validated);
  const texts = new Map<string, string | null>();
  for (const problem of problems) {
    const name = problem.file ?? file;
    if (!texts.has(name)) {
      const read = await readWhole(dirname(file), relative(dirname(file), name), async () => true);
      texts.set(name, read.kind === "text" ? read.text : null);
    }
    terminal.stdout.write(`${formatProblem(file, texts.get(name) ?? null, problem)}\n\n`);
  }
}

/** With script files named from where the command runs, like the install script itself. */
export function withShownNames<F extends Faulty>(validated: F): F {
  const { file, problems } = validated;
  const shown = problems.map((problem) =>
    problem.file === undefined ? problem : { ...problem, file: join(dirname(file), problem.file) },
  );
  return { ...validated, problems: shown };
}
