/**
 * The list of who changed what.
 *
 * Invariants:
 * 1. What is changed in the database has its entry in the same transaction; everything else has it before the method answers.
 * 2. A refused call leaves an entry with its code, and nothing of its request but what it was about.
 */
import { isEngineError } from "../../core/codes/problems.ts";
import { APP_ID } from "../../core/script/app-id.ts";
import type { AuditMethod, By } from "../api.ts";
import type { Clock, Logger } from "../ports/environment.ts";
import type { Store } from "../ports/store.ts";
import type { AuditRow } from "../ports/store-rows.ts";
import { readRequest } from "../requests.ts";
import { Actor, UNNAMED } from "./actor.ts";
import type { Deed } from "./deed.ts";

/** What a call is about, as its caller says. */
interface Subject {
  readonly appId?: string;
  readonly taskId?: string;
}

interface AuditParts {
  readonly store: Pick<Store, "keepAudit" | "task" | "together">;
  readonly clock: Pick<Clock, "now">;
  readonly logger: Logger;
}

/** Has the methods of an engine leave their entries. */
export class Audit {
  readonly #parts: AuditParts;

  constructor(parts: AuditParts) {
    this.#parts = parts;
  }

  /** Calls a method that has the entry kept with what it changes: by its turn, or by `together`. Throws `TASK_REQUEST_INVALID` for an actor that is none. */
  async change<T>(
    method: AuditMethod,
    subject: Subject,
    by: By | undefined,
    call: (deed: Deed) => T | Promise<T>,
  ): Promise<T> {
    const deed = readDeed(method, by);
    try {
      return await call(deed);
    } catch (error) {
      this.#noteRefusal(deed, subject, error);
      throw error;
    }
  }

  /** Changes something in the database that is no turn, and keeps the entry: both are there, or neither is. */
  together<T>(deed: Deed, change: () => T): T {
    return this.#parts.store.together(() => {
      const result = change();
      this.#keep(deed, {});
      return result;
    });
  }

  /** Calls a method that does something outside of the database, and keeps the entry after it. Throws as `change` does. */
  async act<T>(method: AuditMethod, subject: Subject, by: By | undefined, call: () => Promise<T>): Promise<T> {
    return this.change(method, subject, by, async (deed) => {
      const result = await call();
      this.#keep(deed, subject);
      return result;
    });
  }

  /** Changes something at once, as `together`. Throws as `change` does. */
  changeNow<T>(method: AuditMethod, by: By | undefined, change: () => T): T {
    const deed = readDeed(method, by);
    try {
      return this.together(deed, change);
    } catch (error) {
      this.#noteRefusal(deed, {}, error);
      throw error;
    }
  }

  /** Keeps an entry where the store takes it: what it is about goes on in any case. */
  note(deed: Deed, subject: Subject = {}, refused: AuditRow["refused"] = null): void {
    try {
      this.#keep(deed, subject, refused);
    } catch (error) {
      this.#parts.logger.warn({ error, ...deed, refused }, "a call was not kept in the audit list");
    }
  }

  #noteRefusal(deed: Deed, subject: Subject, error: unknown): void {
    if (isEngineError(error) && error.code !== "TASK_ENGINE_CLOSED") this.note(deed, subject, error.code);
  }

  #keep(deed: Deed, { appId, taskId }: Subject, refused: AuditRow["refused"] = null): void {
    const { store, clock } = this.#parts;
    store.keepAudit({
      ...deed,
      at: clock.now(),
      // A refused call may name anything at all.
      appId: appId !== undefined && APP_ID.test(appId) ? appId : null,
      taskId: taskId !== undefined && store.task(taskId) !== null ? taskId : null,
      refused,
    });
  }
}

function readDeed(method: AuditMethod, { actor = UNNAMED }: By = {}): Deed {
  return { actor: readRequest(Actor, actor), method };
}
