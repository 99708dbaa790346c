/** Logs refused requests. Strangers can send thousands a second, so most are counted and logged together. */
import type { Code } from "../core/codes/code.ts";
import type { Logger } from "../engine/ports/environment.ts";

/** A refused request; `id` is its `x-request-id`, `path` has no query. */
export interface Refused {
  readonly id?: string;
  readonly method: string;
  readonly path: string;
  readonly code: Code;
  /** Address of the client. */
  readonly client: string;
}

/** Ms over which refusals of one code are counted. */
const PERIOD_MS = 60_000;
/** Characters of a path in the log; a request's head may have 64 KB. */
const PATH_LIMIT = 200;

/** Logs the first refusal of each code at once, and once a minute the number of those that followed. */
export class RefusalLog {
  readonly #logger: Logger;
  /** Refusals since the line of their code. */
  readonly #counts = new Map<Code, number>();
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(logger: Logger) {
    this.#logger = logger;
  }

  note({ path, code, ...rest }: Refused): void {
    const count = this.#counts.get(code);
    this.#counts.set(code, count === undefined ? 0 : count + 1);
    if (count === undefined) this.#logger.warn({ ...rest, path: cutPath(path), code }, "request refused");
    this.#timer ??= setTimeout(() => this.flush(), PERIOD_MS).unref();
  }

  /** Logs the numbers now, e.g. when the server closes. */
  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const more = [...this.#counts].filter(([, count]) => count > 0);
    this.#counts.clear();
    if (more.length > 0) this.#logger.warn({ refused: Object.fromEntries(more) }, "more requests refused");
  }
}

/** A path as the log shows it. */
export function cutPath(path: string): string {
  return path.length > PATH_LIMIT ? `${path.slice(0, PATH_LIMIT)}… (${path.length} characters)` : path;
}
