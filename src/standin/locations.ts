import { createHash } from "node:crypto";
import { LOCATIONS, UNLISTED_LOCATIONS } from "../core/script/script-words.ts";

/** The location ids of the specification (section "Requirements object"), each a dataset of the stand-in's pool. */
export const STANDIN_LOCATIONS: Readonly<Record<string, string>> = placeAtPool(LOCATIONS);

/** Locations outside the specification that real scripts name (docs/decisions.md, section 1); they exist on the stand-in too. */
export const STANDIN_OPTIONAL_LOCATIONS: Readonly<Record<string, string>> = placeAtPool(UNLISTED_LOCATIONS);

function placeAtPool(ids: readonly string[]): Record<string, string> {
  return Object.fromEntries(ids.map((id) => [id, `/mnt/tank/${id}`]));
}

/**
 * The loopback address that belongs to one state directory, 127.a.b.c with a from 1 to 254: the stand-in's LAN address,
 * where its apps listen, so that many stand-ins run side by side on one machine.
 */
export function deriveLanAddress(dir: string): string {
  const [a = 0, b = 0, c = 0] = createHash("sha256").update(dir).digest();
  return `127.${1 + (a % 254)}.${b}.${1 + (c % 254)}`;
}
