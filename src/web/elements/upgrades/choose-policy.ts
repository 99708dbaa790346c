/** What a person chooses of upgrades that begin by themselves, as the interface takes it. Pure. */
import type { UpgradePolicies, UpgradePolicy } from "../../api/types.ts";

/** As they are offered. */
export const MODES: readonly UpgradePolicy["mode"][] = ["manual", "notify", "automatic"];

/** A policy, or that of all apps. */
export type ChosenPolicy = UpgradePolicy | "all";

/** A time of each day, or of one day of the week, in the times of a window. */
const DAILY = /^([0-5]?\d) ([01]?\d|2[0-3]) \* \* ([*0-6])$/;
const NIGHT = "03:00";

/** Reads the times of a window as a day (0 is Sunday, `*` each) and its `hh:mm`; both are empty where they are others. */
export function readDaily(cron: string): { readonly day: string; readonly time: string } {
  const [, minute, hour = "", day = ""] = DAILY.exec(cron) ?? [];
  const time = minute === undefined ? "" : `${hour.padStart(2, "0")}:${minute.padStart(2, "0")}`;
  return { day, time };
}

/** Writes a day and its time as the times of a window: each day, and three in the night, where they are empty. */
export function writeDaily(day: string, time: string): string {
  const [hour, minute] = (time || NIGHT).split(":").map(Number);
  return `${minute} ${hour} * * ${day || "*"}`;
}

/** A mode as it is chosen, with a window that can be changed where it has one. */
export function choosePolicy(mode: UpgradePolicy["mode"]): UpgradePolicy {
  return mode === "automatic" ? { mode, cron: writeDaily("", "") } : { mode };
}

/** The policy of an app, or that of all where no app is named, as it is kept. */
export function readPolicy({ all, apps }: UpgradePolicies, app: string): ChosenPolicy {
  if (app === "") return all;
  return (Object.hasOwn(apps, app) ? apps[app] : undefined) ?? "all";
}

/** All policies with another one for an app, or for all where no app is named: in place of exactly these. */
export function replacePolicy({ all, apps, revision }: UpgradePolicies, app: string, chosen: ChosenPolicy) {
  const others = Object.entries(apps).filter(([appId]) => appId !== app);
  const own = app === "" || chosen === "all" ? [] : [[app, chosen] as const];
  return {
    all: withoutNext(app === "" && chosen !== "all" ? chosen : all),
    apps: Object.fromEntries([...others, ...own].map(([appId, policy]) => [appId, withoutNext(policy)])),
    revision,
  };
}

/** When its next window opens the engine says: it is no part of what is chosen. */
function withoutNext({ next: _, ...policy }: UpgradePolicy): UpgradePolicy {
  return policy;
}
