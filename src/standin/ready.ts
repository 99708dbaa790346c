import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { writeFileAtomic } from "./atomic-file.ts";

/** How to reach a running stand-in: what it writes to `DIR/standin.json` when ready. */
export const StandinAddress = z.object({
  url: z.string(),
  username: z.string(),
  apiKey: z.string(),
  lanIp: z.string(),
  /** Process that runs it. */
  pid: z.int(),
});
/** See the schema. */
export type StandinAddress = z.infer<typeof StandinAddress>;

function nameReadyFile(dir: string): string {
  return join(dir, "standin.json");
}

/** Says at `DIR/standin.json` that the stand-in answers. Holds the API key: mode 0600. */
export function writeReady(dir: string, ready: StandinAddress): void {
  writeFileAtomic(nameReadyFile(dir), `${JSON.stringify(ready)}\n`);
}

/** Takes the file back when the stand-in ends. */
export function removeReady(dir: string): void {
  rmSync(nameReadyFile(dir), { force: true });
}

/** The stand-in last started on a directory, or undefined; after a kill its process may be gone. */
export function readReady(dir: string): StandinAddress | undefined {
  try {
    const parsed = StandinAddress.safeParse(JSON.parse(readFileSync(nameReadyFile(dir), "utf8")));
    return parsed.success ? parsed.data : undefined;
  } catch {
    return undefined;
  }
}
