/** The apps of catalog and host, and one app's card (docs/install-scripts.md, "The app card"). */

import type { AddressedProblem } from "../../core/codes/problems.ts";
import type { RequirementsReport } from "../../core/plan/requirements.ts";
import type { Lifecycle } from "../../core/task/task-facts.ts";
import type { PairingStatus, PairingTarget } from "./pairings.ts";
import type { WidgetSummary } from "./widgets.ts";

/** An app of the catalog or the host, with what the host says of it. */
export interface AppView {
  readonly appId: string;
  /** Display name: metadata of the script, else the host's title, else the id. */
  readonly name: string;
  /** URL or path relative to the catalog, as it is written; empty when none is known. `Surfaces.icon` reads it. */
  readonly icon: string;
  readonly description?: string;
  readonly custom: boolean;
  readonly deprecated: boolean;
  /** False when the install script is refused (see the problems of `GET apps/{id}`), or the catalog has none. */
  readonly usable: boolean;
  readonly scriptVersion?: string;
  /** null when not installed, absent where the host was never asked with success. */
  readonly installed?: InstalledView | null;
  readonly lastKnown?: LastKnown;
}

/** Marks what rests on the host's earlier answers, because it does not answer now. */
export interface LastKnown {
  /** ISO 8601 UTC: when the host said it. */
  readonly at: string;
  /** Its age in ms. */
  readonly ageMs: number;
}

export interface InstalledView {
  readonly state: string;
  readonly version: string;
  readonly upgradeAvailable: boolean;
  readonly baseUrl: string;
  /** What a person can do with it as a whole, beside its options and upgrade; what its state makes needless is left out. */
  readonly lifecycles: readonly LifecycleEntry[];
}

/** A start, stop, restart, rollback or uninstall as a button. */
export interface LifecycleEntry {
  readonly lifecycle: Extract<Lifecycle, "start" | "stop" | "restart" | "rollback" | "uninstall">;
  readonly state: "enabled" | "disabled";
  /** Why it is disabled. */
  readonly reason?: string;
  /** The task that is in its way. */
  readonly taskId?: string;
}

/** One app with its panels (docs/install-scripts.md, "The app card"). */
export interface AppDetail extends AppView {
  /** Empty where the host was never asked with success. */
  readonly pairings: readonly PairingStatus[];
  /** Outgoing pairings whose target is not installed, one row per target. */
  readonly suggestions: readonly Suggestion[];
  /** Those that are not hidden. */
  readonly widgets: readonly WidgetSummary[];
  readonly problems: readonly AddressedProblem[];
  /** Of its script, met and unmet; absent without a usable script, and where the host was never asked with success. */
  readonly requirements?: RequirementsReport;
  /**
   * What is new: the versions above the installed one up to the offered one, of the host's package, then of the script,
   * each the newest first, 50 at most. Empty where it is not installed.
   */
  readonly changelog: readonly ChangelogEntry[];
}

/** A version an installed app can move to, or passes on the way. */
export interface ChangelogEntry {
  /** Of the host's package, of a custom app of its metadata; absent where only the script of an app is newer. */
  readonly version?: string;
  /** Of the install script. */
  readonly scriptVersion?: string;
  /** As the host or the author wrote it, 10,000 characters at most; absent where nothing is written. */
  readonly notes?: string;
}

/** The picture of an app, checked by its content. It is an author's all the same: an SVG is shown as a picture only. */
export interface AppIcon {
  readonly type: "image/svg+xml" | "image/png" | "image/webp" | "image/jpeg";
  /** At most 256 KB. */
  readonly bytes: Uint8Array;
  /** Changes with the bytes. */
  readonly tag: string;
}

export interface Suggestion {
  readonly hookId: string;
  readonly target: PairingTarget;
  /** Whether the catalog has a usable script of the target: an app nobody declares can never be installed. */
  readonly installable: boolean;
}
