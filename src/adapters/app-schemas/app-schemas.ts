/** The schemas of catalog apps for `--apps`: from one JSON file, or from a checkout of the host's catalog. */
import { stat } from "node:fs/promises";
import { createFileUnreadableError } from "../../core/codes/common-errors.ts";
import type { AppSchemas } from "./found-schema.ts";
import { openSchemaFile } from "./schema-file.ts";

/** Help of the option `--apps`. */
export const APPS_HELP =
  "hold app_values against the apps' own schemas: a checkout of the host's catalog, or a JSON file of schemas";

/** Opens a file or a checkout. Throws `CLI_FILE_UNREADABLE`, `CLI_FILE_INVALID`. */
export async function openAppSchemas(path: string): Promise<AppSchemas> {
  const found = await stat(path).catch((error: unknown) => {
    throw createFileUnreadableError(path, error);
  });
  if (!found.isDirectory()) return openSchemaFile(path);
  // the YAML parser is loaded only where it is needed
  const { openSchemaCheckout } = await import("./schema-checkout.ts");
  return openSchemaCheckout(path);
}
