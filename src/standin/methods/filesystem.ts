import { mkdirSync, readdirSync, type Stats, statfsSync, statSync } from "node:fs";
import { basename, join, posix } from "node:path";
import { z } from "zod";
import type { JsonObject } from "../../core/json/json.ts";
import { findGroupName, findUserName } from "../accounts.ts";
import { inheritAcl } from "../files/acl.ts";
import {
  findMounted,
  leadsOut,
  locateEntry,
  locatePath,
  lookAt,
  readOwnership,
  resolvePath,
  toMountpoint,
} from "../files/paths.ts";
import { HostString } from "../rpc/arguments.ts";
import { defineDirect, type Method, type Span } from "../rpc/method.ts";
import { Filters, QueryOptions, runQuery } from "../rpc/query.ts";
import { createCallError, createUnexpectedError } from "../rpc/rpc-error.ts";
import type { World } from "../world.ts";

/** The path itself, when the host would look at it. */
export function requireAbsolute(path: string): string {
  if (!path.startsWith("/")) throw createCallError("EINVAL", `${path} must be an absolute path`);
  return posix.normalize(path);
}

/** Where an existing host path leads: to `real`, which lies at `local`. EPERM for one that leads out, ENOENT for none. */
export function requireExisting(world: World, path: string): { readonly real: string; readonly local: string } {
  const normal = requireAbsolute(path);
  const { real, local } = resolvePath(world, normal);
  return { real, local: local ?? locatePath(world, normal) };
}

function toFileType(found: Stats): "DIRECTORY" | "FILE" | "SYMLINK" | "OTHER" {
  if (found.isSymbolicLink()) return "SYMLINK";
  if (found.isDirectory()) return "DIRECTORY";
  return found.isFile() ? "FILE" : "OTHER";
}

/** An entry, with the facts of what it leads to. A link that leads to nothing here has its own. */
function requireEntry(world: World, path: string) {
  const entry = locateEntry(world, path);
  const own = entry === null ? null : lookAt(entry);
  const { real, local } = resolvePath(world, path);
  // A link out of /mnt is shown, as on the host, where it leads to a file of the system; what it leads to is not looked at.
  if (own === null || (local === null && !leadsOut(path, real))) locatePath(world, path);
  if (entry === null || own === null) throw createCallError("ENOENT", `Path ${path} not found`);
  return { type: toFileType(own), real, facts: local === null ? own : statSync(local) };
}

function buildDirectoryEntry(world: World, path: string): JsonObject {
  const { type, real, facts } = requireEntry(world, path);
  const owner = readOwnership(world.state, real);
  return {
    name: basename(path),
    path,
    // As on the host: only a link is resolved, not what lies behind one.
    realpath: type === "SYMLINK" ? real : path,
    type,
    size: facts.size,
    allocation_size: 512,
    mode: (type === "DIRECTORY" ? 0o040000 : 0o100000) | owner.mode,
    mount_id: 1,
    acl: owner.acl !== null,
    uid: owner.uid,
    gid: owner.gid,
    is_mountpoint: isMountpoint(world, path),
    is_ctldir: path.split("/").includes(".zfs"),
    attributes: [],
    xattrs: [],
    zfs_attrs: null,
  };
}

function locatesSomething(world: World, path: string): boolean {
  const entry = locateEntry(world, path);
  return entry !== null && lookAt(entry) !== null;
}

function isMountpoint(world: World, path: string): boolean {
  return Object.values(world.state.datasets).some(({ id, locked }) => !locked && toMountpoint(id) === path);
}

/** `argument` is the name error paths show. */
function defineMkdir(argument: string, span: Span): Method {
  return defineDirect({
    name: "filesystem.mkdir",
    ...span,
    names: [argument],
    params: z.tuple([
      z.strictObject({
        path: HostString,
        options: z
          .strictObject({
            mode: z
              .string()
              .regex(/^[0-7]{3}$/)
              .default("755"),
            raise_chmod_error: z.boolean().default(true),
          })
          .prefault({}),
      }),
    ]),
    run: (world, [{ path: given, options }]) => {
      const path = requireAbsolute(given);
      if (!path.startsWith("/mnt/")) throw createCallError("EPERM", `${path}: path not permitted`);
      const parent = resolvePath(world, posix.dirname(path));
      if (leadsOut(path, parent.real)) throw createCallError("EPERM", `${path}: path not permitted`);
      if (parent.local === null) {
        throw createUnexpectedError("FileNotFoundError", `[Errno 2] No such file or directory: '${path}'`);
      }
      const local = join(parent.local, posix.basename(path));
      if (locatesSomething(world, path)) throw createCallError("EEXIST", `${path}: path already exists.`);
      mkdirSync(local);
      const real = posix.join(parent.real, posix.basename(path));
      const inherited = inheritAcl(readOwnership(world.state, posix.dirname(real)).acl);
      const mode = inherited === null ? Number.parseInt(options.mode, 8) : 0o770;
      world.state.ownership[real] = { uid: 0, gid: 0, mode, acl: inherited === null ? null : [...inherited] };
      world.commit();
      return buildDirectoryEntry(world, path);
    },
  });
}

/** Reading and making paths (docs/host-api.md, section 7). Ownership is a model: see files/paths.ts. */
export const FILESYSTEM_METHODS: readonly Method[] = [
  defineDirect({
    name: "filesystem.stat",
    names: ["path"],
    params: z.tuple([HostString]),
    run: (world, [given]) => {
      const path = requireAbsolute(given);
      const { real, facts: found } = requireEntry(world, path);
      const { uid, gid } = readOwnership(world.state, real);
      const { name: _name, path: _path, zfs_attrs: _zfs, xattrs: _xattrs, ...entry } = buildDirectoryEntry(world, path);
      return {
        ...entry,
        atime: found.atimeMs / 1000,
        mtime: found.mtimeMs / 1000,
        ctime: found.ctimeMs / 1000,
        btime: found.birthtimeMs / 1000,
        dev: found.dev,
        inode: found.ino,
        nlink: found.nlink,
        user: findUserName(uid),
        group: findGroupName(gid),
      };
    },
  }),
  defineDirect({
    name: "filesystem.statfs",
    names: ["path"],
    params: z.tuple([HostString]),
    run: (world, [given]) => {
      if (!given.startsWith("/mnt/")) throw createCallError("EFAULT", `${given}: path must be below /mnt/`);
      const { real, local } = requireExisting(world, given);
      const dataset = findMounted(world.state, real);
      const { bavail, bfree, blocks, bsize, ffree, files } = statfsSync(local);
      return {
        flags: dataset?.readonly === true ? ["RO"] : ["RW", "NOATIME"],
        fsid: dataset?.id ?? "boot-pool",
        files,
        free_files: ffree,
        name_max: 255,
        fstype: "zfs",
        source: dataset?.id ?? "boot-pool/ROOT",
        dest: dataset === undefined ? "/" : toMountpoint(dataset.id),
        blocksize: bsize,
        total_blocks: blocks,
        free_blocks: bfree,
        avail_blocks: bavail,
        total_bytes: blocks * bsize,
        free_bytes: bfree * bsize,
        avail_bytes: bavail * bsize,
        total_blocks_str: String(blocks),
        free_blocks_str: String(bfree),
        avail_blocks_str: String(bavail),
        total_bytes_str: String(blocks * bsize),
        free_bytes_str: String(bfree * bsize),
        avail_bytes_str: String(bavail * bsize),
      };
    },
  }),
  defineDirect({
    name: "filesystem.listdir",
    names: ["path", "query_filters", "query_options"],
    params: z.tuple([HostString, Filters, QueryOptions]),
    run: (world, [given, filters, options]) => {
      const path = requireAbsolute(given);
      const { local } = requireExisting(world, path);
      const entry = locateEntry(world, path);
      // As on the host as far as it is known: a link is no directory to list.
      if (entry === null || lookAt(entry)?.isDirectory() !== true)
        throw createCallError("ENOTDIR", `Path ${given} is not a directory`);
      const names = readdirSync(local).toSorted();
      return runQuery(
        names.map((name) => buildDirectoryEntry(world, posix.join(path, name))),
        filters,
        options,
      );
    },
  }),
  // 27.0 has another name for its argument.
  defineMkdir("filesystem_mkdir", { before: "27.0" }),
  defineMkdir("data", { since: "27.0" }),
];
