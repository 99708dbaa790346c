/** Commits three turns of a task and closes the database, or dies. Arguments: database, `close` or `die`. */
import { openStore } from "../../src/adapters/store-sqlite/open-store.ts";
import { turnOf } from "./store-turns.ts";

const [file = "", end] = process.argv.slice(2);
const store = openStore({ file });
for (const rev of [1, 2, 3]) store.commit(turnOf(store, rev));
if (end === "close") store.appendHookLog("t", 1, ["a line"]);
if (end === "die") process.kill(process.pid, "SIGKILL");
store.close();
