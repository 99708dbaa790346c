import type { Json, JsonObject } from "../json/json.ts";
import type { Dictionary } from "../script/dictionary.ts";
import type { HostFacts } from "./host-facts.ts";
import type { PlanMode } from "./plan.ts";

/** The secrets known of an app, of earlier plans too: its host may still have any of them. */
export interface FormerSecrets {
  readonly passwords: readonly string[];
  readonly generated: readonly string[];
}

export interface ResolveRequest {
  readonly dictionary: Dictionary;
  readonly request: {
    readonly answers?: Readonly<Record<string, Json>>;
    readonly consents?: Readonly<Record<string, boolean>>;
  };
  readonly facts: HostFacts;
  /** An upgrade asks no question at all. */
  readonly mode: PlanMode | "upgrade";
  /** Values an earlier plan of this app kept, and the live configuration of the installed app. */
  readonly stored?: {
    readonly randoms?: Readonly<Record<string, string>>;
    readonly answers?: Readonly<Record<string, Json>>;
    readonly live?: JsonObject;
    readonly secrets?: FormerSecrets;
  };
  /** Versions of an upgrade: its hooks are planned in place of an install's. */
  readonly upgrade?: { readonly from: string; readonly to: string };
  /** A new random string of `A-Za-z0-9` from a cryptographic source. */
  readonly random: (length: number) => string;
  /** Unmet specifications, permissions and ports are errors; off by default (docs/install-scripts.md, "Requirements"). */
  readonly enforceRequirements?: boolean;
  /** The script's text: with it problems carry line and column, else they point at the start. */
  readonly text?: string;
}
