import type { TaskRow } from "../../engine/ports/store-rows.ts";

const CACHED_ROWS = 256;

/** The rows written last, so that a turn need not read what the turn before it wrote. Every write goes through `commit`. */
export class RowCache {
  readonly #rows = new Map<string, TaskRow>();

  get(id: string): TaskRow | undefined {
    return this.#rows.get(id);
  }

  put(row: TaskRow): void {
    this.#rows.delete(row.id);
    this.#rows.set(row.id, row);
    const [oldest] = this.#rows.keys();
    if (this.#rows.size > CACHED_ROWS && oldest !== undefined) this.#rows.delete(oldest);
  }
}
