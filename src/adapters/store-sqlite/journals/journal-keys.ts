import { createSecretKey, type KeyObject } from "node:crypto";
import type Database from "better-sqlite3";
import { prepareInsert } from "../insert.ts";
import { createKey, KEY_BYTES } from "./seal.ts";

/** The keys of journals, by the journal's number. */
export interface JournalKeys {
  /** Makes a new key under a number nobody uses. */
  create(): number;
  read(id: number): KeyObject;
  /** Overwrites the key; the number is free again. */
  destroy(id: number): void;
  /** A transaction was taken back: keys it made or overwrote are read again. */
  forget(): void;
}

/**
 * Prepares every statement once; the writes belong into a transaction. Keys are of one size, are overwritten where they
 * stand, and are only ever added behind the last one: so SQLite never moves one, and leaves no copy.
 */
export function prepareJournalKeys(db: Database.Database): JournalKeys {
  const free = db.prepare<[], number>(`SELECT min(id) FROM journal_keys WHERE key = zeroblob(${KEY_BYTES})`).pluck();
  const add = prepareInsert<{ key: Uint8Array }>(db, "INSERT INTO journal_keys", "id");
  const put = db.prepare<[{ id: number; key: Uint8Array }]>("UPDATE journal_keys SET key = :key WHERE id = :id");
  const read = db.prepare<[{ id: number }], Uint8Array>("SELECT key FROM journal_keys WHERE id = :id").pluck();
  /** Those in use: a hook writes a row for each call. */
  const known = new Map<number, KeyObject>();

  function learn(id: number, key: Uint8Array): KeyObject {
    const made = createSecretKey(key);
    known.set(id, made);
    return made;
  }

  return {
    create() {
      const key = createKey();
      const reused = free.get();
      if (typeof reused === "number") put.run({ id: reused, key });
      const id = typeof reused === "number" ? reused : Number(add.run({ key }).lastInsertRowid);
      learn(id, key);
      return id;
    },
    read: (id) => known.get(id) ?? learn(id, read.get({ id }) ?? new Uint8Array(KEY_BYTES)),
    destroy(id) {
      known.delete(id);
      put.run({ id, key: new Uint8Array(KEY_BYTES) });
    },
    forget: () => known.clear(),
  };
}
