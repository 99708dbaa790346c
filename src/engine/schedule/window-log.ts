import { readMessage } from "../../core/json/read-message.ts";
import type { Logger } from "../ports/environment.ts";

/** What is told of: a window, or all of a schedule where none is known. */
interface About {
  readonly id: string;
  /** UTC ms. */
  readonly opened?: number;
}

/** Says why scheduled upgrades don't begin: each cause once in a window, which is tried again every minute. */
export class WindowLog {
  readonly #logger: Logger;
  readonly #told = new Map<string, { readonly opened: number | undefined; readonly causes: Set<string> }>();

  constructor(logger: Logger) {
    this.#logger = logger;
  }

  /** It is tried again, where it is not over by now. */
  tell(about: About, error: unknown, { isOver = false } = {}): void {
    const reason = readMessage(error);
    const last = this.#told.get(about.id);
    const causes = last !== undefined && last.opened === about.opened ? last.causes : new Set<string>();
    this.#told.set(about.id, { opened: about.opened, causes });
    if (causes.has(reason)) return;
    causes.add(reason);
    const next = isOver ? "its window has passed" : "is tried again";
    this.#logger.warn({ ...name(about), reason, error }, `a scheduled upgrade was not begun, and ${next}`);
  }

  /** It is over. */
  tellMissed(about: About): void {
    this.#logger.warn(name(about), "a window of scheduled upgrades has passed, and nothing was begun in it");
  }
}

function name({ id, opened }: About): Readonly<Record<string, unknown>> {
  return { schedule: id, ...(opened !== undefined && { window: new Date(opened).toISOString() }) };
}
