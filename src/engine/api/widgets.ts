/** Buttons and tiles of an app. */

import type { Problem } from "../../core/codes/problems.ts";
import type { WidgetField } from "../../core/hooks/widget-result.ts";
import type { Hook, WidgetSizes } from "../../core/script/dictionary.ts";

export interface ActionEntry {
  readonly hookId: string;
  readonly title: string;
  readonly description?: string;
  readonly kind?: NonNullable<Hook["kind"]>;
  readonly state: "enabled" | "disabled";
  /** Why it is disabled. */
  readonly reason?: string;
}

export interface WidgetView {
  readonly widgetId: string;
  readonly title: string;
  readonly state: "ready" | "needsSetup" | "hidden" | "unavailable" | "failed";
  /** Why it is not ready, or why the result is stale. */
  readonly reason?: string;
  readonly stale: boolean;
  /** ISO 8601 UTC of the query the fields come from. */
  readonly at?: string;
  /** Fields the sizes show, by name. */
  readonly fields?: Readonly<Record<string, WidgetField>>;
  readonly sizes?: WidgetSizes;
  readonly buttons: readonly ActionEntry[];
  readonly problems: readonly Problem[];
}

export interface WidgetSummary {
  readonly widgetId: string;
  readonly title: string;
  readonly description?: string;
  /** Seconds. */
  readonly refresh: number;
  readonly sizes?: WidgetSizes;
  /** As the conditions and the app stand now, without a query: `unavailable` has a reason. */
  readonly state: "available" | "unavailable";
  readonly reason?: string;
}
