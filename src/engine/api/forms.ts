/** The install dialog as data, as far as it is filled in. */

import type { Code } from "../../core/codes/code.ts";
import type { Problem } from "../../core/codes/problems.ts";
import type { FormStep } from "../../core/plan/form.ts";
import type { PlanMode } from "../../core/plan/plan.ts";
import type { AnswerDifference } from "../../core/plan/values/answer-differences.ts";
import type { Difference } from "../../core/plan/values/update-differences.ts";
import type { Hook } from "../../core/script/dictionary.ts";
import type { InstallRequest, UpgradeRequest } from "../requests.ts";
import type { LastKnown } from "./apps.ts";
import type { UpgradePreview } from "./lifecycles/upgrades.ts";

/** The occasion of a dialog or a preview. */
export type DialogMode = PlanMode | "upgrade";

/** What an update or upgrade changes before it is confirmed, secrets masked. */
export interface Differences {
  /** Values of the live configuration; absent where it is not known, or a problem keeps the new one from being so. */
  readonly differences?: readonly Difference[];
  /** Answers; absent on other occasions. */
  readonly answerDifferences?: readonly AnswerDifference[];
}

/** The install dialog as data, as it stands with the toggles chosen so far (docs/install-scripts.md, "The install dialog"). */
export interface Form extends Differences {
  readonly appId: string;
  readonly mode: DialogMode;
  /** The move of an upgrade, which asks nothing before it begins; absent where there is none. */
  readonly upgrade?: Omit<UpgradePreview, "appId">;
  readonly lastKnown?: LastKnown;
  readonly steps: readonly FormStep[];
  readonly consents: readonly FormConsent[];
  /** Heading of the links; absent without pairings. */
  readonly linksTitle?: string;
  readonly links: readonly FormLink[];
  /** "Customize Install (N options available)", N being the rows of the picker; absent without pairings. */
  readonly button?: string;
  /** Links that fire as things stand: what the dialog names while its picker is collapsed. */
  readonly collapsed: readonly FiringLink[];
  /** The toggles as an install takes them: the consents touched, and the links that fire. Answers are added to it. */
  readonly request: InstallRequest & Pick<UpgradeRequest, "withValues">;
  /** Reasons an install would refuse the chosen toggles for; of an upgrade everything it would be refused for. */
  readonly problems: readonly Problem[];
  /** Of an upgrade: what the host has against it and does not refuse. */
  readonly advice?: readonly HostAdvice[];
}

/** What on the host may keep an install or upgrade from working, and what to do about it: it refuses nothing. */
export interface HostAdvice {
  readonly code: Code;
  readonly message: string;
  readonly hint: string;
}

/** A link as the collapsed dialog names it. */
export interface FiringLink {
  readonly hookId: string;
  readonly runsOnAppId: string;
  readonly title: string;
  readonly targets: readonly string[];
}

export interface FormConsent {
  readonly hookId: string;
  readonly label: string;
  readonly description?: string;
  readonly default: boolean;
  /** As chosen so far, else by default. */
  readonly checked: boolean;
  /** Consent hooks it requires: while one is off it does not run, whatever its own toggle says. */
  readonly requiresConsents: readonly string[];
  /** Every consent it requires is on. */
  readonly available: boolean;
  readonly link?: { readonly url: string; readonly label: string };
}

export interface FormLink {
  readonly hookId: string;
  readonly runsOnAppId: string;
  readonly direction: "outgoing" | "incoming";
  readonly title: string;
  readonly description?: string;
  readonly kind?: NonNullable<Hook["kind"]>;
  readonly targets: readonly FormLinkTarget[];
  /** Consent hooks this row is gated on. */
  readonly requiresConsents: readonly string[];
  /** It can be selected: every one of them is on, and no condition of it never passes. */
  readonly available: boolean;
  /** Why it can never run: shown disabled. */
  readonly reason?: string;
}

export interface FormLinkTarget {
  readonly appId: string;
  readonly name: string;
  readonly icon: string;
  /** Text of the row: the target's name, or "Install and Connect to {target}". */
  readonly label: string;
  readonly installed: boolean;
  /** Checked by default. */
  readonly default: boolean;
  /** As chosen so far, else by default; it fires where the link is `available`. */
  readonly checked: boolean;
  /** Can be installed from the picker. */
  readonly installable: boolean;
  readonly steps?: readonly FormStep[];
  readonly consents?: readonly FormConsent[];
}

/** One stored password, in clear. */
export interface RevealedAnswer {
  /** Key of the question. */
  readonly key: string;
  /** null where none is stored. */
  readonly value: string | null;
}
