import { context, trace } from "@opentelemetry/api";
import type { Host } from "../ports/host.ts";
import { observeCalls } from "../standing/observe-calls.ts";
import { readErrorType } from "./error-type.ts";
import type { Metering } from "./metering.ts";
import type { Tracing } from "./tracing.ts";

/** The same host: each call is measured, and a span where it is made within one. What nobody asked for makes no trace. */
export function traceHost(host: Host, tracing: Tracing, metering: Metering): Host {
  return observeCalls(host, async (answer, member, asked) => {
    const method = nameMethod(member, asked);
    const rpc = { "rpc.system.name": "jsonrpc", "rpc.method": method };
    const parent = context.active();
    const span =
      trace.getSpan(parent) === undefined ? undefined : tracing.start("hostCall", { parent, detail: method }, rpc);
    const began = performance.now();
    const error = await answer.then(() => undefined, readErrorType);
    metering.record("hostCall", (performance.now() - began) / 1_000, { ...rpc, "error.type": error });
    span?.end({ "error.type": error });
  });
}

/** The member of the port, and of a job the host's method that it runs. */
function nameMethod(member: string, [call]: readonly unknown[]): string {
  const isJob = member === "startJob" && typeof call === "object" && call !== null && "method" in call;
  return isJob && typeof call.method === "string" ? call.method : member;
}
