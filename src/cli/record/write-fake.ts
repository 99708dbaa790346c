/** Writes the fake of an app where the stand-in reads it. */
import { join } from "node:path";
import { nameFake } from "../../check/world/read-fake.ts";
import { EngineError } from "../../core/codes/problems.ts";
import { readMessage } from "../../core/json/read-message.ts";
import { writeBelow } from "../../files/write-below.ts";
import type { AppTable } from "../../standin/apps/answers.ts";
import { TABLE_BYTES } from "../../standin/apps/read-tables.ts";

/** A fake as text. Throws `CLI_RECORDING_TOO_LARGE` for one the stand-in would refuse. */
export function printFake(fake: AppTable): string {
  const text = `${JSON.stringify(fake, null, 2)}\n`;
  const bytes = Buffer.byteLength(text);
  if (bytes <= TABLE_BYTES) return text;
  const message = `the fake would have ${bytes} bytes, allowed are ${TABLE_BYTES}`;
  throw new EngineError("CLI_RECORDING_TOO_LARGE", message);
}

/** Puts a fake in the place of the one before it, whole or not at all. Throws `CLI_FILE_UNWRITABLE`. */
export function writeFake(root: string, appId: string, text: string): void {
  const file = join(root, nameFake(appId));
  try {
    writeBelow({ root, path: nameFake(appId), text, replaces: "file" });
  } catch (error) {
    throw new EngineError("CLI_FILE_UNWRITABLE", `can't write "${file}": ${readMessage(error)}`, { file }, error);
  }
}
