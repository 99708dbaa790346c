import { checkWidget } from "../../core/hooks/widget-standing.ts";
import type { HostFacts } from "../../core/plan/host-facts.ts";
import type { Dictionary, Widget } from "../../core/script/dictionary.ts";
import type { WidgetSummary, WidgetView } from "../api.ts";
import type { WidgetReading } from "./run-widget.ts";

/** The widgets that are not hidden, as declared, and how each stands; null apps are those of a host never heard. */
export function listWidgets(
  { appId, widgets }: Pick<Dictionary, "appId" | "widgets">,
  apps: HostFacts["apps"] | null,
): readonly WidgetSummary[] {
  return widgets.flatMap((widget) => {
    const standing = checkWidget(appId, widget, apps);
    if (standing.state === "hidden") return [];
    const { id, title, description, refresh, sizes } = widget;
    return [
      {
        widgetId: id,
        title,
        ...(description !== undefined && { description }),
        refresh,
        ...(sizes !== undefined && { sizes }),
        ...(standing.state === "enabled"
          ? { state: "available" as const }
          : { state: "unavailable" as const, reason: standing.reason }),
      },
    ];
  });
}

/** A widget and what its newest reading shows. */
export function viewWidget({ id, title, refresh, sizes }: Widget, reading: WidgetReading): Omit<WidgetView, "buttons"> {
  return {
    widgetId: id,
    title,
    refresh,
    state: reading.state,
    ...(reading.reason !== undefined && { reason: reading.reason }),
    stale: reading.stale,
    ...(reading.at !== undefined && { at: new Date(reading.at).toISOString() }),
    ...(reading.fields !== undefined && { fields: reading.fields }),
    ...(sizes !== undefined && { sizes }),
    problems: reading.problems,
  };
}
