/**
 * A whole engine on a disk of a few MB that fills up: its health before, then, and after, and two calls of `close` while
 * it is full; prints what it saw as JSON and ends by itself. Run inside a mount namespace of its own, `TMPDIR` on the
 * small disk. Argument: catalog.
 */
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openStore } from "../../src/adapters/store-sqlite/open-store.ts";
import { openEngine } from "../../src/compose.ts";
import { fillDisk, freeDisk } from "./fill-disk.ts";

const db = join(tmpdir(), "slipway.db");
const fail = () => {
  throw new Error("this logger is broken");
};
const choice = {
  // Nobody listens there: the host is not what this is about.
  host: { kind: "rpc", url: "ws://127.0.0.1:1", username: "u", apiKey: "1-k", trustPlaintext: true, locations: {} },
  db,
  catalog: process.argv[2] ?? "",
  production: false,
  logger: { debug: fail, info: fail, warn: fail, error: fail },
} as const;

const { engine, opened, close } = await openEngine(choice);
const look = async () => ({ store: (await engine.health()).store, ready: engine.readiness().ready });
const before = await look();
fillDisk();
// The log of the database may hold what was written before: it is full once that is used up.
let full = await look();
for (let tries = 0; full.store.writable && tries < 100; tries += 1) full = await look();
freeDisk();
const freed = await look();
fillDisk();
while (engine.readiness().ready);
const ends = await Promise.allSettled([close(), engine.close(), close()]);
const after = engine.readiness();
freeDisk();
const store = openStore({ file: db });
const reopened = store.opened.after;
store.close();
process.stdout.write(
  JSON.stringify({ opened, before, full, freed, ends: ends.map(({ status }) => status), after, reopened }),
);
