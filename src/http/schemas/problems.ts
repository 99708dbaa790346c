import { z } from "zod";
import { AUDIENCES } from "../../core/codes/row.ts";
import { Path } from "./parts.ts";

const Place = z.object({
  message: z.string(),
  path: Path,
  line: z.number(),
  column: z.number(),
  length: z.number(),
});

/** A finding about a script or a request, with its place. */
export const ProblemShape = Place.extend({
  code: z.string(),
  severity: z.enum(["error", "warning", "info"]),
  file: z.string().optional(),
  hint: z.string().optional(),
  related: z.array(Place).readonly().optional(),
}).meta({ id: "Problem" });

/** A finding with who has to do something about it. */
export const AddressedProblem = ProblemShape.extend({
  audience: z.enum(AUDIENCES).meta({
    description: "The owner of the appliance, the author of the catalog, or whoever looks after the host",
  }),
}).meta({ id: "AddressedProblem" });

/** What on the host may keep a task from working. */
export const Advice = z
  .array(z.object({ code: z.string(), message: z.string(), hint: z.string() }))
  .readonly()
  .meta({ description: "What on the host may keep it from working, with what to do: it refuses nothing" });
