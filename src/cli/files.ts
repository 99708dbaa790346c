import { readFileSync } from "node:fs";
import type { z } from "zod";
import { EngineError } from "../core/problems.ts";

/**
 * Reads a JSON file a command was given and checks its shape. Throws `CLI_FILE_UNREADABLE` or `CLI_FILE_INVALID` with
 * the file's name and what is wrong.
 */
export function readJsonFile<Schema extends z.ZodType>(file: string, schema: Schema): z.infer<Schema> {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (error) {
    throw new EngineError("CLI_FILE_UNREADABLE", `can't read "${file}": ${messageOf(error)}`, { file }, error);
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new EngineError("CLI_FILE_INVALID", `"${file}" is not valid JSON: ${messageOf(error)}`, { file }, error);
  }
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const place = issue?.path.join(".") ?? "";
  throw new EngineError("CLI_FILE_INVALID", `"${file}" at "${place}": ${issue?.message ?? "it is malformed"}`, {
    file,
  });
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
