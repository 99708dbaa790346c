import { z } from "zod";
import { ProblemShape } from "./problems.ts";

export const Sync = z
  .object({
    added: z.array(z.string()).readonly(),
    changed: z.array(z.string()).readonly(),
    removed: z.array(z.string()).readonly(),
    problems: z.array(z.object({ file: z.string(), problems: z.array(ProblemShape).readonly() })).readonly(),
  })
  .meta({ id: "CatalogChanges" });
