import { backUpDatabase } from "../../../adapters/store-sqlite/backup/back-up.ts";
import type { Backup } from "../../../engine/api.ts";
import type { DefineCommand } from "../../command.ts";
import { addDatabaseOption, locateDatabase } from "../../options/database.ts";
import { withCopyLine } from "../../ui/copy-progress.ts";
import { formatOption } from "../../ui/format.ts";
import { formatBytes } from "../../ui/format-bytes.ts";
import { printJson, type Terminal } from "../../ui/terminal.ts";

interface BackupOptions {
  readonly db?: string;
  readonly catalog?: string;
  readonly format: "text" | "json";
  readonly force?: boolean;
}

/** `backup FILE`: a copy of the database, also while an engine runs on it. */
export const defineBackup: DefineCommand = (command, terminal) => {
  addDatabaseOption(command.argument("<file>", "where the backup is written, with mode 0600"))
    .option("--catalog <dir>", "the catalog whose database in the user's state folder is meant")
    .option("--force", "replace a file of that name")
    .addOption(formatOption())
    .action(async (file: string, { force = false, format, ...named }: BackupOptions) => {
      const db = locateDatabase(named);
      const backup = await withCopyLine(terminal, "no backup was kept", (copying) =>
        backUpDatabase(db, { file, replace: force, ...copying }),
      );
      if (format === "json") printJson(terminal, backup);
      else tell(backup, terminal);
    });
};

function tell({ file, bytes, tasks, unfinished }: Backup, terminal: Terminal): void {
  terminal.stdout.write(
    [
      `${file}: ${formatBytes(bytes)}, ${tasks} tasks, ${unfinished} of them not ended`,
      "It needs no other file, and holds every secret of the database: keep it as you would a key.",
      "",
    ].join("\n"),
  );
}
