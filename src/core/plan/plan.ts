/**
 * A plan: everything one install, upgrade or update will do, resolved once and frozen (docs/architecture.md, invariant 9).
 * The types only; `resolve-plan.ts` makes one.
 */

import type { InputDefaults } from "../hooks/input-defaults.ts";
import type { Json, JsonObject, JsonPath } from "../json/json.ts";
import type { Dictionary, LifecycleEvent } from "../script/dictionary.ts";

export type PlanMode = "install" | "custom" | "reinstall" | "options";

export interface Plan {
  readonly appId: string;
  readonly dictionary: Dictionary;
  /** Values for the host's app API, every macro resolved. Holds secrets. */
  readonly appValues: JsonObject;
  readonly directories: readonly PlannedDirectory[];
  /** One row per lifecycle firing, in the order declared; a refused consent is a row with `consent: false`. */
  readonly hooks: readonly PlannedHook[];
  /** The answer of every declared question that has one, defaults and generated values included. Holds secrets. */
  readonly answers: Readonly<Record<string, Json>>;
  /**
   * Every `$RANDOM_STRING` by the JSON path of its place (JSON text of the path), generated once and kept. A question
   * stands in the path by its key: its index may change in a newer script. The later strings of one place carry their
   * number behind its path.
   */
  readonly randoms: Readonly<Record<string, string>>;
  /** Defaults of hook inputs, macros resolved. Holds secrets. */
  readonly inputDefaults: InputDefaults;
  /** Values to mask wherever they appear: password answers and generated strings. */
  readonly secrets: readonly string[];
  /** Paths in `appValues` whose value came from a secret: a secret too short to mask by value is masked there. */
  readonly secretPlaces: readonly JsonPath[];
}

export interface PlannedDirectory {
  /** Absolute host path, normalised, at or strictly below its location. */
  readonly path: string;
  /** Location id it lies in. */
  readonly location: string;
  /** The location's own path: shared and snapshotted only, never created, owned or repaired. */
  readonly root: boolean;
  readonly share: boolean;
  readonly owner?: { readonly user: string; readonly group?: string };
  readonly snapshot?: { readonly id: string };
}

export interface PlannedHook {
  readonly id: string;
  readonly event: LifecycleEvent;
  readonly optional: boolean;
  /** Present on hooks with `userOptional`: whether the user consents. */
  readonly consent?: boolean;
  /** Consent hooks it requires whose toggle is off: it does not run. */
  readonly closedBy?: readonly string[];
}
