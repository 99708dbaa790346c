import { type AppAnswer, findAnswer } from "../../standin/apps/answers.ts";
import { type LeavingRequest, nameRequest, READING_METHODS, type Weather } from "../world/weather.ts";

/** Methods that may arrive twice without harm: reads, and those that put things into one state. */
const REPEATABLE: readonly string[] = [...READING_METHODS, "PUT", "DELETE"];

/** Requests of hooks that may change something each time they arrive, as often as they left. */
export class SentRequests {
  readonly #rows: readonly AppAnswer[];
  readonly #atWork: () => string | null;
  readonly #sent = new Map<string, Map<string, number>>();
  #last: string | null = null;

  /** `rows` are those of the fake: requests one row answers are of one kind, whatever stands in their paths. */
  constructor(rows: readonly AppAnswer[], atWork: () => string | null) {
    this.#rows = rows;
    this.#atWork = atWork;
  }

  /** Counts, and lets everything pass. */
  readonly weather: Weather = (request) => {
    const kind = this.#toKind(request);
    this.#last = kind;
    const hookId = this.#atWork();
    if (hookId === null || REPEATABLE.includes(request.method)) return null;
    const own = this.#sent.get(hookId) ?? new Map<string, number>();
    own.set(kind, (own.get(kind) ?? 0) + 1);
    this.#sent.set(hookId, own);
    return null;
  };

  /** The hook that has sent a request which may change something, and the kind of it; null for every other. */
  whose(request: LeavingRequest): { readonly hookId: string; readonly kind: string } | null {
    const hookId = READING_METHODS.includes(request.method) ? null : this.#atWork();
    return hookId === null ? null : { hookId, kind: this.#toKind(request) };
  }

  /** How often each kind of request of a hook has left. */
  of(hookId: string): ReadonlyMap<string, number> {
    return this.#sent.get(hookId) ?? new Map();
  }

  /** What left last; null: nothing has. */
  last(): string | null {
    return this.#last;
  }

  #toKind(request: LeavingRequest): string {
    const { method, url } = request;
    const { pathname, search } = new URL(url);
    const find = (path: string) => findAnswer(this.#rows, { method, path }, new Map());
    const row = find(`${pathname}${search}`) ?? find(url);
    return row === undefined ? nameRequest(request) : `${method} ${row.path}`;
  }
}
