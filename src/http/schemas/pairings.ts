import { z } from "zod";
import { HOOK_KINDS } from "../../core/script/script-words.ts";

/** An app as a link names it. */
export const PairingTarget = z
  .object({ appId: z.string(), name: z.string(), icon: z.string() })
  .meta({ id: "PairingTarget" });

/** A pairing, and how it stands. */
export const PairingStatus = z.object({
  hookId: z.string(),
  runsOnAppId: z.string(),
  title: z.string(),
  target: PairingTarget,
  status: z.enum(["connected", "installed", "not installed"]),
  connectAgain: z.literal(true).optional().meta({
    description: "They were connected before one of them was installed anew, or taken back",
  }),
});

/** Body of `GET apps/{appId}/pairings`. */
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
            kind: z.enum(HOOK_KINDS).optional(),
          })
          .meta({ id: "Pairing" }),
      )
      .readonly(),
  })
  .meta({ id: "Pairings" });
