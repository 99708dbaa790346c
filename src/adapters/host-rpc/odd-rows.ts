/**
 * Lists of the host whose rows are read one by one: a row that can't be read is left out, and never hides the others.
 *
 * Use it for lists the engine shows, offers or advises from. A list the engine decides from (what to remove, to send again, to
 * keep from scripts) is read as a whole: one bad row fails the call (docs/host-api.md, section 2).
 */
import { z } from "zod";
import type { Logger } from "../../engine/ports/environment.ts";

/** Oddities remembered, so that each is logged once: lists are asked for again and again. */
const MOST_LOGGED = 1_000;

/** Reads such lists, and logs what could not be read. */
export class OddRows {
  readonly #logger: Logger;
  readonly #logged = new Set<string>();

  constructor(logger: Logger) {
    this.#logger = logger;
  }

  /** The rows of an answer to `method` that can be read. */
  list<S extends z.ZodType>(method: string, row: S) {
    return z.array(z.unknown()).transform((rows) =>
      rows.flatMap((value, at) => {
        const read = row.safeParse(value);
        if (!read.success) this.tell(method, nameRow(value, String(at)), [explainIssue(read.error)]);
        return read.success ? [read.data] : [];
      }),
    );
  }

  /** The same of an answer that has its rows by name. */
  record<S extends z.ZodType>(method: string, row: S) {
    return z.record(z.string(), z.unknown()).transform((rows) =>
      Object.entries(rows).flatMap(([name, value]) => {
        const read = row.safeParse(value);
        if (!read.success) this.tell(method, name, [explainIssue(read.error)]);
        return read.success ? [[name, read.data] as const] : [];
      }),
    );
  }

  /** Logs what was odd about a row, once. */
  tell(method: string, name: string, odd: readonly string[]): void {
    const key = JSON.stringify([method, name, odd]);
    if (this.#logged.has(key)) return;
    if (this.#logged.size === MOST_LOGGED) this.#logged.clear();
    this.#logged.add(key);
    this.#logger.warn({ method, name, odd }, "a part of the host's answer is not understood and is left out");
  }
}

/** The name or id of a row; else `fallback`. */
export function nameRow(row: unknown, fallback: string): string {
  if (typeof row !== "object" || row === null) return fallback;
  const name = ["name", "id"].map((key) => Reflect.get(row, key)).find((one) => typeof one === "string");
  return typeof name === "string" ? name : fallback;
}

/** Where a row is odd, and how; never its values, which may be secrets. */
function explainIssue({ issues: [issue] }: z.ZodError): string {
  return issue === undefined ? "" : `${issue.path.join(".")}: ${issue.message}`;
}
