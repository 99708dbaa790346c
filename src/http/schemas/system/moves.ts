import { z } from "@hono/zod-openapi";
import { LeftOut } from "../previews.ts";

/** Body of `POST export`. */
export const Exported = z
  .object({
    file: z.string().meta({ description: "The text of the file, to be kept as it is: a changed one is refused" }),
    apps: z.array(z.string()).readonly().meta({ description: "Ids of the apps in it" }),
    links: z.int(),
    sealed: z.boolean().meta({ description: "Whether secrets are in it, sealed" }),
    leftOut: LeftOut.meta({ description: "Installed apps that are not in it" }),
  })
  .meta({ id: "Exported" });

const Link = z.object({ runsOnAppId: z.string(), hookId: z.string(), targets: z.array(z.string()).readonly() });

const Keys = z.array(z.string()).readonly();

const ImportedAdoption = z
  .object({
    fromExport: Keys.meta({ description: "Its configuration does not tell: answered by the export" }),
    other: Keys.meta({ description: "Its configuration has another answer than the export: it stays" }),
    unknown: Keys.meta({ description: "Neither tells" }),
  })
  .meta({ description: "Question keys of an app that is adopted" });

/** Body of `POST import/preview`. */
export const ImportPreview = z
  .object({
    made: z.string().meta({ description: "When the export was made, ISO 8601 UTC" }),
    apps: z
      .array(
        z.object({
          appId: z.string(),
          name: z.string(),
          how: z.enum(["install", "adopt", "present"]).meta({
            description:
              "`adopt`: it is here by other means; `present`: this engine looks after it, and it stays as it is",
          }),
          script: z
            .object({ exported: z.string(), here: z.string().optional(), isSame: z.boolean().optional() })
            .meta({ description: "Versions, and whether the files are the same" }),
          unused: z.array(z.string()).readonly().meta({ description: "Answers the script here does not ask for" }),
          adopted: ImportedAdoption.optional(),
        }),
      )
      .readonly()
      .meta({ description: "In the order they are set up" }),
    links: z.array(Link).readonly(),
    leftOut: z
      .array(
        z.object({
          appId: z.string(),
          hookId: z.string().optional().meta({ description: "Of a link" }),
          code: z.string(),
          message: z.string(),
          questions: z
            .array(z.string())
            .readonly()
            .optional()
            .meta({ description: "Keys of the questions whose answers are missing or do not fit" }),
        }),
      )
      .readonly(),
    missingLocations: z.array(z.string()).readonly(),
    policies: z.enum(["set", "kept", "none"]),
  })
  .meta({ id: "ImportPreview" });
