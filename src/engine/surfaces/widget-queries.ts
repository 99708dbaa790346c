import { evaluateConditions } from "../../core/hooks/conditions.ts";
import { readMessage } from "../../core/json/read-message.ts";
import type { Dictionary, Widget } from "../../core/script/dictionary.ts";
import { createFailed, runWidget, type WidgetDeps, type WidgetReading, type WidgetRunDeps } from "./run-widget.ts";

export interface WidgetQueries {
  /**
   * The widget's result: cached for `refresh`, one query at a time, the last good one when a query fails. The context is
   * null when the app is not installed.
   */
  read(dictionary: Dictionary, widget: Widget, deps: () => Promise<WidgetDeps | null>): Promise<WidgetReading>;
  /** Kills running queries. */
  close(): void;
}

/** A failing query is not repeated sooner than this, in ms. */
const FAILURE_PAUSE_MS = 10_000;

export interface QueryDeps extends WidgetRunDeps {
  /** Told when a query has come to another result than the one before it. */
  readonly onChange?: (appId: string, widgetId: string) => void;
}

interface Slot {
  readonly key: string;
  /** Last good result. */
  good: WidgetReading | null;
  /** Newest outcome, good or bad, and until when it is served (monotonic ms). */
  newest: WidgetReading | null;
  until: number;
  running: Promise<WidgetReading> | null;
}

/** Nothing is queried before the first `read`. */
export function createWidgetQueries(options: QueryDeps): WidgetQueries {
  return new CachedQueries(options);
}

class CachedQueries implements WidgetQueries {
  readonly #options: QueryDeps;
  readonly #slots = new Map<string, Slot>();
  readonly #running = new Set<{ stop(): void }>();

  constructor(options: QueryDeps) {
    this.#options = options;
  }

  async read(dictionary: Dictionary, widget: Widget, depsOf: () => Promise<WidgetDeps | null>): Promise<WidgetReading> {
    const slot = this.#toSlot(dictionary, widget);
    let deps: WidgetDeps | null;
    try {
      deps = await depsOf();
    } catch (error) {
      return markStaleOr(createFailed(readMessage(error), []), slot.good);
    }
    if (deps === null) return createUnavailable(`"${dictionary.appId}" is not installed`);
    const { facts } = deps;
    const standing = evaluateConditions(widget.conditions, facts.apps);
    if (standing.state === "hidden") return { state: "hidden", stale: false, problems: [] };
    if (standing.state === "disabled") return createUnavailable(standing.reason);
    if (slot.newest !== null && this.#options.clock.monotonic() < slot.until) return slot.newest;
    slot.running ??= this.#refresh(slot, dictionary, widget, deps).finally(() => {
      slot.running = null;
    });
    return slot.running;
  }

  close(): void {
    for (const run of this.#running) run.stop();
  }

  /** A changed declaration or app is another slot: an old result must not stand for it. */
  #toSlot(dictionary: Dictionary, widget: Widget): Slot {
    const name = `${dictionary.appId}/${widget.id}`;
    const key = JSON.stringify([dictionary.script.version, widget]);
    const kept = this.#slots.get(name);
    if (kept?.key === key) return kept;
    const slot: Slot = { key, good: null, newest: null, until: 0, running: null };
    this.#slots.set(name, slot);
    return slot;
  }

  async #refresh(slot: Slot, dictionary: Dictionary, widget: Widget, deps: WidgetDeps): Promise<WidgetReading> {
    const reading = await runWidget(this.#options, this.#running, { dictionary, widget }, deps).catch(
      (error: unknown) => {
        this.#options.logger.warn(
          { appId: dictionary.appId, widget: widget.id, error },
          "a widget's query could not be run",
        );
        return createFailed(readMessage(error), []);
      },
    );
    const good = reading.state !== "failed";
    if (good) slot.good = reading;
    const before = slot.newest;
    slot.newest = good ? reading : markStaleOr(reading, slot.good);
    // Of a first result nobody has seen another one.
    if (before !== null && !showsTheSame(before, slot.newest)) this.#options.onChange?.(dictionary.appId, widget.id);
    slot.until =
      this.#options.clock.monotonic() +
      (good ? widget.refresh * 1000 : Math.min(widget.refresh * 1000, FAILURE_PAUSE_MS));
    return slot.newest;
  }
}

/** Whatever the moments of the queries. */
function showsTheSame({ at: _, ...one }: WidgetReading, { at: __, ...other }: WidgetReading): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

function createUnavailable(reason: string): WidgetReading {
  return { state: "unavailable", reason, stale: false, problems: [] };
}

/** The last good result marked stale with the reason, or the failure itself. */
function markStaleOr(failure: WidgetReading, good: WidgetReading | null): WidgetReading {
  if (good === null || failure.reason === undefined) return failure;
  return { ...good, stale: true, reason: failure.reason };
}
