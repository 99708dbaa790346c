/** What the engine keeps of an app, what the host says of it, and the findings where the two differ. */
import type { Code } from "../codes/code.ts";
import type { DRIFT_CODES } from "../codes/drift.ts";
import type { JsonObject } from "../json/json.ts";
import type { PlannedDirectory } from "../plan/plan.ts";
import type { ValueOrigin } from "../plan/values/field-origin.ts";

/** An app as the task that changed it last has left it. */
export interface BelievedApp {
  readonly appId: string;
  /** Name of the instance on the host. */
  readonly instance: string;
  /** Of the host's package; null where the engine keeps none. */
  readonly version: string | null;
  /** Those it was given; the host may have more. Hold secrets. */
  readonly values: JsonObject;
  /** Which questions decide which of the values; null: nobody knows, and no value is shown. */
  readonly origins: readonly ValueOrigin[] | null;
  /** Keys of the questions whose answers are no secrets. */
  readonly openQuestions: ReadonlySet<string>;
  readonly secrets: readonly string[];
  readonly directories: readonly BelievedDirectory[];
  /** Links of its hooks that were made and are gone. */
  readonly lostLinks: readonly LostLink[];
}

/** A declared directory; `shared`: the engine has seen to its share. */
export type BelievedDirectory = Pick<PlannedDirectory, "path" | "root" | "owner"> & { readonly shared: boolean };

export interface LostLink {
  readonly hookId: string;
  /** App id. */
  readonly target: string;
}

/** An app as the host has it; `takenBy` is the id of the app that has its name. */
export type SeenApp = InstalledApp | { readonly installed: false; readonly takenBy: string | null };

export interface InstalledApp {
  readonly installed: true;
  readonly version: string;
  /** Hold secrets. */
  readonly values: JsonObject;
  /** By path: those that were looked at. */
  readonly directories: ReadonlyMap<string, SeenDirectory>;
  /** Paths. */
  readonly shares: ReadonlySet<string>;
}

export type SeenDirectory =
  /** `at`: its path, or that of its location where not even this is there. */
  | { readonly is: "missing"; readonly at: string }
  | { readonly is: "replaced" }
  | {
      readonly is: "directory";
      readonly owner: Owner;
      /** The declared one; null where the host does not know it. */
      readonly wanted: Owner | null;
    };

interface Owner {
  readonly uid: number;
  readonly gid: number;
}

/** Something the host has otherwise than the engine left it. */
export interface DriftFinding {
  readonly code: Extract<Code, keyof typeof DRIFT_CODES>;
  readonly appId: string;
  /** The path, the place in the options, or the app it is about. */
  readonly subject: string;
  /** Absent where there is none, or where it is or may hold a secret. */
  readonly expected?: string;
  /** As `expected`. */
  readonly found?: string;
  /** What is otherwise, in words, and what to do about it. */
  readonly title: string;
  readonly hint: string;
  /** The task that helps, for a person to start; null where none does. */
  readonly proposal: DriftProposal | null;
}

/** A method of the engine and what it is called with. */
export type DriftProposal =
  | { readonly method: "install" | "update" | "adopt"; readonly appId: string }
  | { readonly method: "runAction"; readonly appId: string; readonly hookId: string };
