/**
 * The install dialog at the terminal: questions, consents and links, then what will fire. What can be chosen, what stands
 * behind a gate and what fires is the engine's to say: every choice goes to `form`, whose answer is shown.
 */
import { select } from "@inquirer/prompts";
import { showControlCharacters } from "../../../core/report/plain-text.ts";
import type { InstallRequest } from "../../../engine/api.ts";
import { renderFiring } from "../firing-text.ts";
import type { Terminal } from "../terminal.ts";
import { askForm } from "./ask.ts";
import { askConsents, type Consents } from "./ask-consents.ts";
import { askLinks, type Dialog } from "./pick-links.ts";

/** Completes an install request with a person's choices; null where they leave it at the end. */
export async function askInstall(
  engine: Dialog,
  appId: string,
  given: InstallRequest,
  terminal: Terminal,
): Promise<InstallRequest | null> {
  const answers = await askForm(await engine.form(appId, undefined, given), given.answers ?? {}, terminal);
  let request: InstallRequest = { ...given, answers };
  const askOwnConsents = async (consents: Consents) =>
    (await engine.form(appId, undefined, { ...request, consents })).consents;
  request = { ...request, consents: await askConsents(askOwnConsents, request.consents ?? {}, terminal) };
  for (;;) {
    const form = await engine.form(appId, undefined, request);
    request = { ...request, ...form.request };
    await showFiring(engine, appId, request, terminal);
    const choice = await select(
      {
        message: showControlCharacters(`Install ${appId}?`),
        choices: [
          { name: "Install", value: "install" as const },
          ...(form.button === undefined ? [] : [{ name: form.button, value: "customize" as const }]),
          { name: "Cancel", value: "cancel" as const },
        ],
      },
      { signal: terminal.signal },
    );
    if (choice !== "customize") return choice === "install" ? request : null;
    const again = await askConsents(askOwnConsents, request.consents ?? {}, terminal, true);
    request = await askLinks(engine, appId, { ...request, consents: again }, terminal);
  }
}

/** Shows what an install with this request fires, and what it would be refused for. */
export async function showFiring(
  engine: Dialog,
  appId: string,
  request: InstallRequest,
  { stdout }: Terminal,
): Promise<void> {
  const lines = renderFiring(await engine.form(appId, undefined, request), await engine.preview(appId, request));
  if (lines.length > 0) stdout.write(`${lines.join("\n")}\n`);
}
