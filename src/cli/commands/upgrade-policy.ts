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
    .action(async (appId: string | undefined, options: PolicyOptions) => {
      const wanted = readWanted(appId, options);
      await withEngine(options, terminal, async (engine) => {
        const policies = await change(engine, appId, wanted);
        if (options.format === "json") printJson(terminal, policies);
        else terminal.stdout.write(`${renderPolicies(policies).join("\n")}\n`);
      });
    });
};

/** The policy that is to be; `others` where the app is to have none of its own, null where it is only asked. */
type Wanted = UpgradePolicy | "others" | null;

/** Leaves the policies of other apps as they are. Throws `TASK_POLICIES_STALE` where somebody changes them at the same time. */
async function change(engine: Engine, appId: string | undefined, wanted: Wanted): Promise<UpgradePoliciesView> {
  const before = await engine.upgradePolicies();
  if (wanted === null) return before;
  const { [appId ?? ""]: _, ...others } = before.apps;
  const apps = Object.fromEntries(Object.entries(others).map(([id, view]) => [id, withoutTime(view)]));
  const all = withoutTime(before.all);
  const { revision } = before;
  if (wanted === "others") return engine.setUpgradePolicies({ all, apps, revision }, byUser());
  const after = appId === undefined ? { all: wanted, apps } : { all, apps: { ...apps, [appId]: wanted } };
  return engine.setUpgradePolicies({ ...after, revision }, byUser());
}

/** Options that say which policy it is, and those that say more of an automatic one. */
const MODES = ["manual", "notify", "automatic", "asOthers"] as const;
const OF_AUTOMATIC = ["minutes", "late", "stopOnFailure"] as const;

/** Throws `CLI_USAGE` for options that say nothing together. */
function readWanted(appId: string | undefined, options: PolicyOptions): Wanted {
  const { manual, notify, automatic, asOthers, minutes, late, stopOnFailure } = options;
  const modes = MODES.filter((name) => options[name] !== undefined).map(toFlag);
  if (modes.length > 1) throw new EngineError("CLI_USAGE", `${modes.join(" and ")} exclude each other`);
  const [idle] = OF_AUTOMATIC.filter((name) => automatic === undefined && options[name] !== undefined);
  if (idle !== undefined) throw new EngineError("CLI_USAGE", `${toFlag(idle)} goes with --automatic`);
  if (asOthers === true && appId === undefined) throw new EngineError("CLI_USAGE", "--as-others is said of an app");
  if (asOthers === true) return "others";
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

function toFlag(name: string): string {
  return `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
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
