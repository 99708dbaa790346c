import { EngineError } from "../../core/codes/problems.ts";
import type { Engine, RollbackRequest } from "../../engine/api.ts";
import type { DefineCommand } from "../command.ts";
import { addEngineOptions, withEngine } from "../options/connect.ts";
import { byUser } from "../options/user.ts";
import { canAsk, isLeaving } from "../ui/dialog/ask.ts";
import { isConfirmed } from "../ui/dialog/options-dialog.ts";
import { formatOption } from "../ui/format.ts";
import { renderRollback, renderSnapshots } from "../ui/rollback-text.ts";
import { printJson, type Terminal } from "../ui/terminal.ts";
import { begin, type StartOptions } from "./install.ts";

interface RollbackOptions extends StartOptions {
  readonly list?: boolean;
  readonly to?: string;
  readonly withoutSnapshot?: boolean;
  readonly yes?: boolean;
}

/** `rollback APPID`: an app as it was before an upgrade or update, or a list of what there is to go back to. */
export const defineRollback: DefineCommand = (command, terminal) => {
  addEngineOptions(command.argument("<appId>"))
    .addOption(formatOption())
    .option("--list", "list the snapshots the engine took, the newest first, and change nothing")
    .option("--to <snapshot>", "go back to this one of them (default: the newest before an upgrade or update)")
    .option(
      "--without-snapshot",
      "go on where no snapshot of the present can be taken: the older version runs on the present's data before that is put aside",
    )
    .option("--yes", "do not ask")
    .action((appId: string, options: RollbackOptions) =>
      options.list === true ? list(appId, options, terminal) : rollBack(appId, options, terminal),
    );
};

function list(appId: string, options: RollbackOptions, terminal: Terminal): Promise<void> {
  return withEngine(options, terminal, async (engine) => {
    const snapshots = await engine.snapshots(appId);
    if (options.format === "json") printJson(terminal, { snapshots });
    else write(terminal, renderSnapshots(appId, snapshots));
  });
}

/** Throws `CLI_USAGE` before anything is opened where nobody can be asked. */
async function rollBack(appId: string, options: RollbackOptions, terminal: Terminal): Promise<void> {
  const isAsked = options.format !== "json" && options.yes !== true && canAsk(terminal);
  if (!isAsked && options.yes !== true)
    throw new EngineError("CLI_USAGE", "rollback needs --yes where nobody can be asked");
  const request: RollbackRequest = {
    ...(options.to !== undefined && { snapshot: options.to }),
    ...(options.withoutSnapshot === true && { withoutSnapshot: true }),
  };
  return begin(options, terminal, async (engine) => {
    // What was agreed to is named: another task may note something newer meanwhile.
    const snapshot = await confirm(engine, appId, request, { ...options, isAsked }, terminal);
    return engine.rollback(appId, { ...request, snapshot }, byUser());
  });
}

/** Names the snapshot that was agreed to. Throws `CLI_INTERRUPTED` where the person leaves. */
async function confirm(
  engine: Engine,
  appId: string,
  request: RollbackRequest,
  { format, isAsked }: RollbackOptions & { readonly isAsked: boolean },
  terminal: Terminal,
): Promise<string> {
  const preview = await engine.previewRollback(appId, request);
  if (format !== "json") write(terminal, renderRollback(preview, request));
  if (isAsked && preview.impossible === undefined) await ask(appId, terminal);
  return preview.snapshot.id;
}

async function ask(appId: string, terminal: Terminal): Promise<void> {
  const isAgreed = await isConfirmed("Roll back", appId, terminal).catch((error: unknown) => {
    if (isLeaving(error)) return false;
    throw error;
  });
  if (!isAgreed) throw new EngineError("CLI_INTERRUPTED", `"${appId}" was not rolled back: nothing has happened`);
}

function write(terminal: Terminal, lines: readonly string[]): void {
  terminal.stdout.write(`${lines.join("\n")}\n`);
}
