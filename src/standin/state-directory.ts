import { mkdirSync, realpathSync } from "node:fs";
import { EngineError, isEngineError } from "../core/codes/problems.ts";
import { readMessage } from "../core/json/read-message.ts";
import { assertOutsideCatalog, assertOwnState } from "../files/own-state.ts";
import { refuseLinkedParts } from "./files/mountpoints.ts";

/**
 * Makes the directory of a stand-in and resolves its links. Throws `HOST_STANDIN_STATE` when it can't be made or a
 * link is in the place of a part of it, and `STORE_UNTRUSTED` when another user could have written it.
 */
export function makeStateDirectory(dir: string): string {
  return guard(dir, () => {
    // before as well: as root, nothing is made in a folder of another user
    assertOwnState(dir, "folder");
    mkdirSync(dir, { recursive: true, mode: 0o700 });
    assertOwnState(dir);
    const real = realpathSync(dir);
    refuseLinkedParts(real);
    return real;
  });
}

/** Throws `STORE_IN_CATALOG` for a directory in a catalog or a git work tree around it, which can bring along its state. */
export function refuseBroughtDirectory(dir: string, catalogs: readonly string[]): void {
  guard(dir, () => {
    for (const catalog of catalogs) assertOutsideCatalog(dir, catalog);
  });
}

function guard<T>(dir: string, act: () => T): T {
  try {
    return act();
  } catch (error) {
    if (isEngineError(error)) throw error;
    const reason = readMessage(error);
    throw new EngineError("HOST_STANDIN_STATE", `"${dir}" can't be a stand-in's directory: ${reason}`, { dir }, error);
  }
}
