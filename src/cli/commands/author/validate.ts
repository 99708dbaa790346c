import { dirname, join, relative } from "node:path";
import { Option } from "commander";
import { readWhole } from "../../../adapters/catalog/catalog-file.ts";
import type { ValidatedFile } from "../../../adapters/catalog/validate-file.ts";
import type { Problem } from "../../../core/codes/problems.ts";
import { toSarif } from "../../../core/report/problem-sarif.ts";
import { formatProblem } from "../../../core/report/problem-text.ts";
import type { DefineCommand } from "../../command.ts";
import { EXIT } from "../../ui/exit.ts";
import { printJson, type Terminal } from "../../ui/terminal.ts";
import { validate } from "../../workbench/validate-files.ts";

interface ValidateOptions {
  readonly strict?: boolean;
  readonly format: "text" | "json" | "sarif";
}

/** `slipway validate PATH...`: every problem of install scripts; exit 1 on errors, with `--strict` also on warnings. */
export const defineValidate: DefineCommand = (command, terminal) => {
  command
    .argument("<path...>", "install scripts, or directories that hold them")
    .option("--strict", "fail on warnings too")
    .addOption(new Option("--format <format>", "what to print").choices(["text", "json", "sarif"]).default("text"))
    .action(async (paths: readonly string[], options: ValidateOptions) => {
      const files = await validate(paths);
      const count = (severity: Problem["severity"]) =>
        files.reduce(
          (sum, { problems }) => sum + problems.filter((problem) => problem.severity === severity).length,
          0,
        );
      const summary = { files: files.length, errors: count("error"), warnings: count("warning") };
      if (options.format === "json") printJson(terminal, { files: files.map(withShownNames), summary });
      else if (options.format === "sarif") printJson(terminal, toSarif(files.map(withShownNames)));
      else {
        for (const file of files) await printProblems(terminal, file);
        const { errors, warnings } = summary;
        const counted = [pluralize(summary.files, "file"), pluralize(errors, "error"), pluralize(warnings, "warning")];
        terminal.stdout.write(`${counted.join(", ")}\n`);
      }
      const failed = summary.errors > 0 || (options.strict === true && summary.warnings > 0);
      if (failed) terminal.exitCode = EXIT.failed;
    });
};

async function printProblems(terminal: Terminal, validated: ValidatedFile): Promise<void> {
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
function withShownNames(validated: ValidatedFile): ValidatedFile {
  const { file, problems } = validated;
  const shown = problems.map((problem) =>
    problem.file === undefined ? problem : { ...problem, file: join(dirname(file), problem.file) },
  );
  return { ...validated, problems: shown };
}

function pluralize(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}
