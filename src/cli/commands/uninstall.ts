/** `uninstall APPID`: shows what goes and what stays, asks, and sees the task to its end. */
import { EngineError } from "../../core/codes/problems.ts";
import type { Engine, UninstallRequest } from "../../engine/api.ts";
import type { DefineCommand } from "../command.ts";
import { addEngineOptions } from "../options/connect.ts";
import { byUser } from "../options/user.ts";
import { canAsk, isLeaving } from "../ui/dialog/ask.ts";
import { isConfirmed } from "../ui/dialog/options-dialog.ts";
import { formatOption } from "../ui/format.ts";
import type { Terminal } from "../ui/terminal.ts";
import { renderUninstall } from "../ui/uninstall-text.ts";
import { begin, type StartOptions } from "./install.ts";

interface UninstallOptions extends StartOptions {
  readonly removeData?: boolean;
  readonly yes?: boolean;
}

export const defineUninstall: DefineCommand = (command, terminal) => {
  addEngineOptions(command.argument("<appId>"))
    .addOption(formatOption())
    .option(
      "--remove-data",
      "remove the app's own directories too, after a snapshot, and forget its answers and secrets",
    )
    .option("--yes", "do not ask")
    .action((appId: string, options: UninstallOptions) =>
      begin(options, terminal, async (engine) => {
        const request: UninstallRequest = options.removeData === true ? { keepData: false } : {};
        return engine.uninstall(appId, await confirm(engine, appId, request, options, terminal), byUser());
      }),
    );
};

/** The request with what was shown. Throws `CLI_INTERRUPTED` where the person leaves, `CLI_USAGE` where nobody can be asked. */
async function confirm(
  engine: Engine,
  appId: string,
  request: UninstallRequest,
  { yes, format }: UninstallOptions,
  terminal: Terminal,
): Promise<UninstallRequest> {
  const isAsked = format !== "json" && yes !== true && canAsk(terminal);
  if (!isAsked && yes !== true) {
    throw new EngineError("CLI_USAGE", "an uninstall needs --yes where nobody can be asked");
  }
  if (format === "json") return request;
  const preview = await engine.previewUninstall(appId, request);
  terminal.stdout.write(`${renderUninstall(preview).join("\n")}\n`);
  if (!isAsked) return request;
  const isAgreed = await isConfirmed("Uninstall", appId, terminal).catch((error: unknown) => {
    if (isLeaving(error)) return false;
    throw error;
  });
  if (!isAgreed) throw new EngineError("CLI_INTERRUPTED", `"${appId}" was not uninstalled: nothing has happened`);
  const removes = preview.directories.filter(({ fate }) => fate === "removed").map(({ path }) => path);
  return request.keepData === false ? { ...request, removes } : request;
}
