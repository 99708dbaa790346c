import type { Mount, RunRequest, Sandbox } from "../../../sandbox/contract.ts";
import type { Problem } from "../../core/codes/problems.ts";
import { readMessage } from "../../core/codes/read-message.ts";
import { evaluateConditions } from "../../core/hooks/conditions.ts";
import { readWidgetResult, type WidgetField } from "../../core/hooks/widget-result.ts";
import type { JsonObject } from "../../core/json/json.ts";
import type { HostFacts } from "../../core/plan/host-facts.ts";
import type { Dictionary, Widget } from "../../core/script/dictionary.ts";
import type { Clock, Logger } from "../ports/environment.ts";
import type { HostApp } from "../ports/host-records.ts";

export interface WidgetDeps {
  readonly facts: HostFacts;
  readonly hostAddresses: readonly string[];
  readonly app: HostApp;
  readonly mounts: readonly Mount[];
}

/** A widget's newest result and how it stands. */
export interface WidgetReading {
  readonly state: "ready" | "needsSetup" | "hidden" | "unavailable" | "failed";
  readonly reason?: string;
  readonly stale: boolean;
  /** UTC ms of the query the fields come from. */
  readonly at?: number;
  readonly fields?: Readonly<Record<string, WidgetField>>;
  readonly problems: readonly Problem[];
}

export interface WidgetQueries {
  /**
   * The widget's result: cached for `refresh`, one query at a time, the last good one when a query fails. The context is
   * null when the app is not installed.
   */
  read(dictionary: Dictionary, widget: Widget, deps: () => Promise<WidgetDeps | null>): Promise<WidgetReading>;
  /** Kills running queries. */
  close(): void;
}

export interface WidgetQueriesOptions {
  readonly sandbox: Sandbox;
  readonly catalogRoot: string;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Ports of the LAN address that scripts may reach, as the host says now. */
  readonly appPorts: () => Promise<readonly number[]>;
  /** Whether the embedder lets this widget send more than GET and HEAD. */
  readonly trusted: (appId: string, widgetId: string) => boolean;
}

/** A failing query is not repeated sooner than this, in ms. */
const FAILURE_PAUSE_MS = 10_000;

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
export function createWidgetQueries(options: WidgetQueriesOptions): WidgetQueries {
  return new CachedQueries(options);
}

class CachedQueries implements WidgetQueries {
  readonly #options: WidgetQueriesOptions;
  readonly #slots = new Map<string, Slot>();
  readonly #running = new Set<{ stop(): void }>();

  constructor(options: WidgetQueriesOptions) {
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

  async #query(dictionary: Dictionary, widget: Widget, deps: WidgetDeps): Promise<WidgetReading> {
    const { appId } = dictionary;
    const { sandbox, clock, logger } = this.#options;
    const compiled = await sandbox.compile({
      app: appId,
      root: this.#options.catalogRoot,
      source: widget.source,
      entrypoint: widget.entrypoint,
      label: `${appId}.json#${widget.id}`,
    });
    if (!compiled.ok)
      return createFailed(compiled.problems[0]?.message ?? "the script does not compile", compiled.problems);
    const at = clock.now();
    const request: RunRequest = {
      runId: `widget:${appId}/${widget.id}:${at}`,
      kind: "widget",
      script: compiled.script,
      entrypoint: widget.entrypoint,
      context: buildContext(appId, deps),
      secrets: [],
      wallMs: widget.timeout * 1000,
      network: {
        lanIp: deps.facts.lanIp,
        lanPorts: this.#options.appPorts,
        hostAddresses: deps.hostAddresses,
        internet: !dictionary.custom,
        readOnly: !this.#options.trusted(appId, widget.id),
      },
      mounts: deps.mounts,
      seed: `${appId}/${widget.id}:${at}`,
    };
    const run = sandbox.run(request, {
      call: async ({ kind }) => {
        throw new Error(`a widget can't call "${kind}"`);
      },
      log: (line) => logger.debug({ appId, widget: widget.id, line }, "widget log"),
      audit: (record) => logger.debug({ appId, widget: widget.id, ...record }, "widget access"),
    });
    this.#running.add(run);
    const outcome = await run.outcome.finally(() => this.#running.delete(run));
    if (outcome.status === "failed") return createFailed(outcome.message, []);
    const result = readWidgetResult(widget, outcome.result);
    switch (result.kind) {
      case "needsSetup":
        return { state: "needsSetup", reason: result.reason, stale: false, at, problems: [] };
      case "invalid":
        return createFailed(result.message, []);
      case "fields":
        return { state: "ready", stale: false, at, fields: result.fields, problems: result.problems };
    }
  }

  async #refresh(slot: Slot, dictionary: Dictionary, widget: Widget, deps: WidgetDeps): Promise<WidgetReading> {
    const reading = await this.#query(dictionary, widget, deps).catch((error: unknown) => {
      this.#options.logger.warn(
        { appId: dictionary.appId, widget: widget.id, error },
        "a widget's query could not be run",
      );
      return createFailed(readMessage(error), []);
    });
    const good = reading.state !== "failed";
    if (good) slot.good = reading;
    slot.newest = good ? reading : markStaleOr(reading, slot.good);
    slot.until =
      this.#options.clock.monotonic() +
      (good ? widget.refresh * 1000 : Math.min(widget.refresh * 1000, FAILURE_PAUSE_MS));
    return slot.newest;
  }
}

function buildContext(appId: string, { facts, app, mounts }: WidgetDeps): JsonObject {
  return {
    appId,
    host: facts.lanIp,
    ...(app.port !== undefined && { port: app.port }),
    mounts: mounts.map(({ hostPath, containerPath, localPath }) => ({ hostPath, containerPath, localPath })),
  };
}

function createUnavailable(reason: string): WidgetReading {
  return { state: "unavailable", reason, stale: false, problems: [] };
}

function createFailed(reason: string, problems: readonly Problem[]): WidgetReading {
  return { state: "failed", reason, stale: false, problems };
}

/** The last good result marked stale with the reason, or the failure itself. */
function markStaleOr(failure: WidgetReading, good: WidgetReading | null): WidgetReading {
  if (good === null || failure.reason === undefined) return failure;
  return { ...good, stale: true, reason: failure.reason };
}
