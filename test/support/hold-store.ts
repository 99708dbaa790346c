/** Owns a database until it is killed; says so on stdout. */
import { openStore } from "../../src/adapters/store-sqlite/open-store.ts";

const [, , file] = process.argv;
if (file === undefined) throw new Error("usage: hold-store.ts FILE");
const store = openStore({ file, command: "hold-store.ts" });
process.stdout.write("held\n");
// a store nobody refers to would be collected, and its lock with it
setInterval(() => store.lastSeq(), 60_000);
