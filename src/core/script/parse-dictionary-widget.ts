import type { JsonObject } from "../json/json.ts";
import type { Hook, Widget, WidgetSize, WidgetSizes } from "./dictionary.ts";
import { readConditions, readSource } from "./parse-dictionary-parts.ts";
import { dropUndefined, memberOf, numberAt, objectAt, objectsAt, textAt, textsAt } from "./parse-dictionary-read.ts";
import { LARGE_PLACEMENTS, SLOT_TYPES, SMALL_PLACEMENTS, WIDGET_REFRESH, WIDGET_TIMEOUT } from "./script-words.ts";

/** Reads a widget; buttons whose hook is not rendered there are left out. `hooks` are those that were kept. */
export function readWidget(widget: JsonObject, hooks: readonly Hook[]): Widget {
  const sizes = objectAt(widget, "sizes");
  return {
    ...dropUndefined({ description: textAt(widget, "description"), sizes: sizes && readSizes(sizes) }),
    id: textAt(widget, "id") ?? "",
    title: textAt(widget, "title") ?? "",
    refresh: Math.max(numberAt(widget, "refresh") ?? WIDGET_REFRESH.default, WIDGET_REFRESH.min),
    conditions: readConditions(widget),
    source: readSource(widget),
    entrypoint: textAt(widget, "entrypoint") ?? "",
    timeout: Math.min(numberAt(widget, "timeout") ?? WIDGET_TIMEOUT.default, WIDGET_TIMEOUT.max),
    buttons: textsAt(widget, "buttons").filter((id) => hooks.some((hook) => isButton(hook, id))),
  };
}

/** Whether a hook is rendered as the widget button of that id (docs/install-scripts.md, "Widgets"). */
function isButton(hook: Hook, id: string): boolean {
  return hook.id === id && hook.surfaces.includes("widget");
}

function readSizes(sizes: JsonObject): WidgetSizes {
  const small = objectAt(sizes, "small");
  const large = objectAt(sizes, "large");
  return dropUndefined({
    small: small && readSize(SMALL_PLACEMENTS, small),
    large: large && readSize(LARGE_PLACEMENTS, large),
  });
}

function readSize<Placement extends string>(placements: readonly Placement[], size: JsonObject): WidgetSize<Placement> {
  const media = objectAt(size, "media");
  const placement = media && memberOf(placements, textAt(media, "placement"));
  return {
    ...(media && placement ? { media: { placement, field: textAt(media, "field") ?? "" } } : {}),
    slots: objectsAt(size, "slots").map((slot) => ({
      type: memberOf(SLOT_TYPES, textAt(slot, "type")) ?? "text",
      field: textAt(slot, "field") ?? "",
    })),
  };
}
