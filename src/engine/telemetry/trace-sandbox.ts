import { type Context, context } from "@opentelemetry/api";
import type { RunOutcome, RunRequest, Sandbox } from "../../../sandbox/contract.ts";
import type { Metering } from "./metering.ts";
import type { SpanAttributes } from "./span-table.ts";
import type { Tracing } from "./tracing.ts";

interface RunSpanDeps {
  readonly tracing: Tracing;
  readonly metering: Metering;
  /** Where an effect under way belongs, by its id: a hook's run has the id of its effect. */
  readonly running: ReadonlyMap<string, Context>;
}

/** The same sandbox; each run is a span, and counted by how it ended. */
export function traceSandbox(sandbox: Sandbox, deps: RunSpanDeps): Sandbox {
  const { tracing, metering, running } = deps;
  return {
    health: () => sandbox.health(),
    compile: (request) => sandbox.compile(request),
    load: () => sandbox.load(),
    close: () => sandbox.close(),
    run: (request, scriptHost) => {
      const { runId, kind } = request;
      const parent = running.get(runId) ?? context.active();
      const attributes = { "slipway.run.id": runId, "slipway.app.id": readAppId(request) };
      const span = tracing.start(kind === "hook" ? "hookRun" : "widgetQuery", { parent }, attributes);
      const run = context.with(span.context, () => sandbox.run(request, scriptHost));
      void run.outcome.then((outcome) => {
        span.end(readOutcome(outcome));
        metering.record("runs", 1, { "slipway.run.kind": kind, "slipway.run.end": nameEnd(outcome) });
      });
      return run;
    },
  };
}

function readAppId({ kind, context: data }: RunRequest): string | undefined {
  const id = data[kind === "hook" ? "resourceId" : "appId"];
  return typeof id === "string" ? id : undefined;
}

/** One that the engine has stopped has not failed. */
function readOutcome(outcome: RunOutcome): SpanAttributes<"hookRun"> {
  const { cpuMs, fetches } = outcome.usage;
  const end = outcome.status === "completed" ? outcome.status : outcome.reason;
  return {
    "slipway.run.end": end,
    "slipway.run.cpu_time": cpuMs / 1_000,
    "slipway.run.requests": fetches,
    "error.type": end === "completed" || end === "stopped" ? undefined : end,
  };
}

/** How many quotas there are is the sandbox's affair: they count as one. */
function nameEnd(outcome: RunOutcome): string {
  if (outcome.status === "completed") return outcome.status;
  return outcome.reason.startsWith("quota_") ? "quota" : outcome.reason;
}
