/** Moments at which an engine may die, and the deaths one run of an app is to see. */
import type { FatalWrite } from "../world/mortal-store.ts";
import { nameHook, nameTask } from "./name-task.ts";

/** Where an engine dies: before or after a write, or with an answer in its hands. The same in every run of an app, whatever its ids and times are. */
export interface Moment {
  readonly key: string;
  /** The hook that is at work; null: none is. */
  readonly hookId: string | null;
  /** As the end of "where the engine dies ...". */
  readonly words: string;
}

/** Has engines die at planned moments, each once, and lists the moments that came. */
export class Deaths {
  readonly #appId: string;
  readonly #planned: Set<string>;
  readonly #came = new Map<string, Moment>();
  readonly #died: Moment[] = [];
  /** How often each kind of write was made. */
  readonly #made = new Map<string, number>();
  readonly #hookOfTask = new Map<string, string | null>();

  /** `appId` is whose crashes these are: tasks of other apps are named with theirs. */
  constructor(planned: readonly Moment[], appId: string) {
    this.#appId = appId;
    this.#planned = new Set(planned.map(({ key }) => key));
  }

  diesBefore(write: FatalWrite): boolean {
    return this.#pass("before", write);
  }

  diesAfter(write: FatalWrite): boolean {
    const dies = this.#pass("after", write);
    const name = this.#describe(write)?.name;
    if (name !== undefined) this.#made.set(name, (this.#made.get(name) ?? 0) + 1);
    return dies;
  }

  /** Asked when the app has answered a request of a hook: whether the engine dies with that answer. */
  diesAtAnswer(hookId: string, request: string): boolean {
    const name = `the answer to ${request} of ${nameHook(hookId)}`;
    const count = (this.#made.get(name) ?? 0) + 1;
    const dies = this.#come({
      key: `at ${name} ${count}`,
      hookId,
      words: `with ${withCount(name, count)} come and not on disk`,
    });
    // the next engine may send it again
    if (!dies) this.#made.set(name, count);
    return dies;
  }

  /** Every moment that came, in their order. */
  moments(): readonly Moment[] {
    return [...this.#came.values()];
  }

  /** Those an engine died at, in their order. */
  died(): readonly Moment[] {
    return this.#died;
  }

  /** Whether a hook came to where a crash has it begin again. */
  cannotGoOn(hookId: string): boolean {
    return this.moments().some((moment) => moment.hookId === hookId && moment.key.includes('"run.notResumable"'));
  }

  #pass(when: "before" | "after", write: FatalWrite): boolean {
    const described = this.#describe(write);
    if (described === null) return false;
    const { hookId, name } = described;
    const count = (this.#made.get(name) ?? 0) + 1;
    return this.#come({
      key: `${when} ${name} ${count}`,
      hookId,
      words: `${when} ${withCount(name, count)} is on disk`,
    });
  }

  #come(moment: Moment): boolean {
    this.#came.set(moment.key, moment);
    if (!this.#planned.delete(moment.key)) return false;
    this.#died.push(moment);
    return true;
  }

  /** null: what is only counted, as lives are. */
  #describe(write: FatalWrite): { readonly hookId: string | null; readonly name: string } | null {
    if (write.kind === "journals") {
      const hookId = this.#hookOfTask.get(write.writes[0]?.taskId ?? "") ?? null;
      return { hookId, name: `a step of ${hookId === null ? "a hook" : nameHook(hookId)}` };
    }
    const { tasks, log } = write.turn;
    for (const { row } of tasks) if (row.kind !== "checkpoint") this.#hookOfTask.set(row.id, row.hookId);
    const row = tasks.find(({ row: { kind } }) => kind !== "checkpoint")?.row;
    const [entry] = log;
    if (row === undefined || entry === undefined) return null;
    return { hookId: row.hookId, name: `"${entry.event.type}" of ${nameTask(row, this.#appId)}` };
  }
}

function withCount(name: string, count: number): string {
  return count === 1 ? name : `${name} (${count})`;
}
