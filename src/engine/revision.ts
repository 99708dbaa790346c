import { createHash } from "node:crypto";

/** What was shown, as a digest, whatever order its keys came in: whoever agrees to it names it, and anything else is refused. */
export function createRevision(shown: object): string {
  return createHash("sha256").update(JSON.stringify(shown, sortKeys)).digest("base64url").slice(0, 22);
}

function sortKeys(_: string, value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)));
}
