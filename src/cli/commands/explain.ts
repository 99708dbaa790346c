import { type Code, isCode } from "../../core/codes/code.ts";
import { CODES, explain } from "../../core/codes/codes.ts";
import { EngineError } from "../../core/codes/problems.ts";
import type { Audience } from "../../core/codes/row.ts";
import { findNearest } from "../../core/rules/nearest.ts";
import type { DefineCommand } from "../command.ts";
import { formatOption } from "../ui/format.ts";
import { printJson } from "../ui/terminal.ts";

const WHO = {
  owner: "the owner of the appliance",
  author: "the author of the catalog",
  host: "whoever looks after the host",
} as const satisfies Record<Audience, string>;

/** `slipway explain CODE`: what a code means, what to do, and who has to do it, where the rule stands, a bad and a good example. */
export const defineExplain: DefineCommand = (command, terminal) => {
  command
    .argument("<code>", "e.g. HOOK_RERUN_MISSING")
    .addOption(formatOption())
    .action((written: string, { format }: { readonly format: "text" | "json" }) => {
      const code = toCode(written);
      const { title, hint, audience, see, bad, good } = explain(code);
      if (format === "json") {
        printJson(terminal, { code, title, hint, audience, see, bad, good });
        return;
      }
      const lines = [`${code}: ${title}`, `  hint: ${hint}`, `  for: ${WHO[audience]}`];
      if (see !== undefined) lines.push(`  see: ${see}`);
      if (bad !== undefined) lines.push("", "bad:", indentText(bad));
      if (good !== undefined) lines.push("", "good:", indentText(good));
      terminal.stdout.write(`${lines.join("\n")}\n`);
    });
};

function toCode(written: string): Code {
  const upper = written.toUpperCase();
  if (isCode(upper)) return upper;
  const near = findNearest(upper, Object.keys(CODES));
  const meant = near === undefined ? "" : `, "${near}" is`;
  throw new EngineError("CLI_CODE_UNKNOWN", `"${written}" is not a code${meant}`);
}

function indentText(text: string): string {
  return text.replaceAll(/^/gm, "  ");
}
