import { z } from "zod";

/** Body of `GET health`. */
export const Health = z
  .object({
    ok: z.boolean(),
    draining: z
      .object({ since: z.string(), deadline: z.string(), waitsFor: z.array(z.string()).readonly() })
      .optional()
      .meta({
        description: "No new work is taken; tasks whose hooks are let come to their end before the engine closes",
      }),
    sandbox: z.object({
      usable: z.boolean(),
      layers: z
        .array(z.object({ name: z.string(), mandatory: z.boolean(), active: z.boolean(), detail: z.string() }))
        .readonly(),
    }),
    host: z.object({
      reachable: z.boolean(),
      appsService: z.string().optional(),
      code: z.string().optional(),
      detail: z.string().optional(),
      since: z.string().optional(),
      lastAttempt: z.string().optional(),
      lastAnswer: z.string().optional(),
    }),
    store: z.object({
      writable: z.boolean(),
      code: z.string().optional(),
      detail: z.string().optional(),
      after: z.enum(["new", "clean", "unclean"]),
      rolledBack: z.boolean(),
      size: z.object({ used: z.number(), most: z.number() }).optional(),
    }),
    tasks: z.object({ unfinished: z.number(), quarantined: z.number() }),
  })
  .meta({ id: "Health" });

/** Body of `GET health/live`. */
export const Liveness = z.object({ live: z.literal(true) }).meta({ id: "Liveness" });

/** Body of `GET health/ready`. */
export const Readiness = z
  .object({ ready: z.boolean(), reasons: z.array(z.string()).readonly() })
  .meta({ id: "Readiness" });
