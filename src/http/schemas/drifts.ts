import { z } from "zod";
import { AppName } from "./parts.ts";

/** The method of the engine that helps. */
const DriftProposal = z
  .discriminatedUnion("method", [
    z.object({ method: z.enum(["install", "update", "adopt"]), appId: z.string() }),
    z.object({ method: z.literal("runAction"), appId: z.string(), hookId: z.string() }),
  ])
  .meta({ id: "DriftProposal", description: "The method of the engine that helps, for a person to start" });

const DriftFinding = z
  .object({
    code: z.string(),
    appId: z.string(),
    appName: AppName,
    subject: z.string().meta({ description: "The path, the place in the options, or the app it is about" }),
    expected: z.string().optional().meta({ description: "Absent where there is none, and of what may be a secret" }),
    found: z.string().optional().meta({ description: "As `expected`" }),
    title: z.string().meta({ description: "What the code means" }),
    hint: z.string(),
    proposal: DriftProposal.nullable().meta({ description: "null: no task helps" }),
  })
  .meta({ id: "DriftFinding" });

/** Body of `GET drift` and `POST drift/look`. */
export const Drift = z
  .object({
    findings: z.array(DriftFinding).readonly(),
    lookedAt: z.string().nullable().meta({ description: "End of the last look that came to one" }),
    skipped: z
      .array(z.object({ appId: z.string(), appName: AppName, code: z.string() }))
      .readonly()
      .meta({ description: "Apps the last look left out, with what was found before" }),
    failed: z
      .object({ at: z.string(), code: z.string(), hint: z.string() })
      .optional()
      .meta({ description: "Why a look since then came to no end" }),
  })
  .meta({ id: "Drift" });
