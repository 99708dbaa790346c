import { EngineError } from "../../core/codes/problems.ts";
import type { Engine, UpgradePoliciesView, UpgradePolicy, UpgradePolicyView } from "../../engine/api.ts";
import { WINDOW_MINUTES } from "../../engine/requests.ts";
import type { DefineCommand } from "../command.ts";
import { addEngineOptions, withEngine } from "../options/connect.ts";
import { byUser } from "../options/user.ts";
import { formatOption } from "../ui/format.ts";
import { printJson } from "../ui/terminal.ts";
import type { StartOptions } from "./install.ts";

interface PolicyOptions extends StartOptions {
  readonly manual?: boolean;
  readonly notify?: boolean;
  readonly automatic?: string;
  readonly minutes?: string;
  readonly late?: boolean;
  readonly stopOnFailure?: boolean;
  readonly asOthers?: boolean;
}

/** `upgrade-policy [APPID]`: shows when upgrades begin by themselves, of all apps or of one, and changes it. */
export const defineUpgradePolicy: DefineCommand = (command, terminal) => {
  addEngineOptions(command.argument("[appId]"))
    .addOption(formatOption())
    .option("--manual", "no upgrade begins by itself")
    .option("--notify", "no upgrade begins by itself, and each new version is told once (slipway notifications)")
    .option("--automatic <cron>", "upgrades begin at these times of the host's clock, e.g. '0 3 * * *'")
    .option("--minutes <n>", `with --automatic: how long the window is open (default: ${WINDOW_MINUTES})`)
    .option("--late", "with --automatic: a window that was missed is made up for as soon as that can be")
    .option("--stop-on-failure", "with --automatic: begin no further upgrade once one has failed")
    .option("--as-others", "the app has no policy of its own any more")
    .action((appId: string | undefined, options: PolicyOptions) =>
      withEngine(options, terminal, async (engine) => {
        const policies = await change(engine, appId, options);
        if (options.format === "json") printJson(terminal, policies);
        else terminal.stdout.write(`${renderPolicies(policies).join("\n")}\n`);
      }),
    );
};

/** Leaves the policies of other apps as they are. */
async function change(engine: Engine, appId: string | undefined, options: PolicyOptions): Promise<UpgradePoliciesView> {
  const before = await engine.upgradePolicies();
  const policy = readPolicy(options);
  if (policy === null && options.asOthers !== true) return before;
  if (appId === undefined && policy === null) throw new EngineError("CLI_USAGE", "--as-others is said of an app");
  const { [appId ?? ""]: _, ...others } = before.apps;
  const apps = Object.fromEntries(Object.entries(others).map(([id, view]) => [id, withoutTime(view)]));
  if (policy === null) return engine.setUpgradePolicies({ all: withoutTime(before.all), apps }, byUser());
  return engine.setUpgradePolicies(
    appId === undefined ? { all: policy, apps } : { all: withoutTime(before.all), apps: { ...apps, [appId]: policy } },
    byUser(),
  );
}

function readPolicy(options: PolicyOptions): UpgradePolicy | null {
  const { manual, notify, automatic, minutes, late, stopOnFailure } = options;
  if ([manual, notify, automatic].filter((mode) => mode !== undefined).length > 1)
    throw new EngineError("CLI_USAGE", "--manual, --notify and --automatic exclude each other");
  if (manual === true) return { mode: "manual" };
  if (notify === true) return { mode: "notify" };
  if (automatic === undefined) return null;
  return {
    mode: "automatic",
    cron: automatic,
    ...(minutes !== undefined && { minutes: Number(minutes) }),
    ...(late === true && { late }),
    ...(stopOnFailure === true && { stopOnFailure }),
  };
}

function withoutTime({ next: _, ...policy }: UpgradePolicyView): UpgradePolicy {
  return policy;
}

/** The lines that say when upgrades begin by themselves. */
export function renderPolicies({ timeZone = "the host's time", all, apps }: UpgradePoliciesView): readonly string[] {
  return [
    `all apps: ${describePolicy(all, timeZone)}`,
    ...Object.entries(apps).map(([appId, policy]) => `${appId}: ${describePolicy(policy, timeZone)}`),
  ];
}

function describePolicy(policy: UpgradePolicyView, timeZone: string): string {
  if (policy.mode !== "automatic") return policy.mode;
  const { cron, minutes = WINDOW_MINUTES, late, stopOnFailure, next } = policy;
  const parts = [
    `automatic at "${cron}" (${timeZone}), ${minutes} minutes long`,
    ...(late === true ? ["missed windows later"] : []),
    ...(stopOnFailure === true ? ["up to the first failure"] : []),
    ...(next === undefined ? [] : [`next ${next}`]),
  ];
  return parts.join(", ");
}
