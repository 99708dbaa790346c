import {
  type Attributes,
  type Context,
  type Link,
  ProxyTracerProvider,
  type Span,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  type TracerProvider,
  trace,
} from "@opentelemetry/api";
import { SPANS, type SpanAttributes, type SpanName } from "./span-table.ts";
import { tellQuietly } from "./tell-quietly.ts";
import { toAttributes } from "./to-attributes.ts";

/** A span that goes on. */
export interface OpenSpan<Name extends SpanName> {
  /** Where spans below it belong. */
  readonly context: Context;
  /** Ends it, as failed where `error.type` is among the attributes. Once. */
  end(attributes?: SpanAttributes<Name>): void;
}

export interface SpanStart {
  /** What it belongs to. */
  readonly parent: Context;
  /** In place of what stands in angle brackets in its name. */
  readonly detail?: string;
  /** UTC ms; default: now. */
  readonly startTime?: number;
  readonly links?: readonly Link[];
}

/** Makes spans of the table. Without an SDK they are nothing, and where a part of one throws nobody is harmed. */
export class Tracing {
  readonly #provider: TracerProvider;
  readonly #tracer: Tracer;
  #isHeard = false;

  /** Default: the provider that is registered now, or with the same copy of the API later. */
  constructor(provider: TracerProvider = trace.getTracerProvider()) {
    this.#provider = provider;
    this.#tracer = provider.getTracer("slipway");
  }

  start<Name extends SpanName>(name: Name, how: SpanStart, attributes: SpanAttributes<Name>): OpenSpan<Name> {
    const { parent, detail, startTime, links } = how;
    if (!this.#hasListener()) return { context: parent, end: () => {} };
    let span: Span | undefined;
    tellQuietly(() => {
      span = this.#tracer.startSpan(
        detail === undefined ? SPANS[name].name : SPANS[name].name.replace(/<.*>/, () => detail),
        {
          kind: name === "hostCall" ? SpanKind.CLIENT : SpanKind.INTERNAL,
          attributes: toAttributes(attributes),
          ...(startTime !== undefined && { startTime }),
          ...(links !== undefined && { links: [...links] }),
        },
        parent,
      );
    });
    return {
      context: span === undefined ? parent : trace.setSpan(parent, span),
      end: (more) => tellQuietly(() => endSpan(span, more && toAttributes(more))),
    };
  }

  /** Whether an SDK is there: the API's own provider has a tracer once one is registered. */
  #hasListener(): boolean {
    this.#isHeard ||=
      !(this.#provider instanceof ProxyTracerProvider) || this.#provider.getDelegateTracer("slipway") !== undefined;
    return this.#isHeard;
  }
}

function endSpan(span: Span | undefined, attributes: Attributes | undefined): void {
  if (attributes !== undefined) span?.setAttributes(attributes);
  if (attributes?.["error.type"] !== undefined) span?.setStatus({ code: SpanStatusCode.ERROR });
  span?.end();
}
