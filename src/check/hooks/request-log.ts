import type { AppAnswer } from "../../standin/apps/answers.ts";
import type { Coverage } from "../coverage.ts";
import type { AskedRequest } from "../world/faked-io.ts";

/** What scripts asked an app's fake for. */
export class RequestLog {
  readonly #requests: readonly AskedRequest[];

  constructor(requests: readonly AskedRequest[]) {
    this.#requests = requests;
  }

  /** Requests without a row, each once, queries left out. */
  listUnanswered(): readonly Pick<AskedRequest, "method" | "path">[] {
    const open = this.#requests.filter(({ row }) => row === null);
    const asked = open.map(({ method, path }) => ({ method, path: path.split("?")[0] ?? path }));
    return [...new Map(asked.map((one) => [`${one.method} ${one.path}`, one])).values()];
  }

  /** The rows that were asked for, of those there are. */
  coverage(rows: readonly AppAnswer[]): Coverage {
    const asked = new Set(this.#requests.map(({ row }) => row));
    const missed = rows.filter((row) => !asked.has(row));
    const shown = missed.map(({ method = "any method", path }) => `${method} ${path}`);
    return { of: "requests", reached: rows.length - missed.length, all: rows.length, missed: shown };
  }
}
