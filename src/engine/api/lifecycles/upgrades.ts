/** Where an upgrade leads. */
import type { Code } from "../../../core/codes/code.ts";
import type { LifecycleEvent } from "../../../core/script/dictionary.ts";
import type { UpgradePolicy } from "../../requests.ts";
import type { ChangelogEntry } from "../apps.ts";

/** A previewed upgrade. */
export interface UpgradePreview {
  readonly appId: string;
  /** Version of the host's package, of a custom app of its script; absent where nobody knows it. */
  readonly from?: string;
  readonly to: string;
  /** Every version the app can be upgraded to, the newest first. */
  readonly versions: readonly string[];
  /** The versions after `from` up to `to`, the newest first, with what is written about them. */
  readonly changelog: readonly ChangelogEntry[];
  /** The hooks that run, in order. */
  readonly hooks: readonly {
    readonly id: string;
    readonly title: string;
    readonly event: LifecycleEvent;
    readonly optional: boolean;
  }[];
}

/** An app that has an upgrade, or was named, and can't be upgraded now. */
export interface LeftOutApp {
  readonly appId: string;
  /** Display name; absent where it is not known. */
  readonly appName?: string;
  readonly code: Code;
  readonly message: string;
}

/** The upgrades of several apps, in the order they would run. */
export interface UpgradeAllPreview {
  readonly upgrades: readonly (Pick<UpgradePreview, "appId" | "from" | "to"> & {
    /** Display name. */
    readonly name: string;
  })[];
  readonly leftOut: readonly LeftOutApp[];
}

/** A policy, and when its next window opens: ISO 8601 UTC, absent where none does or nobody knows. */
export type UpgradePolicyView = UpgradePolicy & { readonly next?: string };

/** When upgrades begin by themselves. */
export interface UpgradePoliciesView {
  /** Of the host, by which windows open; absent before its first answer. */
  readonly timeZone?: string;
  readonly all: UpgradePolicyView;
  /** By app id, of those that have one of their own. */
  readonly apps: Readonly<Record<string, UpgradePolicyView>>;
  /** Of what is kept, as a digest: for whoever changes exactly this. */
  readonly revision: string;
}
