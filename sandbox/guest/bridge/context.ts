/** The contexts scripts get (docs/hooks.md, "The hook context"; docs/decisions.md, sections 5 and 6): plain, writable objects. */
import type { Json, JsonObject } from "../../../src/core/json/json.ts";
import type { ContextCall } from "../../contract.ts";
import { CHECKPOINT_ID, CHECKPOINTS_AT_ONCE, type FetchAnswer, TEXT_LIMITS } from "../../protocol/ops.ts";
import { formatLine, log } from "../web/console.ts";
import { requireRoom } from "../web/fetch.ts";
import { inspect } from "../web/inspect.ts";
import { createResponse, type Response } from "../web/response.ts";
import { toDomString } from "../web/webidl.ts";
import { request } from "./bridge.ts";
import { describeThrown, HookError, readDetails } from "./failure.ts";
import { applySchema } from "./input-schema.ts";
import { RealPromise, sliceText } from "./primordials.ts";
import { joinPath, readWaitOptions } from "./wait-for-app.ts";

/** Asks the engine; the call leaves before this returns, so that calls nobody awaits keep their order. */
function ask(call: ContextCall): Promise<Json> {
  return new RealPromise((resolve, reject) => {
    request({ op: "context", call }, { fulfil: (ok) => resolve(ok), reject });
  });
}

function writeLog(...args: unknown[]): void {
  log(formatLine(args));
}

/** An optional member, left out when it is undefined or null. */
function convertGiven<Key extends string, Value>(key: Key, value: unknown, convert: (value: unknown) => Value) {
  return (value === undefined || value === null ? {} : { [key]: convert(value) }) as { [K in Key]?: Value };
}

function toCheckpoint(entry: unknown): { id: string; message: string } {
  const { id, message } = (typeof entry === "string" ? { id: entry } : (entry ?? {})) as {
    id?: unknown;
    message?: unknown;
  };
  return { id: toCheckpointId(id), message: toMessage(message ?? id) };
}

function toCheckpointId(id: unknown): string {
  if (typeof id !== "string") throw new TypeError(`a checkpoint's id must be a string, not ${inspect(id)}`);
  if (id !== "" && id.length <= CHECKPOINT_ID) return id;
  throw new TypeError(`a checkpoint's id must have 1 to ${CHECKPOINT_ID} characters, not ${id.length}`);
}

/** As much of a checkpoint's text as is let through. */
function toMessage(message: unknown): string {
  return sliceText(toDomString(message), 0, TEXT_LIMITS.checkpoint.sent);
}

function toFinite(value: unknown, what: string): number {
  const number = Number(value);
  if (Number.isFinite(number)) return number;
  throw new TypeError(`${what} "${toDomString(value)}" is not a number`);
}

function toPercent(value: unknown): number {
  return toFinite(value, "the progress");
}

/** The context of a hook: the run's data and the methods of the specification. */
export function createHookContext(data: JsonObject): object {
  const inputs = (data["inputs"] ?? {}) as { readonly [id: string]: unknown };
  const context = {
    resourceType: "app",
    event: "userAction",
    baseUrl: "",
    mounts: [],
    ...data,
    inputs,

    async registerCheckpoints(checkpoints: unknown): Promise<void> {
      await ask({
        kind: "registerCheckpoints",
        checkpoints: Array.from(checkpoints as Iterable<unknown>, toCheckpoint).slice(0, CHECKPOINTS_AT_ONCE),
      });
    },
    async emitCheckpoint(id: unknown, message?: unknown, progress?: unknown): Promise<void> {
      await ask({
        kind: "emitCheckpoint",
        id: toCheckpointId(id),
        ...convertGiven("message", message, toMessage),
        ...convertGiven("progress", progress, toPercent),
      });
    },
    async updateCheckpointMessage(id: unknown, message: unknown): Promise<void> {
      await ask({ kind: "updateCheckpointMessage", id: toCheckpointId(id), message: toMessage(message) });
    },
    async skipCheckpoint(id: unknown, message?: unknown): Promise<void> {
      await ask({ kind: "skipCheckpoint", id: toCheckpointId(id), ...convertGiven("message", message, toMessage) });
    },
    async setProgress(percent: unknown): Promise<void> {
      await ask({ kind: "setProgress", percent: toPercent(percent) });
    },
    async awaitCheckpointRetry(id: unknown, error: unknown, details?: unknown): Promise<Json> {
      const thrown = typeof error === "string" ? { message: error, context: [] } : describeThrown(error);
      return ask({
        kind: "awaitCheckpointRetry",
        id: toCheckpointId(id),
        error: sliceText(thrown.message, 0, TEXT_LIMITS.message.sent),
        context: details === undefined ? thrown.context : readDetails(details),
      });
    },
    async getInstalledAppUrl(appId: unknown): Promise<Json> {
      return ask({ kind: "getInstalledAppUrl", appId: toDomString(appId) });
    },
    log: writeLog,
    sleep(ms: unknown): Promise<void> {
      return new RealPromise((resolve, reject) => {
        const delay = Math.max(0, toFinite(ms, "the time to sleep"));
        request({ op: "timer", ms: delay }, { fulfil: () => resolve(), reject });
      });
    },
    waitForApp(path: unknown = "/", options?: unknown): Promise<Response> {
      return new RealPromise((resolve, reject) => {
        if (data["event"] === "onBeforeInstall") {
          throw new Error("waitForApp cannot be used in an onBeforeInstall hook: the app does not exist yet");
        }
        const target = toDomString(path);
        const baseUrl = toDomString((context as { baseUrl?: unknown }).baseUrl ?? "");
        if (baseUrl === "" && !/^https?:/i.test(target)) {
          throw new Error(
            "waitForApp needs the app's baseUrl, which is empty: the app has no port that its hooks may reach",
          );
        }
        const wait = readWaitOptions(joinPath(baseUrl, target), options);
        requireRoom(wait.url, wait.headers);
        const fulfil = (answer: Json, body: ArrayBuffer | undefined) =>
          resolve(createResponse(answer as unknown as FetchAnswer, body, wait.method));
        request({ op: "waitForApp", ...wait }, { fulfil, reject });
      });
    },
    fail(message: unknown, details?: unknown): never {
      throw new HookError(message, details);
    },
    getInput(id: unknown, schema?: unknown): unknown {
      const key = toDomString(id);
      const value = Object.hasOwn(inputs, key) ? inputs[key] : undefined;
      if (value !== undefined && value !== null) return applySchema(key, value, schema);
      const known = Object.keys(inputs).map((name) => `"${name}"`);
      throw new Error(
        `input "${key}" is missing; collected inputs are ${known.length > 0 ? known.join(", ") : "none"}`,
      );
    },
  };
  return context;
}

/** The context of a widget: data and `log`. */
export function createWidgetContext(data: JsonObject): object {
  return { mounts: [], ...data, log: writeLog };
}
