import { type Context, context } from "@opentelemetry/api";
import { isJsonObject } from "../../core/json/json.ts";
import type { EffectHandler, EffectRun, MachineEvent, Reconciled } from "../runtime/effect.ts";
import { readErrorType } from "./error-type.ts";
import type { SpanAttributes } from "./span-table.ts";
import type { TaskSpans } from "./task-spans.ts";
import type { OpenSpan, SpanStart, Tracing } from "./tracing.ts";

interface EffectSpanDeps {
  readonly tracing: Tracing;
  readonly tasks: Pick<TaskSpans, "contextOf">;
  /** Holds where each effect under way belongs, by its id. */
  readonly running: Map<string, Context>;
}

/** The same handlers; each of their calls is a span, and so is below it each call of the host made within. */
export function traceEffects(
  handlers: Readonly<Record<string, EffectHandler>>,
  deps: EffectSpanDeps,
): Readonly<Record<string, EffectHandler>> {
  return Object.fromEntries(Object.entries(handlers).map(([name, one]) => [name, traceEffect(name, one, deps)]));
}

function traceEffect(name: string, handler: EffectHandler, deps: EffectSpanDeps): EffectHandler {
  const { tracing } = deps;
  const shownAs = ({ taskId, rootId }: EffectRun): SpanStart => ({
    parent: deps.tasks.contextOf(taskId, rootId),
    detail: name,
  });
  const describe = ({ effectId }: EffectRun) => ({
    "slipway.effect.id": effectId,
    "slipway.effect.class": handler.class,
  });
  const traced: EffectHandler = {
    ...handler,
    perform: (params, run) => {
      const attributes = { ...describe(run), "slipway.effect.resumed": run.resumed };
      const span = tracing.start("effect", shownAs(run), attributes);
      return follow(deps, span, run, async () => {
        const event = await handler.perform(params, run);
        span.end({ ...readAborted(run), ...readEnd(event) });
        return event;
      });
    },
  };
  const reconcile = handler.reconcile?.bind(handler);
  if (reconcile === undefined) return traced;
  return {
    ...traced,
    reconcile: (params, run) => {
      const span = tracing.start("reconcile", shownAs(run), describe(run));
      return follow(deps, span, run, async () => {
        const found = await reconcile(params, run);
        endFound(span, run, found);
        return found;
      });
    },
  };
}

/** Does the work within the span; what it fails with ends the span. */
async function follow<T>(
  { running }: EffectSpanDeps,
  span: OpenSpan<"effect" | "reconcile">,
  run: EffectRun,
  work: () => Promise<T>,
): Promise<T> {
  running.set(run.effectId, span.context);
  try {
    return await context.with(span.context, work);
  } catch (error) {
    span.end(readAborted(run) ?? { "error.type": readErrorType(error) });
    throw error;
  } finally {
    if (running.get(run.effectId) === span.context) running.delete(run.effectId);
  }
}

/** What still runs outside is part of it. */
function endFound(span: OpenSpan<"reconcile">, run: EffectRun, found: Reconciled): void {
  const status = { "slipway.effect.found": found.status };
  if (found.status !== "in_progress") {
    span.end({ ...status, ...(found.status === "not_started" ? {} : readEnd(found.event)) });
    return;
  }
  found.event.then(
    (event) => span.end({ ...status, ...readAborted(run), ...readEnd(event) }),
    (error: unknown) => span.end({ ...status, ...(readAborted(run) ?? { "error.type": readErrorType(error) }) }),
  );
}

/** An effect that is told to stop is no failure. */
function readAborted({ signal }: EffectRun): SpanAttributes<"reconcile"> | undefined {
  return signal.aborted ? { "slipway.effect.aborted": true } : undefined;
}

function readEnd(event: MachineEvent): SpanAttributes<"reconcile"> {
  const { type, failure } = event;
  const code = isJsonObject(failure) ? failure["code"] : undefined;
  return { "slipway.event.type": type, "error.type": typeof code === "string" ? code : undefined };
}
