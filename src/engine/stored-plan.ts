/**
 * The plan frozen with a task at its start (docs/architecture.md, invariant 9): everything its effects will need, so
 * that neither a catalog sync nor a restart changes what it does. Holds secrets; lives in the store's plan of the root
 * task only.
 */

import type { TargetFile } from "../core/hooks/file-targets.ts";
import type { Json, JsonObject } from "../core/json/json.ts";
import type { PlannedDirectory } from "../core/plan/plan.ts";
import type { ValueOrigin } from "../core/plan/values/field-origin.ts";
import type { Hook } from "../core/script/dictionary.ts";

export interface StoredPlan {
  /** Shape of this record. */
  readonly format: 1;
  /** By app id: the app itself, and targets installed with it. */
  readonly apps: Readonly<Record<string, StoredApp>>;
  /** By `toHookKey`: every hook a task of this tree may run. */
  readonly hooks: Readonly<Record<string, StoredHook>>;
  /** Values to mask wherever they appear. */
  readonly secrets: readonly string[];
}

export interface StoredApp {
  readonly appId: string;
  /** Name for people. */
  readonly title: string;
  /** Name of the instance on the host. */
  readonly instance: string;
  readonly custom: boolean;
  readonly catalogApp: string;
  readonly train: string;
  /** Version of the host's package to install, or that an update has found. */
  readonly version?: string;
  /** Version of the script. */
  readonly scriptVersion: string;
  /** `metadata.version` of a custom app's script: the version of the app. */
  readonly metadataVersion?: string;
  /** Upgrades only: versions of the host's package, of a custom app its `metadata.version`s. */
  readonly fromVersion?: string;
  readonly toVersion?: string;
  readonly appValues: JsonObject;
  /** The same as the host keeps them, by the app's schema; absent if it keeps them as they are, or none is known. */
  readonly keptValues?: JsonObject;
  readonly directories: readonly PlannedDirectory[];
  /** Host paths of the locations, by id: nothing may leave them. */
  readonly locations: Readonly<Record<string, string>>;
  readonly answers: Readonly<Record<string, Json>>;
  readonly randoms: Readonly<Record<string, string>>;
  /** Keys of the questions that ask for a password; absent in plans of earlier builds. */
  readonly passwords?: readonly string[];
  /** Keys of all questions of the script; absent in plans of earlier builds. */
  readonly asked?: readonly string[];
  /** `requirements.ports`. */
  readonly ports: readonly number[];
  /** An upgrade that is rolled back by itself where it fails. */
  readonly rollbackOnFailure?: true;
  /** What a rollback goes back to. */
  readonly rollback?: RollbackPlan;
  /** Updates only: the effect that had changed the app last when it was asked for, null: none; absent in plans of earlier builds. */
  readonly changedBy?: string | null;
  /** Which questions decide which of the values; absent in plans of earlier builds. */
  readonly origins?: readonly ValueOrigin[];
}

/** The version, values and datasets a rollback brings back. */
export interface RollbackPlan {
  /** UTC ms from which on what was done is undone. */
  readonly since: number;
  /** `YYYYMMDDTHHMMSSZ`: part of the names of datasets that are made and put aside, the same in every attempt. */
  readonly stamp: string;
  /** Of the host's package: the datasets that go back fit no other one; absent in plans of earlier builds. */
  readonly version?: string;
  /** Absent where version and values stay. */
  readonly app?: FormerApp;
  readonly datasets: readonly RestoredDataset[];
  /** Goes on where the present can't be snapshotted. */
  readonly withoutSnapshot: boolean;
  /** The effect that had changed the app last when the rollback was asked for. */
  readonly changedBy?: string;
}

/** An app as it was: versions of the host's package, values, and what the engine keeps of them. */
export interface FormerApp {
  readonly version: string;
  /** The version it had when the rollback was asked for. */
  readonly from: string;
  readonly values: JsonObject;
  readonly choices: JsonObject;
}

/** A dataset to restore, by its host path, and the snapshot it is restored from. */
export interface RestoredDataset {
  readonly dataset: string;
  readonly path: string;
  /** `platform:snapshot_id`. */
  readonly snapshotId: string;
  readonly from: { readonly dataset: string; readonly name: string };
}

export interface StoredHook {
  readonly appId: string;
  readonly hook: Hook;
  /** Hash of the compiled script. */
  readonly sha256: string;
  readonly custom: boolean;
  /** `requirements.ports` of the app it runs on. */
  readonly ports: readonly number[];
  /** Versions of the host's package, upgrades only. */
  readonly fromVersion?: string;
  readonly toVersion?: string;
  /** Another hook of the app requires it: what it collects is kept for that one. */
  readonly handsOver?: true;
  /** Ids of inputs whose default holds a random string, which nobody is shown. */
  readonly generated?: readonly string[];
  /** The selected files of a file action. */
  readonly files?: readonly TargetFile[];
}

/** Key of a hook in a stored plan. */
export function toHookKey(appId: string, hookId: string): string {
  return `${appId}/${hookId}`;
}
