/** Buttons and tiles of an app. */

import type { Problem } from "../../core/codes/problems.ts";
import type { WidgetField } from "../../core/hooks/widget-field.ts";
import type { WidgetSizeName } from "../../core/hooks/widget-sizes.ts";
import type { Hook, WidgetSizes } from "../../core/script/dictionary.ts";
import type { PairingTarget } from "./pairings.ts";

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
  /** Seconds a result stands for; asking sooner gives the same one. */
  readonly refresh: number;
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

/** A widget among those of all apps. */
export interface AppWidget extends WidgetSummary {
  readonly app: PairingTarget;
}

/** The widgets people look at first, in the order they are shown. */
export interface Dashboard {
  /** Whether a person has put them there; else they are the widgets of the installed apps. */
  readonly arranged: boolean;
  /** At most 100. */
  readonly tiles: readonly DashboardTile[];
}

/** A widget where it was put. */
export interface DashboardTile {
  readonly app: PairingTarget;
  readonly widgetId: string;
  readonly title: string;
  readonly size: WidgetSizeName;
  /** Seconds; absent of one that is gone. */
  readonly refresh?: number;
  /** As in a `WidgetSummary`; `hidden` by its conditions; `gone` where the catalog has the app or the widget no more. */
  readonly state: WidgetSummary["state"] | "hidden" | "gone";
  /** Why it is not available. */
  readonly reason?: string;
}
