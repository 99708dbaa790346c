import { z } from "zod";
import { WidgetField } from "../../core/hooks/widget-field.ts";
import { LARGE_PLACEMENTS, SLOT_TYPES, SMALL_PLACEMENTS, WIDGET_SIZES } from "../../core/script/script-words.ts";
import { AppId } from "../../engine/requests.ts";
import { ActionEntry } from "./actions.ts";
import { PairingTarget } from "./pairings.ts";
import { Id } from "./parts.ts";
import { ProblemShape } from "./problems.ts";

/** Path of one widget. */
export const WidgetParams = z.object({ appId: AppId, widgetId: Id.meta({ description: "Widget id" }) });

const Slot = z
  .object({ type: z.enum(SLOT_TYPES), field: z.string().meta({ description: "Name of a field of the result" }) })
  .meta({ id: "WidgetSlot" });

const defineSize = <const Placements extends readonly [string, ...string[]]>(placements: Placements) =>
  z.object({
    slots: z.array(Slot).readonly(),
    media: z.object({ placement: z.enum(placements), field: z.string() }).optional(),
  });

const Sizes = z
  .object({ small: defineSize(SMALL_PLACEMENTS).optional(), large: defineSize(LARGE_PLACEMENTS).optional() })
  .meta({ id: "WidgetSizes", description: "What each size shows of the fields; absent: all of them" });

/** A widget as declared, and whether it can be asked; `refresh` in seconds. */
export const WidgetSummary = z
  .object({
    widgetId: z.string(),
    title: z.string(),
    description: z.string().optional(),
    refresh: z.number(),
    sizes: Sizes.optional(),
    state: z.enum(["available", "unavailable"]),
    reason: z.string().optional(),
  })
  .meta({ id: "WidgetSummary" });

/** Body of `GET apps/{appId}/widgets`. */
export const Widgets = z.object({ widgets: z.array(WidgetSummary).readonly() }).meta({ id: "Widgets" });

/** A widget's newest result and how it stands. */
export const Widget = z
  .object({
    widgetId: z.string(),
    title: z.string(),
    refresh: z.number().meta({ description: "Seconds a result stands for; asking sooner gives the same one" }),
    state: z.enum(["ready", "needsSetup", "hidden", "unavailable", "failed"]),
    reason: z.string().optional(),
    stale: z.boolean(),
    at: z.string().optional(),
    fields: z
      .record(z.string(), WidgetField.meta({ id: "WidgetField" }))
      .readonly()
      .optional(),
    sizes: Sizes.optional(),
    buttons: z.array(ActionEntry).readonly(),
    problems: z.array(ProblemShape).readonly(),
  })
  .meta({ id: "Widget" });

/** Which of the widgets of all apps to list. */
export const WidgetsQuery = z.strictObject({
  installed: z
    .enum(["true", "false"])
    .optional()
    .meta({ description: "Only widgets of installed apps; `false`: only of others" }),
});

/** Body of `GET widgets`. */
export const AllWidgets = z
  .object({ widgets: z.array(WidgetSummary.extend({ app: PairingTarget }).meta({ id: "AppWidget" })).readonly() })
  .meta({ id: "AllWidgets" });

const Tile = z
  .object({
    app: PairingTarget,
    widgetId: z.string(),
    title: z.string(),
    size: z.enum(WIDGET_SIZES),
    refresh: z.number().optional().meta({ description: "Seconds; absent of one that is gone" }),
    state: z.enum(["available", "unavailable", "hidden", "gone"]),
    reason: z.string().optional().meta({ description: "Why it is not available" }),
  })
  .meta({ id: "DashboardTile" });

/** Body of `GET dashboard`, and of what `PUT dashboard` answers. */
export const Dashboard = z
  .object({
    arranged: z.boolean().meta({ description: "A person has put the tiles there; else they are the default" }),
    tiles: z.array(Tile).readonly(),
  })
  .meta({ id: "Dashboard" });
