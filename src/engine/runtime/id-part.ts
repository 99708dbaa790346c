import { createHash } from "node:crypto";

/** Longest part of an id, in characters: what four of them below a root make is still taken as one id over HTTP. */
const LONGEST = 60;

/** A part of an id: the name itself, or `@` and its hash where an author or the host has made it long. */
export function toIdPart(name: string): string {
  return name.length <= LONGEST ? name : `@${createHash("sha256").update(name).digest("base64url")}`;
}
