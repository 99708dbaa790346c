/** What is worth a screen reader's word: tasks that begin to ask or end, and a connection that goes or comes back. */
import type { ConnectionState } from "../../api/follow-events.ts";
import type { Task } from "../../api/types.ts";
import { type Group, summarize } from "../../state/task-summary.ts";
import type { Words } from "../../ui/words.ts";

interface Noticed {
  readonly isLoaded: boolean;
  readonly connection: ConnectionState;
  readonly tasks: readonly Task[];
}

export class Announcer {
  #groups: ReadonlyMap<string, Group> | undefined;
  #connection: ConnectionState = "connecting";

  /** The news since the last time; undefined where there is none. What was there at first is none. */
  notice({ isLoaded, connection, tasks }: Noticed, words: Words): string | undefined {
    const before = this.#connection;
    this.#connection = connection;
    if (connection !== before && (connection === "lost" || before === "lost")) return words.app.connections[connection];
    if (!isLoaded) return undefined;
    const known = this.#groups;
    this.#groups = new Map(tasks.map((task) => [task.id, summarize(task).group]));
    const news = tasks.flatMap((task) => {
      const { group } = summarize(task);
      const was = known?.get(task.id);
      if (known === undefined || was === group) return [];
      // A finished task that was not known is one of an older page.
      if (group === "asks") return [words.app.asks(task.title)];
      return group === "finished" && was !== undefined
        ? [words.app.ended(task.title, words.task.states[task.state])]
        : [];
    });
    return news.length === 0 ? undefined : news.join(". ");
  }
}
