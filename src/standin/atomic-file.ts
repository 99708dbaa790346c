import { writeNamed } from "../files/write-below.ts";

/**
 * Writes a whole file so that a reader, also after a kill or a power cut, sees the old or the new text and never a part.
 * Mode 0600; a link of that name is replaced.
 */
export function writeFileAtomic(file: string, text: string): void {
  writeNamed(file, { text, replaces: "link", mode: 0o600 });
}
