import { z } from "zod";
import { AppId } from "../../engine/requests.ts";
import { ActionEntry } from "./actions.ts";
import { Id, JsonMembers } from "./parts.ts";
import { ProblemShape } from "./problems.ts";

export const WidgetParams = z.object({ appId: AppId, widgetId: Id.meta({ description: "Widget id" }) });

export const WidgetSummary = z
  .object({
    widgetId: z.string(),
    title: z.string(),
    description: z.string().optional(),
    refresh: z.number(),
    sizes: JsonMembers.optional(),
    state: z.enum(["available", "unavailable"]),
    reason: z.string().optional(),
  })
  .meta({ id: "WidgetSummary" });

export const Widgets = z.object({ widgets: z.array(WidgetSummary).readonly() }).meta({ id: "Widgets" });

export const Widget = z
  .object({
    widgetId: z.string(),
    title: z.string(),
    state: z.enum(["ready", "needsSetup", "hidden", "unavailable", "failed"]),
    reason: z.string().optional(),
    stale: z.boolean(),
    at: z.string().optional(),
    fields: JsonMembers.optional(),
    sizes: JsonMembers.optional(),
    buttons: z.array(ActionEntry).readonly(),
    problems: z.array(ProblemShape).readonly(),
  })
  .meta({ id: "Widget" });
