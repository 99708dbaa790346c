import { EngineError } from "../../core/codes/problems.ts";
import { type UpgradeAllRequest, UpgradeRequest } from "../../engine/requests.ts";
import type { DefineCommand } from "../command.ts";
import { withEngine } from "../options/connect.ts";
import { byUser } from "../options/user.ts";
import { askUpgrade, isConfirmed } from "../ui/dialog/options-dialog.ts";
import { renderUpgrades, renderVersions } from "../ui/firing-text.ts";
import { printJson, type Terminal } from "../ui/terminal.ts";
import { addRequestOptions, begin, completeRequest, type RequestOptions, readGivenRequest } from "./install.ts";

interface UpgradeOptions extends RequestOptions {
  readonly all?: boolean;
  readonly stopOnFailure?: boolean;
  readonly to?: string;
  readonly list?: boolean;
  readonly rollbackOnFailure?: boolean;
  readonly withValues?: boolean;
}

/** `upgrade APPID`: one app to the newest version or the one named; `upgrade --all`: every app that has an upgrade. */
export const defineUpgrade: DefineCommand = (command, terminal) => {
  addRequestOptions(command.argument("[appId]"))
    .option("--all", "upgrade every app that has an upgrade, one after another")
    .option("--stop-on-failure", "with --all: begin no further upgrade once one has failed")
    .option("--to <version>", "upgrade to this version (default: the newest)")
    .option("--list", "list the versions there are, with --all the upgrades, and change nothing")
    .option("--with-values", "send the values of its script along, for a version that refuses those the app has")
    .option("--rollback-on-failure", "roll back by itself where the upgrade fails, or the app does not run")
    .action((appId: string | undefined, options: UpgradeOptions) => {
      if (options.all === true) {
        refuseBesideAll(appId, options);
        return options.list === true ? listUpgrades(options, terminal) : upgradeAll(options, terminal);
      }
      if (appId === undefined) throw new EngineError("CLI_USAGE", "name an app, or give --all");
      if (options.stopOnFailure === true) throw new EngineError("CLI_USAGE", "--stop-on-failure goes with --all");
      return options.list === true ? listVersions(appId, options, terminal) : upgrade(appId, options, terminal);
    });
};

/** Options of one upgrade, which several have no use for. */
const OF_ONE = ["to", "answers", "request", "rollbackOnFailure", "withValues"] as const;

function refuseBesideAll(appId: string | undefined, options: UpgradeOptions): void {
  const beside = appId ?? OF_ONE.find((name) => options[name] !== undefined);
  if (beside !== undefined) throw new EngineError("CLI_USAGE", `--all can't be combined with "${beside}"`);
}

function listUpgrades(options: UpgradeOptions, terminal: Terminal): Promise<void> {
  return withEngine(options, terminal, async (engine) => {
    const preview = await engine.previewUpgradeAll();
    if (options.format === "json") printJson(terminal, preview);
    else write(terminal, renderUpgrades(preview));
  });
}

function upgradeAll(options: UpgradeOptions, terminal: Terminal): Promise<void> {
  return begin(options, terminal, async (engine) => {
    const request: UpgradeAllRequest = options.stopOnFailure === true ? { stopOnFailure: true } : {};
    const ask = async () => {
      write(terminal, renderUpgrades(await engine.previewUpgradeAll(request)));
      return (await isConfirmed("Upgrade", "all apps", terminal)) ? request : null;
    };
    return engine.upgradeAll(await completeRequest("all apps", request, ask, options, terminal), byUser());
  });
}

function listVersions(appId: string, options: UpgradeOptions, terminal: Terminal): Promise<void> {
  return withEngine(options, terminal, async (engine) => {
    const preview = await engine.previewUpgrade(appId);
    if (options.format === "json") printJson(terminal, preview);
    else write(terminal, renderVersions(preview));
  });
}

function upgrade(appId: string, options: UpgradeOptions, terminal: Terminal): Promise<void> {
  return begin(options, terminal, async (engine) => {
    const request: UpgradeRequest = {
      ...readGivenRequest(options, UpgradeRequest),
      ...(options.to !== undefined && { version: options.to }),
      ...(options.withValues === true && { withValues: true }),
      ...(options.rollbackOnFailure === true && { rollbackOnFailure: true }),
    };
    const ask = () => askUpgrade(engine, appId, request, terminal);
    return engine.upgrade(appId, await completeRequest(appId, request, ask, options, terminal), byUser());
  });
}

function write(terminal: Terminal, lines: readonly string[]): void {
  terminal.stdout.write(`${lines.join("\n")}\n`);
}
