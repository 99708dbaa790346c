/** `plan`: what an install would do on a host described by a file, without touching one. */

import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { Option } from "commander";
import { z } from "zod";
import { readAppId } from "../../../adapters/catalog/list-scripts.ts";
import { createFileUnreadableError } from "../../../core/codes/common-errors.ts";
import { EngineError } from "../../../core/codes/problems.ts";
import type { Json } from "../../../core/json/json.ts";
import type { HostFacts } from "../../../core/plan/host-facts.ts";
import type { PlanMode } from "../../../core/plan/plan.ts";
import { maskResolved, type PlanDocument, planDocument } from "../../../core/plan/plan-document.ts";
import { resolvePlan } from "../../../core/plan/resolve-plan.ts";
import { type ParsedScript, parseDictionary } from "../../../core/script/parse/parse-dictionary.ts";
import { Answers } from "../../../engine/requests.ts";
import { createSystemRandomness } from "../../../engine/system/randomness.ts";
import type { DefineCommand } from "../../command.ts";
import { readJsonFile, readRequestFile } from "../../options/files.ts";
import { EXIT } from "../../ui/exit.ts";
import { formatOption } from "../../ui/format.ts";
import { renderPlan } from "../../ui/plan-text.ts";
import { printJson, type Terminal } from "../../ui/terminal.ts";

interface Options {
  readonly hostFacts: string;
  readonly answers?: string;
  readonly mode: PlanMode;
  readonly from?: string;
  readonly to?: string;
  readonly reveal?: boolean;
  readonly explain?: boolean;
  readonly format: string;
}

const HostFactsFile: z.ZodType<HostFacts> = z.object({
  lanIp: z.string(),
  hostId: z.string(),
  memoryMb: z.number().nonnegative(),
  cores: z.number().nonnegative(),
  locations: z.record(z.string(), z.string().startsWith("/")),
  apps: z
    .record(z.string(), z.object({ state: z.string(), version: z.string(), ports: z.array(z.number()).default([]) }))
    .default({}),
  gpus: z.array(z.object({ slot: z.string(), vendor: z.string(), uuid: z.string().exactOptional() })).default([]),
  availableMb: z.record(z.string(), z.number().nonnegative()).exactOptional(),
});

/** Registers `plan`. */
export const definePlan: DefineCommand = (command, terminal) => {
  command
    .argument("<file>")
    .requiredOption("--host-facts <file>", "JSON of the host: addresses, memory, cores, locations, apps, gpus")
    .option("--answers <file>", "JSON of answers by question key")
    .addOption(
      new Option("--mode <mode>", "which dialog the form is for")
        .choices(["install", "custom", "reinstall", "options"])
        .default("install"),
    )
    .option("--from <version>", "with --to: the hooks of an upgrade that departs from this version of the app")
    .option("--to <version>", "version of the app the upgrade installs")
    .option("--reveal", "show passwords and generated strings")
    .option("--explain", "show which macro and answer each value came from")
    .addOption(formatOption())
    .action((file: string, options: Options) => runPlan(file, options, terminal));
};

function runPlan(file: string, options: Options, terminal: Terminal): void {
  if ((options.from === undefined) !== (options.to === undefined)) {
    throw new EngineError("CLI_USAGE", "--from and --to go together");
  }
  if (options.from !== undefined && options.answers !== undefined) {
    throw new EngineError("CLI_USAGE", "an upgrade takes no answers: leave out --answers, or --from and --to");
  }
  const facts = readJsonFile(options.hostFacts, HostFactsFile);
  const answers = options.answers === undefined ? {} : readRequestFile(options.answers, Answers);
  const text = readScript(file);
  const appId = readAppId(basename(file));
  const document = makeDocument(parseDictionary({ appId, text }), { appId, text, facts, answers, options });
  const failed = document.problems.some(({ severity }) => severity === "error");
  terminal.exitCode = failed ? EXIT.failed : EXIT.done;
  if (options.format === "json") printJson(terminal, document);
  else terminal.stdout.write(renderPlan(file, text, document));
}

function makeDocument(
  { dictionary, problems }: ParsedScript,
  request: {
    readonly appId: string;
    readonly text: string;
    readonly facts: HostFacts;
    readonly answers: Readonly<Record<string, Json>>;
    readonly options: Options;
  },
): PlanDocument {
  const { appId, text, facts, answers, options } = request;
  if (dictionary === null) {
    return { appId, appValues: null, directories: null, hooks: null, form: null, requirements: null, problems };
  }
  const { alphanumeric } = createSystemRandomness();
  const { mode, from, to } = options;
  const common = { dictionary, request: { answers }, facts, random: alphanumeric, text };
  const resolved = resolvePlan(
    from === undefined || to === undefined
      ? { ...common, mode }
      : { ...common, mode: "upgrade", upgrade: { from, to } },
  );
  const shown = options.reveal ? resolved : maskResolved(dictionary, resolved);
  const document = planDocument(appId, shown, problems);
  return options.explain ? { ...document, explain: shown.trace } : document;
}

function readScript(file: string): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(readFileSync(file));
  } catch (error) {
    throw createFileUnreadableError(file, error);
  }
}
