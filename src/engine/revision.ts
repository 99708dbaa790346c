import { createHash } from "node:crypto";

/** What was shown, as a digest: whoever agrees to it names it, and anything else is refused. */
export function createRevision(shown: object): string {
  return createHash("sha256").update(JSON.stringify(shown)).digest("base64url").slice(0, 22);
}
