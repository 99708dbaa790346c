import type { JsonObject } from "../../json/json.ts";
import type { Hook, Widget, WidgetSize, WidgetSizes } from "../dictionary.ts";
import { LARGE_PLACEMENTS, SLOT_TYPES, SMALL_PLACEMENTS, WIDGET_REFRESH, WIDGET_TIMEOUT } from "../script-words.ts";
import { readConditions, readSource } from "./parse-parts.ts";
import { dropUndefined, matchMember, readNumber, readObject, readObjects, readText, readTexts } from "./read-fields.ts";

/** Reads a widget; buttons whose hook is not rendered there are left out. `hooks` are those that were kept. */
export function readWidget(widget: JsonObject, hooks: readonly Hook[]): Widget {
  const sizes = readObject(widget, "sizes");
  return {
    ...dropUndefined({ description: readText(widget, "description"), sizes: sizes && readSizes(sizes) }),
    id: readText(widget, "id") ?? "",
    title: readText(widget, "title") ?? "",
    refresh: Math.max(readNumber(widget, "refresh") ?? WIDGET_REFRESH.default, WIDGET_REFRESH.min),
    conditions: readConditions(widget),
    source: readSource(widget),
    entrypoint: readText(widget, "entrypoint") ?? "",
    timeout: Math.min(readNumber(widget, "timeout") ?? WIDGET_TIMEOUT.default, WIDGET_TIMEOUT.max),
    buttons: readTexts(widget, "buttons").filter((id) => hooks.some((hook) => isButton(hook, id))),
  };
}

/** Whether a hook is rendered as the widget button of that id (docs/install-scripts.md, "Widgets"). */
function isButton(hook: Hook, id: string): boolean {
  return hook.id === id && hook.surfaces.includes("widget");
}

function readSizes(sizes: JsonObject): WidgetSizes {
  const small = readObject(sizes, "small");
  const large = readObject(sizes, "large");
  return dropUndefined({
    small: small && readSize(SMALL_PLACEMENTS, small),
    large: large && readSize(LARGE_PLACEMENTS, large),
  });
}

function readSize<Placement extends string>(placements: readonly Placement[], size: JsonObject): WidgetSize<Placement> {
  const media = readObject(size, "media");
  const placement = media && matchMember(placements, readText(media, "placement"));
  return {
    ...(media && placement ? { media: { placement, field: readText(media, "field") ?? "" } } : {}),
    slots: readObjects(size, "slots").map((slot) => ({
      type: matchMember(SLOT_TYPES, readText(slot, "type")) ?? "text",
      field: readText(slot, "field") ?? "",
    })),
  };
}
