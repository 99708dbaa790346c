/** A request shown before anybody agrees to it: values, directories, hooks, links. */

import type { Problem } from "../../../core/codes/problems.ts";
import type { JsonObject } from "../../../core/json/json.ts";
import type { RequirementsReport } from "../../../core/plan/requirements.ts";
import type { DraftDirectory } from "../../../core/plan/resolve-directories.ts";
import type { LifecycleEvent } from "../../../core/script/dictionary.ts";
import type { LastKnown } from "../apps.ts";
import type { DialogMode, Differences, FiringLink, FormLinkTarget, HostAdvice } from "../forms.ts";
import type { UpgradePreview } from "./upgrades.ts";

/** The effect a request would have on one app, secrets masked. */
export interface PreviewedApp {
  readonly appId: string;
  /** Display name. */
  readonly name: string;
  readonly icon: string;
  /** `reinstall`: it was installed before, and the answers of then count where none are given. */
  readonly mode: DialogMode;
  readonly appValues: JsonObject;
  /** `path` and `location` are null where they can't be resolved; a problem says why. */
  readonly directories: readonly DraftDirectory[];
  readonly hooks: readonly {
    readonly id: string;
    readonly title: string;
    readonly event: LifecycleEvent;
    readonly optional: boolean;
    readonly consent?: boolean;
    /** Consent hooks it requires whose toggle is off: it does not run. */
    readonly closedBy?: readonly string[];
    /** It runs: no toggle keeps it from that, and as far as is known its script can run. */
    readonly fires: boolean;
  }[];
  readonly requirements: RequirementsReport;
  /** Parts of its script that have an error and are left out; absent if there are none. */
  readonly missing?: MissingParts;
}

/** How many parts of a script are left out; `problems` says why, at `hooks` and `widgets`. */
export interface MissingParts {
  /** Hooks that connect no other app. */
  readonly steps: number;
  /** Hooks that connect another app. */
  readonly connections: number;
  readonly widgets: number;
}

/** A link of a request, whose rows are open. */
export interface PreviewedLink extends FiringLink {
  /** False where its script is missing or faulty: the install goes on without it, with a mark that says so. */
  readonly fires: boolean;
  /** The rows of its targets, in the order of `targets`; what is not `installed` stands in `installs`. */
  readonly rows: readonly Pick<FormLinkTarget, "appId" | "name" | "icon" | "label" | "installed">[];
}

/** The effect a request would have: on its app, and on the targets that are installed for its links. */
export interface Preview extends PreviewedApp, Differences {
  /** The move of an upgrade; absent where there is none. */
  readonly upgrade?: Omit<UpgradePreview, "appId" | "hooks">;
  /** The links it selects, in the order they run. */
  readonly links: readonly PreviewedLink[];
  /** The installs they need, which run before them; a target that is installed already is left as it is. */
  readonly installs: readonly PreviewedApp[];
  /** Marks of the task from its start: advice, hooks that were dropped. */
  readonly marks: readonly string[];
  /** What the host, asked now, has against it and does not refuse; with the installs its links need. */
  readonly advice: readonly HostAdvice[];
  /** Those of the script, and everything the request would be refused for; the host's part is unknown while it is away. */
  readonly problems: readonly Problem[];
  readonly lastKnown?: LastKnown;
}
