/**
 * Where pictures of apps come from.
 *
 * Invariants every implementation keeps:
 * 1. A place is an author's words: only public addresses are reached, at the address their name was looked up to, and only
 *    files below the catalog's directory are read.
 * 2. What comes back is at most `ICON_BYTES` long, and was asked for with nothing that tells who asks.
 * 3. It comes, or is given up, within some seconds.
 */

/** Most bytes of a picture, decompressed. */
export const ICON_BYTES = 256 * 1024;

/** Where a picture is: an http(s) address, or a path below the catalog's root. */
export type IconPlace =
  | { readonly kind: "address"; readonly address: string }
  | { readonly kind: "file"; readonly root: string; readonly path: string };

export interface Icons {
  /**
   * Reads the bytes of a picture, whatever they are. `hostAddresses` are those of the storage host, which are never
   * reached. Rejects with `ICON_UNREADABLE`, or with the signal's reason.
   */
  read(place: IconPlace, hostAddresses: readonly string[], signal: AbortSignal): Promise<Uint8Array>;
}
