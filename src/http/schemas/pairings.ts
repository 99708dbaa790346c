import { z } from "zod";

export const PairingTarget = z
  .object({ appId: z.string(), name: z.string(), icon: z.string() })
  .meta({ id: "PairingTarget" });

export const Pairings = z
  .object({
    appId: z.string(),
    pairings: z
      .array(
        z
          .object({
            targets: z.array(PairingTarget).readonly(),
            runsOnAppId: z.string(),
            hookId: z.string(),
            title: z.string(),
            description: z.string().optional(),
            kind: z.string().optional(),
          })
          .meta({ id: "Pairing" }),
      )
      .readonly(),
  })
  .meta({ id: "Pairings" });
