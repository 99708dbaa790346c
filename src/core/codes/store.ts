import type { CodeText } from "./row.ts";

/** Codes of the database file. */
export const STORE_CODES = {
  STORE_LOCKED: {
    audience: "owner",
    title: "Another process owns the database",
    hint: "stop the process named, or use its API",
  },
  STORE_FENCED: {
    title: "Another life of the engine has written to the task meanwhile",
    hint: "start the engine again; it goes on from what is stored",
  },
  STORE_NEWER: {
    title: "The database was written by a newer version",
    hint: "start that version or a newer one, or restore the backup made before its migration",
  },
  STORE_OUTDATED: {
    title: "The database was not yet brought to this version, so it can't be read",
    hint: "open it once with a command that writes, such as retry or serve",
  },
  STORE_FOREIGN: {
    audience: "owner",
    title: "The file is not a Slipway database",
    hint: "name another file with --db",
  },
  STORE_CORRUPT: {
    title: "The database file is damaged",
    hint: "restore it from a snapshot or a backup; keep the damaged file",
  },
  STORE_FULL: { title: "The disk of the database is full", hint: "free space; the engine goes on by itself" },
  STORE_UNTRUSTED: {
    audience: "owner",
    title: "Another user could have written the database, or the stand-in's folder beside it",
    hint: "name a database in a folder of your own that nobody else can write (--db), or run as the user it belongs to",
    see: 'docs/operating.md, "Where state lies"',
  },
  STORE_IN_CATALOG: {
    audience: "owner",
    title: "The database, or the stand-in's folder beside it, lies where a catalog can bring it along",
    hint: "name a database outside the catalog and its git work tree (--db); serve and dev choose one by themselves",
    see: 'docs/operating.md, "Where state lies"',
  },
  STORE_READ_ONLY: {
    title: "The database can't be written",
    hint: "check the owner and mode of the file and its folder, and that the dataset is not read-only",
  },
  STORE_CANNOT_OPEN: {
    audience: "owner",
    title: "The database file can't be opened",
    hint: "check the path and its permissions",
  },
  STORE_IO: {
    title: "Reading or writing the database failed",
    hint: "check the disk, its dataset and the system log, then start the engine again",
  },
  STORE_BACKUP_EXISTS: {
    audience: "owner",
    title: "A backup would replace a file",
    hint: "name another file, or replace it with --force",
  },
  STORE_BACKUP_CHANGED: {
    audience: "owner",
    title: "The backup was changed or damaged since it was made",
    hint: "restore another backup",
  },
  STORE_SETTINGS: {
    title: "SQLite did not take a setting the engine needs",
    hint: "put the database on a local file system that supports locking",
  },
} as const satisfies Record<string, CodeText>;
