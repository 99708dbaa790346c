import { z } from "@hono/zod-openapi";
import { LeftOut } from "./previews.ts";

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
