/** The options dialog and the upgrade at the terminal: what they ask, and what they will change, before it is confirmed. */
import { select } from "@inquirer/prompts";
import { showControlCharacters } from "../../../core/report/plain-text.ts";
import type { Engine, InstallRequest, UpgradeRequest } from "../../../engine/api.ts";
import { renderAdvice, renderUpgrade } from "../firing-text.ts";
import type { Terminal } from "../terminal.ts";
import { askForm } from "./ask.ts";

/** Completes an update request with a person's answers and shows what changes; null where they leave it. */
export async function askUpdate(
  engine: Pick<Engine, "form" | "preview">,
  appId: string,
  given: InstallRequest,
  terminal: Terminal,
): Promise<InstallRequest | null> {
  const answers = await askForm(await engine.form(appId, "options"), given.answers ?? {}, terminal);
  const request = { ...given, answers };
  const { differences = [], advice, problems } = await engine.preview(appId, request, "options");
  const changes = differences.map(({ path, before, after }) => {
    const change =
      before === undefined ? JSON.stringify(after) : `${JSON.stringify(before)} -> ${JSON.stringify(after)}`;
    return `  ${path.join(".")}: ${change}`;
  });
  const errors = problems.filter(({ severity }) => severity === "error");
  const lines = [
    changes.length === 0 ? "Nothing changes" : "What changes",
    ...changes,
    ...renderAdvice(advice),
    ...errors.map(({ code, message }) => `  error ${code}: ${message}`),
  ];
  terminal.stdout.write(`${lines.join("\n")}\n`);
  return (await isConfirmed("Update", appId, terminal)) ? request : null;
}

/**
 * Shows what an upgrade, which asks nothing, moves to and runs; null if the person leaves it. If the new version does not accept
 * the values the app has, it is one with those of its script.
 */
export async function askUpgrade(
  engine: Pick<Engine, "form" | "previewUpgrade">,
  appId: string,
  request: UpgradeRequest,
  terminal: Terminal,
): Promise<UpgradeRequest | null> {
  const preview = await engine.previewUpgrade(appId, request);
  const form = await engine.form(appId, "upgrade", request);
  const isOffered = form.request.withValues === true && request.withValues !== true;
  const lines = [
    ...renderUpgrade(preview),
    ...(isOffered ? ["The values of its script are sent along: the new version does not accept those it has"] : []),
    ...renderAdvice(form.advice ?? []),
  ];
  terminal.stdout.write(`${lines.join("\n")}\n`);
  const chosen = isOffered ? { ...request, withValues: true } : request;
  return (await isConfirmed("Upgrade", appId, terminal)) ? chosen : null;
}

/** Asks whether to go on; `name` is what is done to the app. */
export async function isConfirmed(
  name: "Update" | "Upgrade" | "Uninstall" | "Roll back" | "Import" | "Adopt",
  appId: string,
  { signal }: Terminal,
): Promise<boolean> {
  const choices = [
    { name, value: true },
    { name: "Cancel", value: false },
  ];
  return select({ message: showControlCharacters(`${name} ${appId}?`), choices }, { signal });
}
