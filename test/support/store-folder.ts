/** A database file for each test of a file. */
import { join } from "node:path";
import type Database from "better-sqlite3";
import { afterEach, beforeEach } from "vitest";
import { createStore, openStore } from "../../src/adapters/store-sqlite/open-store.ts";
import { migrate } from "../../src/adapters/store-sqlite/opening/migrate.ts";
import { openDatabase } from "../../src/adapters/store-sqlite/opening/open-database.ts";
import { openRollbackWitness } from "../../src/adapters/store-sqlite/rollback-witness.ts";
import { MIGRATIONS } from "../../src/adapters/store-sqlite/schema.ts";
import type { Store } from "../../src/engine/ports/store.ts";
import { createTestFolder } from "./engine/runtime-world.ts";

export interface StoreFolder {
  /** The present test's folder. */
  readonly path: string;
  /** The database in it. */
  readonly file: string;
  /** Opens the database; closed after the test. */
  open(): Store;
  /** Has something closed after the test. */
  closeLater(opened: { close(): void }): void;
}

/** A store on a connection that the caller has too, e.g. to keep the database from growing. */
export function openOnDatabase(file: string): { readonly db: Database.Database; readonly store: Store } {
  const db = openDatabase(file);
  migrate(db, MIGRATIONS);
  return { db, store: createStore(db, openRollbackWitness(`${file}.witness`), () => {}) };
}

/** A new folder for each test, and the stores it opens there. */
export function useStoreFolder(): StoreFolder {
  let folder: ReturnType<typeof createTestFolder>;
  let opened: { close(): void }[] = [];
  beforeEach(() => {
    folder = createTestFolder();
    opened = [];
  });
  afterEach(() => {
    for (const each of opened) each.close();
    folder.remove();
  });
  const locate = () => join(folder.path, "slipway.db");
  return {
    get path() {
      return folder.path;
    },
    get file() {
      return locate();
    },
    open() {
      const store = openStore({ file: locate(), command: "slipway serve" });
      opened.push(store);
      return store;
    },
    closeLater: (each) => void opened.push(each),
  };
}
