/** The beginning and the end of an engine's life. */
import type { Logger } from "./ports/environment.ts";
import type { Store } from "./ports/store.ts";
import type { JournalWriter } from "./runtime/journal-writer.ts";
import type { Runtime } from "./runtime/runtime.ts";
import type { Telemetry } from "./telemetry/telemetry.ts";

interface LifeParts {
  readonly store: Store;
  readonly runtime: Runtime;
  readonly journals: Pick<JournalWriter, "close">;
  readonly telemetry: Pick<Telemetry, "close">;
  readonly logger: Logger;
  /** Begins what goes on beside the turns; told when what was left behind is taken over. */
  readonly begin: () => void;
  /** Stops at once what goes on beside the turns; told when the engine closes. */
  readonly stop: () => void;
}

/** One life of an engine, from `recover` to `close`. */
export interface Life {
  recover: Runtime["recover"];
  /** Never rejects; every call answers the one end. */
  close(): Promise<void>;
  state(): { readonly recovered: boolean; readonly closed: boolean };
}

/** Nothing has begun before `recover`. */
export function createLife(parts: LifeParts): Life {
  return new EngineLife(parts);
}

class EngineLife implements Life {
  readonly #parts: LifeParts;
  #recovered = false;
  #closing: Promise<void> | null = null;

  constructor(parts: LifeParts) {
    this.#parts = parts;
  }

  async recover(): ReturnType<Runtime["recover"]> {
    const { store, runtime, logger, begin } = this.#parts;
    tellHowStoreWasLeft(store, logger);
    const found = await runtime.recover();
    this.#recovered = true;
    begin();
    return found;
  }

  close(): Promise<void> {
    this.#closing ??= this.#end();
    return this.#closing;
  }

  state(): { readonly recovered: boolean; readonly closed: boolean } {
    return { recovered: this.#recovered, closed: this.#closing !== null };
  }

  async #end(): Promise<void> {
    const { store, runtime, journals, telemetry, logger, stop } = this.#parts;
    try {
      stop();
      await runtime.close();
      await journals.close();
    } finally {
      telemetry.close();
      closeStore(store, logger);
    }
  }
}

/** Says how the last run ended where it matters to whoever keeps the database. */
function tellHowStoreWasLeft({ opened }: Store, logger: Logger): void {
  const { after, rolledBack, epoch } = opened;
  if (after === "unclean") logger.info({ after, epoch }, "the engine was not closed the last time");
  if (!rolledBack) return;
  const words = "the database is an older copy: what was done since it was made is unknown and left to a person";
  logger.warn({ rolledBack, epoch }, words);
}

/** A store that can't note its stop is freed all the same, and is checked at the next start as after a crash. */
function closeStore(store: Store, logger: Logger): void {
  try {
    store.close();
  } catch (error) {
    logger.warn({ error }, "the database could not note that it was closed");
  }
}
