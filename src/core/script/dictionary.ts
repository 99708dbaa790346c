/**
 * The normal form of an install script (the "dictionary"): versions 4, 5 and 6 read into one shape, macros unresolved.
 * Everything downstream (plan, machines, pairings, views) knows this shape only, never the file's own.
 */
import type { Json, JsonObject } from "../json/json.ts";

export interface Dictionary {
  /** Base name of the file, e.g. `jellyfin` for `jellyfin.json`. */
  readonly appId: string;
  readonly version: 4 | 5 | 6;
  readonly custom: boolean;
  readonly internal: boolean;
  readonly metadata?: AppMetadata;
  readonly script: ScriptVersion;
  readonly requirements: Requirements;
  readonly questions: readonly Question[];
  readonly directories: readonly DirectoryEntry[];
  readonly appValues: JsonObject;
  /** Valid hooks only, in declaration order; invalid ones were dropped with a problem each. */
  readonly hooks: readonly Hook[];
  /** Valid widgets only. */
  readonly widgets: readonly Widget[];
  /** Hooks and widgets with an error; absent if there are none. */
  readonly dropped?: DroppedParts;
}

/** Parts of a script that an error drops: the rest goes on without them (docs/install-scripts.md, "What is tolerated"). */
export interface DroppedParts {
  readonly hooks: readonly DroppedHook[];
  /** Number of widgets. */
  readonly widgets: number;
}

/** A hook that an error drops. */
export interface DroppedHook {
  /** As declared, else `hooks.<index>`. */
  readonly id: string;
  /** It was to connect another app: a condition names one, and it has no lifecycle event. */
  readonly connects: boolean;
}

export interface AppMetadata {
  readonly name: string;
  readonly description: string;
  /** URL, or a path relative to the catalog root. */
  readonly icon: string;
  readonly version: string;
}

export interface ScriptVersion {
  /** Semantic version (coerced where the script wrote e.g. "1.1"). */
  readonly version: string;
  /** Semver range of earlier script versions that may update to this one. */
  readonly updateCompatibility?: string;
  readonly changeLog?: string;
}

export interface Requirements {
  readonly locations: readonly string[];
  /** As written; see `requirements.ts` for their meaning. */
  readonly specifications: readonly string[];
  readonly permissions: readonly string[];
  readonly ports: readonly number[];
}

export interface Question {
  readonly question: string;
  readonly description?: string;
  readonly placeholder?: string;
  readonly type: "text" | "number" | "select" | "boolean" | "password";
  readonly key: string;
  readonly options?: readonly QuestionOption[];
  readonly required: boolean;
  /** May hold macros. */
  readonly default?: Json;
  readonly installonly: boolean;
  readonly group?: string;
}

export interface QuestionOption {
  readonly text: string;
  readonly value: Json;
}

export interface DirectoryEntry {
  /** May hold macros. */
  readonly path: string;
  readonly networkShare: boolean;
  readonly owner?: { readonly user: string; readonly group?: string };
  readonly snapshot?: { readonly id: string };
}

/** The four lifecycle events, in the order they fire. */
export const LIFECYCLE_EVENTS = ["onBeforeInstall", "onAfterInstall", "onBeforeUpgrade", "onAfterUpgrade"] as const;
export type LifecycleEvent = (typeof LIFECYCLE_EVENTS)[number];

/** One entry of a hook's normalised `events`. */
export type HookTrigger = { readonly event: "userAction" } | LifecycleTrigger;

export interface LifecycleTrigger {
  readonly event: LifecycleEvent;
  /** Semver range of the version departed (upgrade events only). */
  readonly from?: string;
  /** Semver range of the version installed (upgrade events only). */
  readonly to?: string;
}

export const SURFACES = ["installPicker", "card", "fileBrowser", "widget"] as const;
export type Surface = (typeof SURFACES)[number];

export interface Hook {
  readonly id: string;
  /** Version of the dialect it was written in. */
  readonly dialect: 5 | 6;
  /** Button label, picker row, consent label. Version 5: the description, else the id. */
  readonly title: string;
  readonly description?: string;
  readonly kind?: "connect" | "maintain" | "custom";
  readonly triggers: readonly HookTrigger[];
  readonly optional: boolean;
  readonly userOptional?: UserOptional;
  readonly conditions: readonly Condition[];
  /** Effective surfaces: declared, else derived; empty without a `userAction` trigger. */
  readonly surfaces: readonly Surface[];
  readonly inputs: readonly HookInput[];
  readonly requiresHooks: readonly string[];
  readonly target?: FileTarget;
  readonly rerun?: "idempotent" | "converge" | "refuse";
  readonly source: ScriptSource;
  readonly entrypoint: string;
  /** Seconds of running time. */
  readonly timeout: number;
  readonly retries: number;
}

/** Where a hook's or widget's TypeScript stands; `path` is relative to the catalog root. */
export type ScriptSource =
  | { readonly kind: "file"; readonly path: string }
  | { readonly kind: "inline"; readonly content: string };

export interface UserOptional {
  readonly label: string;
  readonly description?: string;
  readonly default: boolean;
  readonly link?: { readonly url: string; readonly label: string };
}

/** Kept as declared: only `appInstalled` and `appRunning` can pass, everything else is false (fails closed). */
export interface Condition {
  readonly role: "visibility" | "availability";
  readonly type: string;
  readonly app?: string;
  readonly range?: string;
  readonly capability?: string;
  readonly script?: string;
  readonly entrypoint?: string;
}

export interface FileTarget {
  readonly type: "files";
  /** Lowercase extensions with a leading dot. */
  readonly accepts: readonly string[];
  readonly maxFiles?: number;
  readonly requiresTargetMount: boolean;
}

export type HookInput = OAuthInput | QuestionInput;

export interface OAuthInput {
  readonly type: "oauth";
  readonly id: string;
  readonly name: string;
  readonly description?: string;
  readonly provider: string;
  readonly flow: OAuthPinFlow;
}

export interface OAuthPinFlow {
  readonly type: "pin";
  readonly pinUrl: string;
  /** Holds `{clientId}` and `{code}`. */
  readonly authUrl: string;
  /** Holds `{pinId}`. */
  readonly pollUrl: string;
  readonly clientId: string;
  readonly tokenField: string;
  readonly headers: Readonly<Record<string, string>>;
}

export interface QuestionInput {
  readonly type: "question";
  readonly id: string;
  readonly question: Question;
}

export interface Widget {
  readonly id: string;
  readonly title: string;
  readonly description?: string;
  /** Seconds, at least 10. */
  readonly refresh: number;
  readonly conditions: readonly Condition[];
  readonly source: ScriptSource;
  readonly entrypoint: string;
  /** Seconds. */
  readonly timeout: number;
  readonly sizes?: WidgetSizes;
  /** Hook ids whose surfaces include `widget`; others were left out with a warning. */
  readonly buttons: readonly string[];
}

export interface WidgetSizes {
  readonly small?: WidgetSize<"top" | "bottom">;
  readonly large?: WidgetSize<"left" | "right" | "both">;
}

export interface WidgetSize<Placement extends string> {
  readonly slots: readonly WidgetSlot[];
  readonly media?: { readonly placement: Placement; readonly field: string };
}

export interface WidgetSlot {
  readonly type: "text" | "stat" | "list" | "image";
  readonly field: string;
}
