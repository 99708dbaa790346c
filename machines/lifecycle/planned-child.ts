import type { JsonObject } from "../../src/core/json/json.ts";
import type { LifecycleEvent } from "../../src/core/script/dictionary.ts";

/** A child task as planned by its parent; JSON, no secrets. */
export type PlannedChild = {
  /** Name under the parent. */
  readonly id: string;
  /** The phase it belongs to: the hooks of one event, or the links and the installs they need. */
  readonly phase: LifecycleEvent | "link";
  readonly machine: string;
  readonly kind: "hook" | "link" | "install";
  readonly appId: string;
  readonly hookId?: string;
  readonly claim?: string;
  readonly input: JsonObject;
};
