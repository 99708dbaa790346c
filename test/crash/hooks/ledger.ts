/** Judges what reaches the app of the hooks against the table of docs/hooks.md, "After a restart". */

/** How often requests of one kind came. */
export type Counts = Readonly<Record<string, { readonly calls: number; readonly sent: number }>>;

interface Call {
  readonly method: string;
  readonly body: string;
  sent: number;
  /** The life it came in last. */
  life: number;
}

const ONCE: ReadonlySet<string> = new Set(["POST", "PATCH"]);

export class Ledger {
  readonly #calls = new Map<string, Call>();
  readonly #kept = new Set<string>();
  readonly #permitted = new Set<string>();
  /** The method of each call a person has given up, by its name. */
  readonly #givenUp = new Map<string, string>();
  readonly #faults: string[] = [];
  #life = 0;
  /** Decisions about requests. */
  decisions = 0;

  get faults(): readonly string[] {
    return this.#faults;
  }

  /**
   * What changes the app, without what chance has chosen; a read may be given up before it leaves, or be a person's Skip. What
   * a person has given up is among it: the engine may have died before it arrived.
   */
  get changes(): readonly string[] {
    const methods = new Map([
      ...this.#givenUp,
      ...[...this.#calls].map(([name, { method }]) => [name, method] as const),
    ]);
    return [...methods]
      .filter(([name, method]) => method !== "GET" && name !== "chance-tails")
      .map(([name, method]) => `${method} ${name}`)
      .toSorted();
  }

  /** By method: calls, and how often they were sent. */
  get counts(): Counts {
    const counts: Record<string, Counts[string]> = {};
    for (const { method, sent } of this.#calls.values()) {
      const before = counts[method] ?? { calls: 0, sent: 0 };
      counts[method] = { calls: before.calls + 1, sent: before.sent + sent };
    }
    return counts;
  }

  /** Another process has begun. */
  beginLife(): void {
    this.#life += 1;
  }

  /** The outcomes of these calls are on the disk, as the last process has left it. */
  keep(names: readonly string[]): void {
    for (const name of names) this.#kept.add(name);
  }

  /** A person is about to decide. */
  decide(method: string, name: string, choice: "retry" | "skip"): void {
    this.decisions += 1;
    const call = this.#calls.get(name);
    if (!ONCE.has(method)) this.#fault(name, `a person was asked about a ${method}`);
    if (call !== undefined && call.method !== method)
      this.#fault(name, `asked about as ${method}, sent as ${call.method}`);
    if (mayRunAgain(name)) this.#fault(name, "a person was asked although the hook may run again");
    if (this.#kept.has(name)) this.#fault(name, "a person was asked about an outcome that was on the disk");
    if (choice === "retry") this.#permitted.add(name);
    else this.#givenUp.set(name, method);
  }

  /** A request has come. */
  receive(method: string, name: string, body: string): void {
    const call = this.#calls.get(name);
    if (call === undefined) {
      this.#calls.set(name, { method, body, sent: 1, life: this.#life });
      return;
    }
    if (call.method !== method || call.body !== body)
      this.#fault(name, `sent again as another request: ${method} ${body}`);
    if (call.life === this.#life) this.#fault(name, "sent twice by one process");
    if (this.#kept.has(name)) this.#fault(name, "sent again although its outcome was on the disk");
    if (ONCE.has(method) && !mayRunAgain(name) && !this.#permitted.delete(name)) {
      this.#fault(name, `a ${method} was sent again without a decision`);
    }
    call.sent += 1;
    call.life = this.#life;
  }

  #fault(name: string, what: string): void {
    this.#faults.push(`${name}: ${what}`);
  }
}

function mayRunAgain(name: string): boolean {
  return name.startsWith("convergent-");
}
