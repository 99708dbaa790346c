/** `notifications`: what people were told, from a database or a running service. */
import type { NotificationView } from "../../engine/api.ts";
import type { DefineCommand } from "../command.ts";
import { addTaskOptions, type TaskOptions, withReader, withTasks } from "../options/task-connection.ts";
import { renderNotificationLine } from "../ui/notification-text.ts";
import { printJson } from "../ui/terminal.ts";

interface NotificationOptions extends TaskOptions {
  readonly unread?: boolean;
  readonly markRead?: boolean;
}

/** `notifications`. */
export const defineNotifications: DefineCommand = (command, terminal) => {
  addTaskOptions(command)
    .option("--unread", "only those nobody has marked as read")
    .option("--mark-read", "mark every one as read once it is listed")
    .action(async (options: NotificationOptions) => {
      const print = (notifications: readonly NotificationView[]): void => {
        if (options.format === "json") printJson(terminal, { notifications });
        else
          for (const notification of notifications) terminal.stdout.write(`${renderNotificationLine(notification)}\n`);
      };
      const unread = options.unread === true;
      if (options.markRead !== true) {
        return withReader(options, async (reader) => print(await reader.notifications(unread)));
      }
      await withTasks(options, terminal, async (service) => {
        const listed = await service.notifications(unread);
        await service.readNotifications();
        print(listed);
      });
    });
};
