import { widgetStanding } from "../../core/hooks/widget-standing.ts";
import type { JsonObject } from "../../core/json/json.ts";
import type { HostFacts } from "../../core/plan/host-facts.ts";
import type { Dictionary, Widget, WidgetSizes } from "../../core/script/dictionary.ts";
import type { WidgetSummary, WidgetView } from "../api.ts";
import type { WidgetReading } from "./widget-queries.ts";

/** The widgets that are not hidden, as declared, and how each stands; null apps are those of a host never heard. */
export function listWidgets(
  { appId, widgets }: Pick<Dictionary, "appId" | "widgets">,
  apps: HostFacts["apps"] | null,
): readonly WidgetSummary[] {
  return widgets.flatMap((widget) => {
    const standing = widgetStanding(appId, widget, apps);
    if (standing.state === "hidden") return [];
    const { id, title, description, refresh, sizes } = widget;
    return [
      {
        widgetId: id,
        title,
        ...(description !== undefined && { description }),
        refresh,
        ...(sizes !== undefined && { sizes: sizesOf(sizes) }),
        ...(standing.state === "enabled"
          ? { state: "available" as const }
          : { state: "unavailable" as const, reason: standing.reason }),
      },
    ];
  });
}

function sizesOf(sizes: WidgetSizes): JsonObject {
  const size = ({ slots, media }: NonNullable<typeof sizes.small | typeof sizes.large>): JsonObject => ({
    slots: slots.map(({ type, field }) => ({ type, field })),
    ...(media !== undefined && { media: { placement: media.placement, field: media.field } }),
  });
  return {
    ...(sizes.small !== undefined && { small: size(sizes.small) }),
    ...(sizes.large !== undefined && { large: size(sizes.large) }),
  };
}

/** A widget and what its newest reading shows. */
export function widgetView({ id, title, sizes }: Widget, reading: WidgetReading): Omit<WidgetView, "buttons"> {
  return {
    widgetId: id,
    title,
    state: reading.state,
    ...(reading.reason !== undefined && { reason: reading.reason }),
    stale: reading.stale,
    ...(reading.at !== undefined && { at: new Date(reading.at).toISOString() }),
    ...(reading.fields !== undefined && { fields: { ...reading.fields } }),
    ...(sizes !== undefined && { sizes: sizesOf(sizes) }),
    problems: reading.problems,
  };
}
