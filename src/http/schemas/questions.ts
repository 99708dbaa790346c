import { z } from "zod";
import { JsonValue } from "./parts.ts";

/** A question of a dialog, its default resolved. */
export const Question = z
  .object({
    question: z.string(),
    description: z.string().optional(),
    placeholder: z.string().optional(),
    type: z.enum(["text", "number", "select", "boolean", "password"]),
    key: z.string(),
    options: z
      .array(z.object({ text: z.string(), value: JsonValue }))
      .readonly()
      .optional(),
    required: z.boolean(),
    default: JsonValue.optional(),
    installonly: z.boolean(),
    group: z.string().optional(),
    generated: z.literal(true).optional().meta({ description: "The default was generated for this install" }),
    isSet: z.literal(true).optional().meta({ description: "A stored answer is kept and not shown" }),
  })
  .meta({ id: "Question" });

/** A page of a dialog. */
export const FormStep = z
  .object({
    title: z.string(),
    rail: z.boolean(),
    sections: z.array(z.object({ title: z.string(), questions: z.array(Question).readonly() })).readonly(),
  })
  .meta({ id: "FormStep" });
