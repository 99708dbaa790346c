import { type Restored, restoreDatabase } from "../../../adapters/store-sqlite/backup/restore-database.ts";
import type { DefineCommand } from "../../command.ts";
import { withCopyLine } from "../../ui/copy-progress.ts";
import { formatOption } from "../../ui/format.ts";
import { formatBytes } from "../../ui/format-bytes.ts";
import { printJson, type Terminal } from "../../ui/terminal.ts";

interface RestoreOptions {
  readonly db: string;
  readonly format: "text" | "json";
}

/** `restore FILE`: puts a backup in the database's place while no engine runs. */
export const defineRestore: DefineCommand = (command, terminal) => {
  command
    .argument("<file>", "a backup, or another database of Slipway")
    .requiredOption("--db <file>", "the database whose place it takes; that one is kept under another name")
    .addOption(formatOption())
    .action(async (file: string, { db, format }: RestoreOptions) => {
      const restored = await withCopyLine(terminal, "nothing was restored", (copying) =>
        restoreDatabase({ file, db, now: Date.now(), ...copying }),
      );
      if (format === "json") printJson(terminal, restored);
      else tell(restored, terminal);
    });
};

function tell({ db, kept, bytes, tasks, unfinished }: Restored, terminal: Terminal): void {
  terminal.stdout.write(
    [
      `${db}: ${formatBytes(bytes)}, ${tasks} tasks, ${unfinished} of them not ended`,
      ...(kept === null ? [] : [`The database before it is kept as ${kept}`]),
      "What was under way when the backup was made waits for a person when an engine starts; nothing is sent again by itself.",
      "Answers and secrets given since then are not in it: apps may have others.",
      "",
    ].join("\n"),
  );
}
