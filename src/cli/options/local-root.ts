/** Where a command finds the host's files on this machine. */
import { statSync } from "node:fs";
import { isAbsolute, join, resolve } from "node:path";
import { readCode } from "../../../sandbox/files/read-code.ts";
import { EngineError } from "../../core/codes/problems.ts";

/**
 * Checks the directory given with `--local-root`: the host's `/mnt/tank` is `DIR/mnt/tank` here. Undefined for `/`, which is
 * the default. Throws `CLI_LOCAL_ROOT_INVALID` for a path that is not absolute, is no directory, or holds no location.
 */
export function readLocalRoot(dir: string, locations: Readonly<Record<string, string>>): string | undefined {
  if (!isAbsolute(dir)) throw createFault(`"${dir}" is not an absolute path`, dir);
  const fault = findFault(dir);
  if (fault !== null) throw createFault(`"${dir}" ${fault}`, dir);
  const root = resolve(dir);
  const places = Object.values(locations).map((path) => join(root, path));
  if (places.length > 0 && places.every((place) => findFault(place) !== null)) {
    throw createFault(
      `"${dir}" holds none of the host's locations: "${places[0]}" ${findFault(places[0] ?? root)}`,
      dir,
    );
  }
  return root === "/" ? undefined : root;
}

function findFault(path: string): string | null {
  try {
    return statSync(path).isDirectory() ? null : "is not a directory";
  } catch (error) {
    const code = readCode(error);
    return code === "ENOENT" ? "does not exist" : `can't be read (${code})`;
  }
}

function createFault(message: string, dir: string): EngineError {
  return new EngineError("CLI_LOCAL_ROOT_INVALID", message, { dir });
}
