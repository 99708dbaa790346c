import { hash } from "node:crypto";
import { type Context, ROOT_CONTEXT, TraceFlags, trace } from "@opentelemetry/api";

/** Hex digits of a trace's and of a span's id. */
const TRACE_ID = 32;
const SPAN_ID = 16;

/**
 * The trace of a tree of tasks, as if its beginning lay elsewhere: both ids are made of its root's id, so that spans of
 * every life belong to one trace and nothing has to be kept. It counts as sampled: a sampler that is to take fewer goes by
 * the trace's id (docs/operating.md, "Traces and metrics").
 */
export function createTreeContext(rootId: string): Context {
  const digest = hash("sha256", `slipway ${rootId}`);
  return trace.setSpanContext(ROOT_CONTEXT, {
    traceId: digest.slice(0, TRACE_ID),
    spanId: digest.slice(TRACE_ID, TRACE_ID + SPAN_ID),
    traceFlags: TraceFlags.SAMPLED,
    isRemote: true,
  });
}
