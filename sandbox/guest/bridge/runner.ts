/**
 * The trusted runner: evaluates a script, calls its entrypoint, and turns whatever comes of it into one bounded JSON text
 * inside the isolate.
 *
 * Invariants:
 * 1. The script's own code runs only within `try`, inside the timed delivery.
 * 2. `done` is sent exactly once; nothing a script throws or returns is read outside the isolate.
 */
import type { GuestOutcome, StartDelivery } from "../../protocol/ops.ts";
import { SCRIPT_BUNDLE } from "../../protocol/ops.ts";
import { loadModule } from "../modules.ts";
import { countUtf8Bytes } from "../web/console.ts";
import { seedRandom } from "../web/random.ts";
import { sendDone } from "./bridge.ts";
import { createHookContext, createWidgetContext } from "./context.ts";
import { describeThrown } from "./failure.ts";
import { apply, attachThen, evaluate, stringifyJson } from "./primordials.ts";
import { writeJson } from "./write-json.ts";

type Start = StartDelivery["start"];

/** Begins the run. */
export function run(start: Start): void {
  seedRandom(start.seed);
  attachThen(
    // `await` reads no `then` of a real promise, so a script that replaced it cannot come in between.
    (async () => await callEntrypoint(start))(),
    (result) => sendDone(writeCompleted(result, start.limits.result)),
    (reason) => sendDone(writeJson(createFailed(reason))),
  );
}

function callEntrypoint(start: Start): unknown {
  const { modules, exports, url } = SCRIPT_BUNDLE;
  // The script's first line stays line 1; a directive prologue makes it strict.
  const text = `(function (${modules}) { "use strict"; ${start.code}\nreturn ${exports};\n})\n//# sourceURL=${url}`;
  const script = evaluate(text) as (load: typeof loadModule) => { readonly [name: string]: unknown };
  const exported = script(loadModule);
  const entry = exported[start.entrypoint];
  if (typeof entry !== "function") {
    throw new TypeError(`the script exports no function "${start.entrypoint}"`);
  }
  const context = start.kind === "hook" ? createHookContext(start.context) : createWidgetContext(start.context);
  return apply(entry, undefined, [context]);
}

/** The outcome's JSON text: the result is written once, since it may be large. */
function writeCompleted(result: unknown, limit: number): string {
  let text: string | undefined;
  try {
    text = stringifyJson(result);
  } catch (error) {
    return writeJson(createScriptError(`the result cannot be written as JSON: ${readMessage(error)}`));
  }
  const bytes = countUtf8Bytes(text ?? "null");
  if (bytes <= limit) return `{"status":"completed","result":${text ?? "null"}}`;
  return writeJson({
    status: "failed",
    reason: "quota_result",
    message: `the result is ${bytes} bytes of JSON, more than the ${limit} allowed`,
    context: [],
  } satisfies GuestOutcome);
}

function createScriptError(message: string): GuestOutcome {
  return { status: "failed", reason: "script_error", message, context: [] };
}

/** A script may have replaced what describing an error needs; its end must be told all the same. */
function readMessage(error: unknown): string {
  try {
    return describeThrown(error).message;
  } catch {
    return "the error cannot be read";
  }
}

function createFailed(reason: unknown): GuestOutcome {
  try {
    const { message, context, stack, codes } = describeThrown(reason);
    return {
      status: "failed",
      reason: codes.includes("policy_denied") ? "policy_denied" : "script_error",
      message,
      context,
      ...(stack !== undefined && { stack }),
    };
  } catch {
    return createScriptError("the script threw a value that cannot be read");
  }
}
