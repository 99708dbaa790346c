import { z } from "zod";
import { PairingStatus } from "./apps.ts";

/** Body of `POST apps/{appId}/uninstall/preview`. */
export const UninstallPreview = z
  .object({
    appId: z.string(),
    name: z.string(),
    keepData: z.boolean(),
    directories: z
      .array(
        z
          .object({
            path: z.string().meta({ description: "Host path" }),
            fate: z.enum(["kept", "removed"]),
            reason: z.string().optional().meta({ description: "Why it is kept although data is to go" }),
          })
          .meta({ id: "UninstalledDirectory" }),
      )
      .readonly(),
    removesVolumes: z
      .boolean()
      .meta({ description: "The host removes the volumes it keeps for the app itself, without a snapshot" }),
    answers: z.enum(["kept", "forgotten", "none"]).meta({
      description: "And generated secrets; `forgotten` once none of the own directories is left",
    }),
    links: z.array(PairingStatus).readonly().meta({ description: "Connections that end" }),
  })
  .meta({ id: "UninstallPreview" });
