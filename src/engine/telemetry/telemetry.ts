/**
 * What an engine tells OpenTelemetry, by its API alone: traces of tasks, and metrics. It is wrapped around the ports and told
 * of commits; nothing else knows of it (docs/operating.md, "Traces and metrics").
 */
import type { Context, MeterProvider, TracerProvider } from "@opentelemetry/api";
import type { Sandbox } from "../../../sandbox/contract.ts";
import type { Clock } from "../ports/environment.ts";
import type { Host } from "../ports/host.ts";
import type { Store } from "../ports/store.ts";
import type { EffectHandler } from "../runtime/effect.ts";
import type { CommittedTurn, Runtime } from "../runtime/runtime.ts";
import { Metering } from "./metering.ts";
import { readState } from "./read-state.ts";
import { TaskSpans } from "./task-spans.ts";
import { traceEffects } from "./trace-effects.ts";
import { traceHost } from "./trace-host.ts";
import { traceSandbox } from "./trace-sandbox.ts";
import { Tracing } from "./tracing.ts";

/** Where an engine's traces and metrics go; default: the providers registered with OpenTelemetry's API, if any. */
export interface TelemetrySettings {
  readonly tracerProvider?: TracerProvider;
  /** The registered one is asked for once, as the engine is made. */
  readonly meterProvider?: MeterProvider;
}

/** The telemetry of one engine. */
export class Telemetry {
  readonly host: Host;
  readonly sandbox: Sandbox;
  readonly #store: Store;
  readonly #tracing: Tracing;
  readonly #metering: Metering;
  readonly #tasks: TaskSpans;
  readonly #running = new Map<string, Context>();
  #stopReading = () => {};

  constructor(store: Store, host: Host, sandbox: Sandbox, { tracerProvider, meterProvider }: TelemetrySettings = {}) {
    this.#store = store;
    this.#tracing = new Tracing(tracerProvider);
    this.#metering = new Metering(meterProvider);
    this.#tasks = new TaskSpans(store, this.#tracing, this.#metering);
    this.host = traceHost(host, this.#tracing, this.#metering);
    const spans = { tracing: this.#tracing, metering: this.#metering, running: this.#running };
    this.sandbox = traceSandbox(sandbox, spans);
  }

  /** The same handlers, each of their calls a span. */
  effects(handlers: Readonly<Record<string, EffectHandler>>): Readonly<Record<string, EffectHandler>> {
    return traceEffects(handlers, { tracing: this.#tracing, tasks: this.#tasks, running: this.#running });
  }

  committed(turn: CommittedTurn): void {
    this.#tasks.note(turn);
  }

  /** From now on the state is read whenever somebody collects metrics. */
  readFrom(runtime: Pick<Runtime, "load">, clock: Pick<Clock, "now">): void {
    const { host, sandbox } = this;
    const sources = { store: this.#store, runtime, host, sandbox, clock };
    this.#stopReading = this.#metering.read(() => readState(sources));
  }

  /** Ends every span and reads no more. */
  close(): void {
    this.#stopReading();
    this.#tasks.close();
  }
}
