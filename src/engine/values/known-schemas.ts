/**
 * The schemas of apps as the host answers them, to hold values against.
 *
 * Invariants:
 * 1. Nothing waits long for a schema, and nothing fails for the lack of one: it is then null, and values are not judged.
 * 2. One task asks once: an answer is kept, and so is that there was none.
 */
import { readHostQuestions } from "../../core/app-values/host-questions.ts";
import type { AppSchema } from "../../core/app-values/question.ts";
import type { Clock, Logger } from "../ports/environment.ts";
import type { Host } from "../ports/host.ts";
import type { AppVersion } from "../ports/host-records.ts";
import { answerIfSoon } from "../standing/answer-promptly.ts";

/** Ms a schema is waited for: the host reads it from its catalog. */
const PATIENCE_MS = 5_000;
/** The same for a minute after the host was late with one. */
const LATE_PATIENCE_MS = 200;
const LATE_MS = 60_000;
/** Ms an answer is kept: what the host fills in changes with the host. */
const KEPT_MS = 600_000;
/** Ms in which the host is not asked again after it gave no schema. */
const NONE_MS = 60_000;
/** Most answers kept. */
const MOST = 64;

/** What one version of an app accepts on this host. */
export interface KnownSchema {
  readonly schema: AppSchema;
  /** Ids of the host's certificates; absent if the app has no use for one. */
  readonly certificates?: readonly number[];
  /** The version may rewrite the values of an older one before it looks at them. */
  readonly migrates: boolean;
}

interface Asked {
  readonly answer: Promise<KnownSchema | null>;
  /** Monotonic ms. */
  until: number;
}

/** Asks a host for schemas, each once in a while. */
export class KnownSchemas {
  readonly #host: Pick<Host, "appQuestions">;
  readonly #clock: Clock;
  readonly #logger: Logger;
  readonly #asked = new Map<string, Asked>();
  /** Monotonic ms. */
  #lateUntil = Number.NEGATIVE_INFINITY;

  constructor(host: Pick<Host, "appQuestions">, clock: Clock, logger: Logger) {
    this.#host = host;
    this.#clock = clock;
    this.#logger = logger;
  }

  /** The schema of a version; null if the host has none or does not say it soon. Never rejects. */
  async find(app: AppVersion): Promise<KnownSchema | null> {
    const key = JSON.stringify([app.train, app.catalogApp, app.version]);
    const asked = this.#find(key) ?? this.#ask(key, app);
    const isLate = this.#clock.monotonic() < this.#lateUntil;
    const found = await answerIfSoon(this.#clock, asked.answer, isLate ? LATE_PATIENCE_MS : PATIENCE_MS);
    if (found === null) this.#lateUntil = this.#clock.monotonic() + LATE_MS;
    return found?.of ?? null;
  }

  #find(key: string): Asked | undefined {
    const asked = this.#asked.get(key);
    return asked !== undefined && asked.until > this.#clock.monotonic() ? asked : undefined;
  }

  #ask(key: string, app: AppVersion): Asked {
    const [oldest] = this.#asked.keys();
    if (oldest !== undefined && this.#asked.size >= MOST) this.#asked.delete(oldest);
    const answer = this.#read(app).then((known) => {
      asked.until = this.#clock.monotonic() + (known === null ? NONE_MS : KEPT_MS);
      return known;
    });
    const asked: Asked = { answer, until: Number.POSITIVE_INFINITY };
    this.#asked.set(key, asked);
    return asked;
  }

  async #read({ catalogApp, train, version }: AppVersion): Promise<KnownSchema | null> {
    const of = { app: catalogApp, train, version };
    try {
      const answered = await this.#host.appQuestions({ catalogApp, train, version });
      if (answered === null) return null;
      const { questions, faults, certificates } = readHostQuestions(answered.questions);
      const [fault] = faults;
      if (fault !== undefined) {
        this.#logger.warn({ ...of, ...fault }, "an app's schema is not understood: its values are not checked");
        return null;
      }
      const { migrates } = answered;
      return { schema: { ...of, questions }, migrates, ...(certificates !== undefined && { certificates }) };
    } catch (error) {
      this.#logger.info({ ...of, error }, "the host does not say what an app accepts: its values are not checked");
      return null;
    }
  }
}
