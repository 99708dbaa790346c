import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** The lines of `SHA256SUMS`: every file of a folder but itself. */
export function sumFiles(folder: string): string {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name !== "SHA256SUMS")
    .map(({ parentPath, name }) => join(parentPath, name))
    .sort();
  return files
    .map((file) => {
      const digest = createHash("sha256").update(readFileSync(file)).digest("hex");
      return `${digest}  ${file.slice(folder.length + 1)}\n`;
    })
    .join("");
}
