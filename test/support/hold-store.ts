/** Owns a database until it is killed; says so on stdout. */
import { openStore } from "../../src/adapters/store-sqlite/open-store.ts";

const [, , file] = process.argv;
if (file === undefined) throw new Error("usage: hold-store.ts FILE");
openStore({ file, command: "hold-store.ts" });
process.stdout.write("held\n");
setInterval(() => {}, 60_000);
