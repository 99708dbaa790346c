import { z } from "zod";
import { Condition } from "./script-schema-condition.ts";
import { defineFilledText, defineOneOf, defineScriptPath, EXACTLY_ONE_SOURCE } from "./script-schema-parts.ts";
import {
  LARGE_PLACEMENTS,
  MAX_ID,
  SLOT_TYPES,
  SMALL_PLACEMENTS,
  WIDGET_REFRESH,
  WIDGET_TIMEOUT,
} from "./script-words.ts";

const Slot = z
  .strictObject({
    type: defineOneOf(SLOT_TYPES).describe("How the field is rendered"),
    field: defineFilledText().describe("A field of the query result"),
  })
  .meta({ id: "WidgetSlot", description: "A place of a tile that shows one field" });

const defineSize = <const Placements extends readonly [string, ...string[]]>(placements: Placements, slots: number) =>
  z.strictObject({
    slots: z
      .array(Slot)
      .min(1, { error: `1 to ${slots} slots` })
      .max(slots, { error: `1 to ${slots} slots` })
      .describe(`1 to ${slots} slots`),
    media: z
      .strictObject({
        placement: defineOneOf(placements).describe("Where the image stands"),
        field: defineFilledText().describe("A field of the query result"),
      })
      .exactOptional()
      .describe("An image beside the slots"),
  });

/** A dashboard tile of a version 6 script (docs/install-scripts.md, "Widgets"). */
export const Widget = z
  .strictObject({
    id: z
      .string()
      .max(MAX_ID, { error: `at most ${MAX_ID} characters` })
      .regex(/^[a-z0-9_-]+$/, { error: "lowercase letters, digits, - and _ only" })
      .describe("Unique within the dictionary; lowercase letters, digits, - and _ only"),
    title: defineFilledText().describe("Dashboard name"),
    description: z.string().exactOptional().describe("Shown when adding the widget"),
    refresh: z
      .number()
      .min(WIDGET_REFRESH.min, { error: `at least ${WIDGET_REFRESH.min} seconds` })
      .exactOptional()
      .describe("Seconds between refreshes, default 300, minimum 10"),
    conditions: z.array(Condition).exactOptional().describe("Visibility hides, availability renders the reason"),
    script: defineScriptPath().exactOptional().describe("Path to a .ts file in the catalog repository"),
    scriptContent: z.string().exactOptional().describe("Inline TypeScript"),
    entrypoint: defineFilledText().describe("Exported async function"),
    timeout: z
      .number()
      .gt(0, { error: "a number of seconds above 0" })
      .max(WIDGET_TIMEOUT.max, { error: `at most ${WIDGET_TIMEOUT.max} seconds` })
      .exactOptional()
      .describe("Seconds before the query is abandoned, default 10"),
    sizes: z
      .strictObject({
        small: defineSize(SMALL_PLACEMENTS, 3).exactOptional().describe("The small tile"),
        large: defineSize(LARGE_PLACEMENTS, 4).exactOptional().describe("The large tile"),
      })
      .meta({ minProperties: 1 })
      .exactOptional()
      .describe("Per-size variants; absent means default field rendering"),
    buttons: z
      .array(defineFilledText())
      .max(4, { error: "at most 4 buttons" })
      .meta({ uniqueItems: true })
      .exactOptional()
      .describe("Ids of this app's user-triggerable hooks shown as buttons"),
  })
  .meta({ id: "Widget", description: "A read-only dashboard tile", ...EXACTLY_ONE_SOURCE });
