/**
 * How the host stands, by what became of every call: since when it does not answer, and why.
 *
 * Invariants:
 * 1. Nobody waits for it: it is read from what is known, and a question of its own is asked by `look` alone.
 * 2. Any answer means that the host is there; a call that takes long means nothing while another one is answered.
 * 3. The log says once that the host is away, and once that it is back.
 */
import { HostError, isHostAway } from "../host-error.ts";
import type { Clock, Logger } from "../ports/environment.ts";
import type { Host } from "../ports/host.ts";
import type { HostFault } from "../ports/host-records.ts";
import { observeCalls } from "./observe-calls.ts";

/** Ms after which a host is taken for silent that has answered nothing since it was asked for a sign of life. */
const SILENT_MS = 2_000;

/** How the host stands, as far as is known. Times are UTC ms, null where there was none. */
export interface HostStanding {
  /** It has answered, and nothing that was asked since has failed for its being away. */
  readonly reachable: boolean;
  /** Why not; null while it is reachable and before the first answer. */
  readonly fault: HostFault | null;
  /** Since when not. */
  readonly since: number | null;
  /** When it was last called, or a connection to it tried. */
  readonly attempted: number | null;
  readonly answered: number | null;
  /** State of its apps service when last asked. */
  readonly appsService: string | null;
}

/** A host whose calls are watched. */
export interface HostWatch {
  /** The host itself, every call of it taken note of. */
  readonly host: Host;
  standing(): HostStanding;
  /** Asks for a sign of life, unless one is awaited; resolves with the end of the question. Never rejects. */
  look(): Promise<void>;
  close(): void;
}

/** Asks nothing before the first `look`; `onReturn` is told of the first answer of a host that was away. */
export function watchHost(host: Host, clock: Clock, logger: Logger, onReturn: () => void = () => {}): HostWatch {
  return new Watched(host, clock, logger, onReturn);
}

class Watched implements HostWatch {
  readonly host: Host;
  readonly #asked: Host;
  readonly #clock: Clock;
  readonly #logger: Logger;
  readonly #onReturn: () => void;
  #answered: number | null = null;
  #attempted: number | null = null;
  #away: { readonly fault: HostFault; readonly since: number } | null = null;
  #appsService: string | null = null;
  #looking: Promise<void> | null = null;
  #stopTimer = () => {};

  constructor(host: Host, clock: Clock, logger: Logger, onReturn: () => void) {
    this.#asked = host;
    this.#clock = clock;
    this.#logger = logger;
    this.#onReturn = onReturn;
    this.host = observeCalls(host, (answer) => this.#observe(answer));
  }

  standing(): HostStanding {
    const way = this.#asked.connection?.();
    const away = way !== undefined && !way.connected && way.fault !== null ? way : this.#away;
    const attempts = [this.#attempted, way?.attempted ?? null].filter((at) => at !== null);
    return {
      reachable: away === null && this.#answered !== null,
      fault: away?.fault ?? null,
      since: away?.since ?? null,
      attempted: attempts.length === 0 ? null : Math.max(...attempts),
      answered: this.#answered,
      appsService: this.#appsService,
    };
  }

  look(): Promise<void> {
    this.#looking ??= this.#askForSign().finally(() => {
      this.#looking = null;
    });
    return this.#looking;
  }

  close(): void {
    this.#stopTimer();
  }

  async #askForSign(): Promise<void> {
    const since = this.#clock.now();
    this.#stopTimer();
    this.#stopTimer = this.#clock.after(SILENT_MS, () => {
      const reason = `the host has answered nothing for ${SILENT_MS} ms`;
      this.#noteAway({ code: "HOST_TIMEOUT", reason, fields: [], retryable: true }, since);
    });
    try {
      this.#appsService = (await this.host.appsService()).status;
    } catch {
      // What it means has been taken note of.
    }
  }

  async #observe(answer: Promise<unknown>): Promise<void> {
    const at = this.#clock.now();
    this.#attempted = at;
    try {
      await answer;
      this.#noteAnswer();
    } catch (error) {
      if (isHostAway(error)) this.#noteAway(error.fault, at);
      else if (!(error instanceof HostError) || error.delivery === "yes") this.#noteAnswer();
    }
  }

  #noteAnswer(): void {
    this.#stopTimer();
    this.#answered = this.#clock.now();
    if (this.#away === null) return;
    const { fault, since } = this.#away;
    this.#away = null;
    this.#logger.info({ code: fault.code, awayMs: this.#answered - since }, "the host answers again");
    this.#onReturn();
  }

  #noteAway(fault: HostFault, at: number): void {
    this.#stopTimer();
    const before = this.#away;
    this.#away = { fault, since: before?.since ?? at };
    if (before?.fault.code === fault.code) return;
    const since = new Date(this.#away.since).toISOString();
    this.#logger.warn({ code: fault.code, reason: fault.reason, since }, "the host does not answer");
  }
}
