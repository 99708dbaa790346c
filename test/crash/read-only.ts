/** Opens a database as its owner and as a reader; prints what came of it. Argument: database. */
import { openReader, openStore } from "../../src/adapters/store-sqlite/open-store.ts";
import { EngineError } from "../../src/core/codes/problems.ts";

const [file = ""] = process.argv.slice(2);

function codeOf(access: () => unknown): unknown {
  try {
    return access();
  } catch (error) {
    return error instanceof EngineError ? error.code : String(error);
  }
}

const opening = codeOf(() => openStore({ file }).close());
const read = codeOf(() =>
  openReader(file)
    .rootTrees()
    .map(([{ id }]) => id),
);
process.stdout.write(JSON.stringify({ opening, read }));
