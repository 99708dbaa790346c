import { Option } from "commander";
import { APPS_HELP, openAppSchemas } from "../../../adapters/app-schemas/app-schemas.ts";
import type { Problem } from "../../../core/codes/problems.ts";
import { toSarif } from "../../../core/report/problem-sarif.ts";
import type { DefineCommand } from "../../command.ts";
import { EXIT } from "../../ui/exit.ts";
import { printJson } from "../../ui/terminal.ts";
import { printProblems, withShownNames } from "../../workbench/print-problems.ts";
import { validate } from "../../workbench/validate-files.ts";

interface ValidateOptions {
  readonly strict?: boolean;
  readonly apps?: string;
  readonly format: "text" | "json" | "sarif";
}

/** `slipway validate PATH...`: every problem of install scripts; exit 1 on errors, with `--strict` also on warnings. */
export const defineValidate: DefineCommand = (command, terminal) => {
  command
    .argument("<path...>", "install scripts, or directories that hold them")
    .option("--strict", "fail on warnings too")
    .option("--apps <path>", APPS_HELP)
    .addOption(new Option("--format <format>", "what to print").choices(["text", "json", "sarif"]).default("text"))
    .action(async (paths: readonly string[], options: ValidateOptions) => {
      const apps = options.apps === undefined ? undefined : await openAppSchemas(options.apps);
      const files = await validate(paths, apps);
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

function pluralize(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}
