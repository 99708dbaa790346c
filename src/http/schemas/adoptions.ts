import { z } from "zod";
import { Differences } from "./differences.ts";
import { JsonValue, Path } from "./parts.ts";
import { ProblemShape } from "./problems.ts";
import { Question } from "./questions.ts";

/** Body of `POST apps/{appId}/adopt/preview`. */
export const AdoptPreview = z
  .object({
    appId: z.string(),
    name: z.string(),
    instance: z.string().meta({ description: "Name of the instance on the host" }),
    version: z.string().meta({ description: "Of the host's package" }),
    scriptVersion: z.string(),
    answers: z
      .array(
        z
          .object({
            key: z.string(),
            question: z.string(),
            value: JsonValue.optional().meta({ description: "Absent of a password" }),
            source: z.enum(["recovered", "given"]),
          })
          .meta({ id: "AdoptedAnswer" }),
      )
      .readonly()
      .meta({ description: "Answers that would be kept" }),
    unknown: z
      .array(
        Question.extend({
          reason: z.enum(["absent", "unfit", "ambiguous", "outside"]).meta({
            description:
              "Nothing of it is in the configuration, no answer makes what is there, several do, or it leads a directory out of its location",
          }),
        }).meta({ id: "UnknownAnswer" }),
      )
      .readonly()
      .meta({ description: "Questions whose answers nobody knows; the request may give them" }),
    generated: z.object({
      found: z.number().int(),
      unknown: z
        .array(Path)
        .readonly()
        .meta({ description: "Places of the values whose generated string can't be told" }),
    }),
    differences: Differences.shape.differences
      .unwrap()
      .meta({ description: "What an update with these answers would change; the adoption changes nothing" }),
    problems: z.array(ProblemShape).readonly().meta({
      description: "Errors refuse the adoption; warnings are what an update would be refused for as things stand",
    }),
    revision: z.string().meta({ description: "What is told here, as a digest: to agree to exactly this" }),
  })
  .meta({ id: "AdoptPreview" });
