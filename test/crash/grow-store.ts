/** Commits until the file system refuses; prints the code and what is readable then. Argument: database. */
import { openStore } from "../../src/adapters/store-sqlite/open-store.ts";
import { EngineError } from "../../src/core/codes/problems.ts";
import { turnOf } from "./store-turns.ts";

const store = openStore({ file: process.argv[2] ?? "" });
let committed = 0;
let code = "";
while (code === "") {
  try {
    store.commit(turnOf(store, committed + 1));
    committed += 1;
  } catch (error) {
    code = error instanceof EngineError ? error.code : String(error);
  }
}
const log = store.taskLog("t").length;
process.stdout.write(JSON.stringify({ code, committed, read: store.task("t")?.rev, log }));
