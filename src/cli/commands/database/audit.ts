/** `audit`: who changed what, from a database or a running service. */
import type { AuditEntry, AuditRange } from "../../../engine/api.ts";
import type { DefineCommand } from "../../command.ts";
import { addTaskOptions, type TaskOptions, withReader } from "../../options/task-connection.ts";
import { printJson } from "../../ui/terminal.ts";

interface AuditOptions extends TaskOptions {
  readonly app?: string;
  readonly task?: string;
  readonly actor?: string;
  readonly before?: number;
  readonly limit?: number;
}

/** `audit`. */
export const defineAudit: DefineCommand = (command, terminal) => {
  addTaskOptions(command)
    .option("--app <appId>", "only what was done to this app")
    .option("--task <id>", "only what was done about this task")
    .option("--actor <id>", "only what the actor of this id did")
    .option("--before <number>", "only what is older than this entry", Number)
    .option("--limit <n>", "most entries (default: 100)", Number)
    .action(async (options: AuditOptions) => {
      const { app, task, actor, before, limit, format } = options;
      const range: AuditRange = {
        ...(app !== undefined && { appId: app }),
        ...(task !== undefined && { taskId: task }),
        ...(actor !== undefined && { actorId: actor }),
        ...(before !== undefined && { before }),
        ...(limit !== undefined && { limit }),
      };
      await withReader(options, async (reader) => {
        const entries = await reader.audit(range);
        if (format === "json") printJson(terminal, { entries });
        else for (const entry of entries) terminal.stdout.write(`${entry.number}  ${renderAuditLine(entry)}\n`);
      });
    });
};

/** An entry of the audit list as one line: when, who, what, and why it was refused. */
function renderAuditLine({ at, actor, method, appId, taskId, refused }: AuditEntry): string {
  const about = [appId, taskId].filter((part) => part !== undefined).join(" ");
  const outcome = refused === undefined ? "" : `  refused: ${refused}`;
  const who = `${actor.name} (${actor.how}, ${actor.id})`;
  return `${at}  ${who}  ${method}${about === "" ? "" : ` ${about}`}${outcome}`;
}
