import { z } from "zod";
import { ProblemShape } from "../problems.ts";

/** Body of `POST catalog/sync`: app ids, and the problems of each file. */
export const Sync = z
  .object({
    added: z.array(z.string()).readonly(),
    changed: z.array(z.string()).readonly(),
    removed: z.array(z.string()).readonly(),
    problems: z.array(z.object({ file: z.string(), problems: z.array(ProblemShape).readonly() })).readonly(),
  })
  .meta({ id: "CatalogChanges" });
