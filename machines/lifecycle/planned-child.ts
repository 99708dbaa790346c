import type { JsonObject } from "../../src/core/json/json.ts";
import type { LifecycleEvent } from "../../src/core/script/dictionary.ts";

/** A child task as planned by its parent; JSON, no secrets. */
export type PlannedChild = {
  /** Name under the parent. */
  readonly id: string;
  /** The phase it belongs to: the hooks of one event, the links and the installs they need, the upgrades of several apps, or apps of an import. */
  readonly phase: LifecycleEvent | "link" | "upgrade" | "import";
  readonly machine: string;
  readonly kind: "hook" | "link" | "install" | "upgrade" | "adopt";
  readonly appId: string;
  readonly hookId?: string;
  readonly claim?: string;
  readonly input: JsonObject;
  /** Names of other children of the parent: where one of them did not complete, this one is left out. */
  readonly needs?: readonly string[];
};
