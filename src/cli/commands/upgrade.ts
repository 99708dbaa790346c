import { showControlCharacters } from "../../core/report/plain-text.ts";
import { UpgradeRequest } from "../../engine/requests.ts";
import type { DefineCommand } from "../command.ts";
import { withEngine } from "../options/connect.ts";
import { renderVersions } from "../ui/firing-text.ts";
import { askUpgrade } from "../ui/options-dialog.ts";
import { printJson, type Terminal } from "../ui/terminal.ts";
import { addRequestOptions, begin, completeRequest, type RequestOptions, readGivenRequest } from "./install.ts";

interface UpgradeOptions extends RequestOptions {
  readonly to?: string;
  readonly list?: boolean;
  readonly rollbackOnFailure?: boolean;
}

/** `upgrade APPID`: one app to the newest version or the one named, or a list of those there are. */
export const defineUpgrade: DefineCommand = (command, terminal) => {
  addRequestOptions(command.argument("<appId>"))
    .option("--to <version>", "upgrade to this version (default: the newest)")
    .option("--list", "list the versions there are, the newest first, and change nothing")
    .option("--rollback-on-failure", "roll back by itself where the upgrade fails, or the app does not run")
    .action((appId: string, options: UpgradeOptions) =>
      options.list === true ? listVersions(appId, options, terminal) : upgrade(appId, options, terminal),
    );
};

function listVersions(appId: string, options: UpgradeOptions, terminal: Terminal): Promise<void> {
  return withEngine(options, terminal, async (engine) => {
    const preview = await engine.previewUpgrade(appId);
    if (options.format === "json") printJson(terminal, preview);
    else terminal.stdout.write(`${renderVersions(preview).map(showControlCharacters).join("\n")}\n`);
  });
}

function upgrade(appId: string, options: UpgradeOptions, terminal: Terminal): Promise<void> {
  return begin(options, terminal, async (engine) => {
    const request: UpgradeRequest = {
      ...readGivenRequest(options, UpgradeRequest),
      ...(options.to !== undefined && { version: options.to }),
      ...(options.rollbackOnFailure === true && { rollbackOnFailure: true }),
    };
    const ask = () => askUpgrade(engine, appId, request, terminal);
    return engine.upgrade(appId, await completeRequest(appId, request, ask, options, terminal));
  });
}
