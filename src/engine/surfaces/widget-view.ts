import type { JsonObject } from "../../core/json/json.ts";
import type { Dictionary } from "../../core/script/dictionary.ts";
import type { WidgetSummary, WidgetView } from "../api.ts";
import type { WidgetReading } from "./widget-queries.ts";

/** A widget as its script declares it. */
export function summaryOf(widget: Dictionary["widgets"][number]): WidgetSummary {
  return {
    widgetId: widget.id,
    title: widget.title,
    ...(widget.description !== undefined && { description: widget.description }),
    refresh: widget.refresh,
    ...(widget.sizes !== undefined && { sizes: sizesOf(widget.sizes) }),
  };
}

function sizesOf(sizes: NonNullable<Dictionary["widgets"][number]["sizes"]>): JsonObject {
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
export function widgetView(summary: WidgetSummary, reading: WidgetReading): Omit<WidgetView, "buttons"> {
  return {
    widgetId: summary.widgetId,
    title: summary.title,
    state: reading.state,
    ...(reading.reason !== undefined && { reason: reading.reason }),
    stale: reading.stale,
    ...(reading.at !== undefined && { at: new Date(reading.at).toISOString() }),
    ...(reading.fields !== undefined && { fields: { ...reading.fields } }),
    ...(summary.sizes !== undefined && { sizes: summary.sizes }),
    problems: reading.problems,
  };
}
