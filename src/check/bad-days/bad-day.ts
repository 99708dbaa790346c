/** One bad day of an app: which requests are struck, and what each hook made of it. */
import { type Blow, nameRequest, READING_METHODS, type Weather } from "../world/weather.ts";

/** A kind of bad day. */
export interface Day {
  /** As the end of "where the app ...". */
  readonly name: string;
  readonly blow: Blow;
  /** Whether requests of one hook are refused whatever they are for until it has asked this often; null: each once. */
  readonly first: number | null;
  /** What a person presses. */
  readonly pressed: "retry" | "skip";
}

/** The days every hook lives through. */
export const DAYS: readonly Day[] = [
  { name: "answers 500", blow: "answers 500", first: null, pressed: "retry" },
  { name: "answers nothing", blow: "hangs", first: null, pressed: "retry" },
  { name: "closes the connection", blow: "closes", first: null, pressed: "retry" },
  { name: "comes up late", blow: "closes", first: 3, pressed: "retry" },
  { name: "answers 500", blow: "answers 500", first: null, pressed: "skip" },
];

/** How often a request is struck that is asked again: the second strike is for whoever tries again by itself. */
const STRIKES: Readonly<Record<Blow, number>> = { "answers 500": 2, hangs: 1, closes: 2 };

/** Strikes the requests of hooks, each kind of request of each hook for a while, and remembers. */
export class BadDay {
  readonly #day: Day;
  /** The hook at work; requests of no hook pass. */
  readonly #atWork: () => string | null;
  readonly #hooks = new Map<string, HookDay>();
  #isOver = false;

  constructor(day: Day, atWork: () => string | null) {
    this.#day = day;
    this.#atWork = atWork;
  }

  /** Decides about a request. */
  readonly weather: Weather = (request) => {
    const hook = this.#atWork();
    if (hook === null || this.#isOver) return null;
    const name = nameRequest(request);
    const { struck, passed } = this.#of(hook);
    if (this.#isSpent(struck, name)) {
      passed.add(name);
      return null;
    }
    struck.set(name, (struck.get(name) ?? 0) + 1);
    this.#of(hook).last = name;
    return this.#day.blow;
  };

  /** From now on every request passes. */
  end(): void {
    this.#isOver = true;
  }

  /** The last request of a hook that was struck since this was asked before; null where none was. */
  takeStruck(hook: string): string | null {
    const { last } = this.#of(hook);
    this.#of(hook).last = null;
    return last;
  }

  /** Requests of a hook that were to change something, were struck, and were never made again. */
  listLost(hook: string): readonly string[] {
    const { struck, passed } = this.#of(hook);
    const changing = [...struck.keys()].filter(
      (name) => !READING_METHODS.some((method) => name.startsWith(`${method} `)),
    );
    return changing.filter((name) => !passed.has(name));
  }

  #of(hook: string): HookDay {
    const known = this.#hooks.get(hook);
    if (known !== undefined) return known;
    const day: HookDay = { struck: new Map(), passed: new Set(), last: null };
    this.#hooks.set(hook, day);
    return day;
  }

  #isSpent(struck: ReadonlyMap<string, number>, name: string): boolean {
    const { first, blow } = this.#day;
    if (first !== null) return [...struck.values()].reduce((sum, times) => sum + times, 0) >= first;
    return (struck.get(name) ?? 0) >= STRIKES[blow];
  }
}

/** What became of one hook's requests, by their names. */
interface HookDay {
  readonly struck: Map<string, number>;
  readonly passed: Set<string>;
  /** Struck last, and not yet taken. */
  last: string | null;
}
