/** Restores a backup and dies at a step of it. Arguments: backup, database, step. */
import { restoreDatabase } from "../../src/adapters/store-sqlite/backup/restore-database.ts";

const [file = "", db = "", at] = process.argv.slice(2);
const dieAt = (step: string): void => {
  if (step === at) process.kill(process.pid, "SIGKILL");
};
await restoreDatabase({ file, db, now: 0, onProgress: () => dieAt("copying"), onStep: dieAt });
