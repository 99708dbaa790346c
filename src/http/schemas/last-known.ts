import { z } from "zod";

/** Marks what rests on the host's earlier answers. */
export const LastKnown = z
  .object({ at: z.string(), ageMs: z.number().min(0) })
  .meta({ id: "LastKnown", description: "Present where the host does not answer: when it said what is shown" });
