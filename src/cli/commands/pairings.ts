import { openCatalogDirectory } from "../../adapters/catalog/catalog-directory.ts";
import { EngineError } from "../../core/codes/problems.ts";
import { buildPairingIndex, findPairingTargets, listPairings } from "../../core/hooks/pairings.ts";
import { APP_ID } from "../../core/script/app-id.ts";
import type { PairingTarget } from "../../engine/api.ts";
import type { CatalogEntry } from "../../engine/ports/catalog.ts";
import { toPairingRecord } from "../../engine/surfaces/pairings.ts";
import type { DefineCommand } from "../command.ts";
import { formatOption } from "../ui/format.ts";
import { printJson } from "../ui/terminal.ts";

interface PairingsOptions {
  readonly catalog: string;
  readonly format: string;
  readonly explain?: boolean;
  readonly dev?: boolean;
}

/** Why a hook of the app yields no pairing, or which targets it has. */
interface Explanation {
  readonly hookId: string;
  readonly targets?: readonly string[];
  readonly reason?: string;
}

/** `pairings APPID`: the body of `GET /api/apps/{appId}/pairings`, from a catalog alone. */
export const definePairings: DefineCommand = (command, terminal) => {
  command
    .argument("<appId>")
    .requiredOption("--catalog <dir>", "directory of install scripts")
    .option("--explain", "say for each hook of the app why it yields no pairing")
    .option("--dev", "with internal apps, which count outside production only")
    .addOption(formatOption())
    .action(async (appId: string, options: PairingsOptions) => {
      if (!APP_ID.test(appId)) throw new EngineError("CLI_USAGE", `"${appId}" is not an app id`);
      const catalog = await openCatalogDirectory(options.catalog);
      const entries = catalog.entries();
      const pairable = entries.filter(
        ({ deprecated, outdated, declared }) =>
          !deprecated && !outdated && (options.dev === true || declared?.internal !== true),
      );
      const index = buildPairingIndex(pairable.flatMap(({ declared }) => declared ?? []));
      const pairings = listPairings(index, appId).map(({ pairing, targets }) =>
        toPairingRecord(
          pairing,
          targets.map((target) => readLabel(target, catalog.entry(target))),
        ),
      );
      const explained = options.explain === true ? explain(appId, catalog.entry(appId), options.dev === true) : null;
      if (options.format === "json") {
        printJson(terminal, { appId, pairings, ...(explained !== null && { explained }) });
        return;
      }
      for (const { runsOnAppId, hookId, title, targets } of pairings) {
        const names = targets.map((target) => target.appId).join(", ");
        terminal.stdout.write(`${title}: ${runsOnAppId}/${hookId} links ${names}\n`);
      }
      if (pairings.length === 0) terminal.stdout.write(`"${appId}" has no pairings\n`);
      for (const { hookId, targets, reason } of explained ?? []) {
        terminal.stdout.write(`  ${hookId}: ${reason ?? `links ${targets?.join(", ") ?? ""}`}\n`);
      }
    });
};

/** Without a host only the script's own metadata names an app (docs/decisions.md, section 7). */
function readLabel(appId: string, entry: CatalogEntry | null): PairingTarget {
  const metadata = entry?.declared?.metadata;
  return { appId, name: metadata?.name ?? appId, icon: metadata?.icon ?? "" };
}

/** Every declared hook of an app with its targets or the reason it has none; dropped hooks with their problem. */
function explain(appId: string, entry: CatalogEntry | null, dev: boolean): readonly Explanation[] {
  if (entry === null) return [{ hookId: "*", reason: "the catalog has no such app" }];
  const { declared: dictionary } = entry;
  const dropped = entry.problems
    .filter(({ severity, path, code }) => severity === "error" && path[0] === "hooks" && code !== "SCRIPT_FILE_MISSING")
    .map(
      ({ path, code, message }): Explanation => ({
        hookId: path.length > 1 ? `hooks[${path[1]}]` : "*",
        reason: `dropped: ${code}: ${message}`,
      }),
    );
  if (dictionary === null) return [{ hookId: "*", reason: "the install script is refused, see validate" }, ...dropped];
  const general: Explanation[] = [];
  if (entry.deprecated) general.push({ hookId: "*", reason: "the app is deprecated" });
  if (entry.outdated) general.push({ hookId: "*", reason: "a newer file of the app is of a version that is not read" });
  if (dictionary.internal && !dev) general.push({ hookId: "*", reason: "the app is internal, see --dev" });
  const hooks = dictionary.hooks.map((hook): Explanation => {
    const found = findPairingTargets(appId, hook);
    return "targets" in found ? { hookId: hook.id, targets: found.targets } : { hookId: hook.id, reason: found.none };
  });
  return [...general, ...hooks, ...dropped];
}
