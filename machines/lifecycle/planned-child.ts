import type { JsonObject } from "../../src/core/json/json.ts";
import type { LifecycleEvent } from "../../src/core/script/dictionary.ts";

/** A child task as planned by its parent; JSON, no secrets. */
export type PlannedChild = {
  /** Name under the parent. */
  readonly id: string;
  /** The phase it belongs to: the hooks of one event, the links and the installs they need, or the upgrades of several apps. */
  readonly phase: LifecycleEvent | "link" | "upgrade";
  readonly machine: string;
  readonly kind: "hook" | "link" | "install" | "upgrade";
  readonly appId: string;
  readonly hookId?: string;
  readonly claim?: string;
  readonly input: JsonObject;
};
