import { diag } from "@opentelemetry/api";

/** Tells an SDK something: what it throws goes to OpenTelemetry's own log, and a task goes on all the same. */
export function tellQuietly(tell: () => void): void {
  try {
    tell();
  } catch (error) {
    diag.error("slipway: the SDK threw", error);
  }
}
