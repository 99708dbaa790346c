/** Options of `waitForApp`, in both spellings, as the boundary's operation. */
import { clamp, WAIT_LIMITS, type WaitForApp } from "../../protocol/ops.ts";
import { Headers, listHeaders } from "../web/headers.ts";

/** Defaults: 40 attempts, 5,000 ms each, first wait 5,000 ms, longest wait 15,000 ms. */
export const WAIT_DEFAULTS = { attempts: 40, timeoutMs: 5000, initialDelayMs: 5000, maxDelayMs: 15_000 } as const;

/** Reads the options; a TypeError names one that is not understood. */
export function readWaitOptions(url: string, given: unknown): WaitForApp {
  const options = (given ?? {}) as { readonly [key: string]: unknown };
  const expected = options["expectedStatus"];
  return {
    url,
    method: String(options["method"] ?? "GET").toUpperCase(),
    headers: listHeaders(new Headers(options["headers"])),
    attempts: clamp(toNumber(options, ["retries", "maxAttempts"], WAIT_DEFAULTS.attempts), WAIT_LIMITS.attempts),
    timeoutMs: clamp(toNumber(options, ["timeout", "timeoutMs"], WAIT_DEFAULTS.timeoutMs), WAIT_LIMITS.timeoutMs),
    initialDelayMs: clamp(toNumber(options, ["initialDelayMs"], WAIT_DEFAULTS.initialDelayMs), WAIT_LIMITS.delayMs),
    maxDelayMs: clamp(toNumber(options, ["maxDelayMs"], WAIT_DEFAULTS.maxDelayMs), WAIT_LIMITS.delayMs),
    ...(expected !== undefined && { expectedStatus: (Array.isArray(expected) ? expected : [expected]).map(toStatus) }),
  };
}

function toStatus(value: unknown): number {
  const status = Number(value);
  if (Number.isInteger(status)) return status;
  throw new TypeError(`waitForApp: the expected status "${String(value)}" is not a number`);
}

function toNumber(options: { readonly [key: string]: unknown }, names: readonly string[], otherwise: number): number {
  for (const name of names) {
    const value = options[name];
    if (value === undefined) continue;
    if (typeof value !== "number" || !(value >= 0)) {
      throw new TypeError(`waitForApp: the option ${name} must be a number of at least 0`);
    }
    return value;
  }
  return otherwise;
}

/** The app's base URL and a path, joined by exactly one slash. */
export function joinPath(baseUrl: string, path: string): string {
  if (/^https?:\/\//i.test(path)) return path;
  return `${baseUrl.replace(/\/+$/, "")}/${path.replace(/^\/+/, "")}`;
}
