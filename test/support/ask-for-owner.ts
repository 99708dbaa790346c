/** Asks again and again who holds a database's lock, until its stdin ends; says so on stdout once it does. */
import { readLockOwner } from "../../src/adapters/store-sqlite/opening/lock.ts";

const [, , file] = process.argv;
if (file === undefined) throw new Error("usage: ask-for-owner.ts FILE");
readLockOwner(file);
process.stdout.write("asking\n");
const ask = (): void => {
  readLockOwner(file);
  setImmediate(ask);
};
process.stdin.once("end", () => process.exit(0)).resume();
ask();
