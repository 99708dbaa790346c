import { z } from "zod";
import type { JsonObject } from "../../core/json/json.ts";

/**
 * The context file of `run-hook`: the context's data members; `installedApps` answers `getInstalledAppUrl`, `secretInputs`
 * names the inputs that are passwords, or have some in them.
 */
export const ContextFile = z
  .object({
    resourceId: z.string().default("app"),
    event: z.string().default("userAction"),
    inputs: z.record(z.string(), z.json()).default({}),
    baseUrl: z.string().default(""),
    host: z.string().exactOptional(),
    port: z.int().exactOptional(),
    mounts: z
      .array(z.object({ hostPath: z.string(), containerPath: z.string().nullable(), localPath: z.string() }))
      .default([]),
    installedApps: z.record(z.string(), z.string()).default({}),
    secretInputs: z.array(z.string()).default([]),
  })
  .catchall(z.json())
  .superRefine(({ inputs, secretInputs }, context) => {
    for (const [index, name] of secretInputs.entries()) {
      if (inputs[name] !== undefined) continue;
      context.addIssue({
        code: "custom",
        path: ["secretInputs", index],
        message: "does not name an input",
      });
    }
  });
export type ContextFile = z.infer<typeof ContextFile>;

/** Reads the part of the file a hook's script sees. */
export function readHookContext({ installedApps: _apps, secretInputs: _secrets, ...data }: ContextFile): JsonObject {
  return data;
}
