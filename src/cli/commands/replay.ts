import { machines } from "../../../machines/index.ts";
import { openReader } from "../../adapters/store-sqlite/open-store.ts";
import { createTaskUnknownError } from "../../core/codes/common-errors.ts";
import { type Replay, replayTask } from "../../engine/replay/replay.ts";
import type { DefineCommand } from "../command.ts";
import { EXIT } from "../ui/exit.ts";
import { formatOption } from "../ui/format.ts";
import { printJson } from "../ui/terminal.ts";

/**
 * `slipway replay DB TASK`: folds the events of a task and of every task under it through the present machines. JSON:
 * `{tasks: [{taskId, machine, steps, difference}]}`; exit 1 when any step leads elsewhere than it did.
 */
export const defineReplay: DefineCommand = (command, terminal) => {
  command
    .argument("<db>", "database file; may be in use")
    .argument("<task>", "task id")
    .addOption(formatOption())
    .action((db: string, taskId: string, { format }: { readonly format: string }) => {
      const reads = openReader(db);
      try {
        const tree = reads.tree(taskId).filter(({ id }) => id === taskId || id.startsWith(`${taskId}~`));
        if (tree.length === 0) throw createTaskUnknownError(taskId);
        const tasks = tree.map((row) => replayTask(reads, machines, row));
        if (tasks.some(({ difference }) => difference !== null)) terminal.exitCode = EXIT.failed;
        if (format === "json") printJson(terminal, { tasks });
        else terminal.stdout.write(tasks.map((replay) => `${describe(replay)}\n`).join(""));
      } finally {
        reads.close();
      }
    });
};

function describe({ taskId, machine, steps, difference }: Replay): string {
  if (difference === null) return `${taskId}  ${machine}  ${steps} steps, all as stored`;
  const { seq, rev, event, what, at, stored, replayed } = difference;
  return [
    `${taskId}  ${machine}  differs at step ${rev} (log entry ${seq}, event "${event}") in its ${what}${at === undefined ? "" : ` at ${at}`}`,
    `  stored   ${JSON.stringify(stored)}`,
    `  replayed ${JSON.stringify(replayed)}`,
  ].join("\n");
}
