/**
 * The root an isolated process sees: an almost empty folder into which the files it needs are mounted, each at the path it
 * has outside. The mounts exist only in the namespace of the process; on disk there are empty files and folders.
 *
 * Invariant: everything is mounted read-only and without devices, except two devices that hold nothing.
 */
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { chmod, mkdir, realpath, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import type { PrivateRoot } from "./command.ts";

/** Contents of a private root, by absolute paths. */
export interface RootContent {
  /** Executables and native addons: their shared libraries come with them. */
  readonly programs: readonly string[];
  /** Further files and folders, to be read only. */
  readonly read?: readonly string[];
  /** Folders in which files may be written that the process may write anyway. */
  readonly write?: readonly string[];
}

const SETPRIV = ["/usr/bin/setpriv", "/bin/setpriv", "/usr/sbin/setpriv", "/sbin/setpriv"];
/** Where the loader finds libraries outside of the usual folders. */
const LOADER_CACHE = "/etc/ld.so.cache";
const DEVICES = ["/dev/null", "/dev/urandom"];
/** For all, because it is root's and the process another user's. */
const FOLDER_MODE = 0o755;

/** Prepares a root in a folder of the engine's own that exists; null where a tool it needs is missing. */
export async function makePrivateRoot(folder: string, content: RootContent): Promise<PrivateRoot | null> {
  const setpriv = SETPRIV.find((path) => existsSync(path));
  if (setpriv === undefined) return null;
  const programs = [setpriv, ...content.programs];
  const libraries = await listLibraries(programs);
  if (libraries === null) return null;
  const root = join(folder, "root");
  const jail = join(root, "jail");
  await makeFolder(jail);
  const cache = existsSync(LOADER_CACHE) ? [LOADER_CACHE] : [];
  const lines = [writeMount(root, root, "ro,nosuid,nodev")];
  const add = async (path: string, options: string): Promise<void> => {
    lines.push(writeMount(await realpath(path), await makeMountPoint(jail, path), options));
  };
  for (const path of new Set([...programs, ...libraries, ...cache, ...(content.read ?? [])])) {
    await add(path, "ro,nosuid,nodev");
  }
  for (const path of DEVICES) await add(path, "ro,nosuid,noexec");
  for (const path of content.write ?? []) await add(path, "nosuid,nodev,noexec");
  const mounts = join(folder, "mounts");
  await writeFile(mounts, lines.join(""), { mode: 0o600 });
  return { folder: root, mounts, setpriv };
}

/** Tells whether a prepared root is still there; a cleaner of temporary folders may have taken it. */
export function isRootThere({ folder, mounts }: PrivateRoot): boolean {
  return existsSync(mounts) && existsSync(join(folder, "jail"));
}

/** Libraries `ldd` has found, by programs: it takes longer than all the rest of a root. */
const found = new Map<string, readonly string[]>();

/** Shared libraries by the paths the loader looks at; null where `ldd` is missing. Looked up again where one is gone. */
async function listLibraries(programs: readonly string[]): Promise<readonly string[] | null> {
  const key = programs.join("\n");
  const known = found.get(key);
  if (known?.every((path) => existsSync(path))) return known;
  const libraries = await findLibraries(programs);
  if (libraries !== null) found.set(key, libraries);
  return libraries;
}

async function findLibraries(programs: readonly string[]): Promise<string[] | null> {
  // exits with 1 when one of them is static, having told of the others
  const { stdout, code } = await promisify(execFile)("ldd", [...programs]).then(
    ({ stdout }) => ({ stdout, code: 0 }),
    (error: { readonly stdout?: string; readonly code?: unknown }) => ({
      stdout: error.stdout ?? "",
      code: error.code,
    }),
  );
  if (typeof code !== "number") return null;
  return [...new Set([...stdout.matchAll(/(\/[^\n]*?) \(0x[0-9a-f]+\)$/gm)].flatMap(([, path]) => path ?? []))];
}

async function makeMountPoint(jail: string, path: string): Promise<string> {
  const point = join(jail, path);
  if ((await stat(path)).isDirectory()) {
    await makeFolder(point, jail);
  } else {
    await makeFolder(dirname(point), jail);
    await writeFile(point, "");
  }
  return point;
}

/** Also under an engine whose umask lets nobody in. */
async function makeFolder(path: string, top = dirname(path)): Promise<void> {
  await mkdir(path, { recursive: true });
  for (let each = path; each.length >= top.length; each = dirname(each)) await chmod(each, FOLDER_MODE);
}

/** One line of fstab(5). */
function writeMount(from: string, to: string, options: string): string {
  return `${escapePath(from)} ${escapePath(to)} none bind,${options} 0 0\n`;
}

/** As fstab(5) wants them: blanks and backslashes in octal. */
function escapePath(path: string): string {
  return path.replace(/[\s\\#]/g, (character) => `\\${character.charCodeAt(0).toString(8).padStart(3, "0")}`);
}
