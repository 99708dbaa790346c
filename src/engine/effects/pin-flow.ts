/** The OAuth `pin` flow as requests and answers (decisions.md 5). https only; http to a loopback host for tests. */
import type { OAuthPinFlow } from "../../core/dictionary.ts";
import { isJsonObject, type Json, type JsonObject } from "../../core/json.ts";
import { EngineError } from "../../core/problems.ts";

/** A code the provider gave out. */
export interface Pin {
  readonly id: string;
  readonly code: string;
  /** UTC ms. */
  readonly expiresAt: number;
}

/** Ms one request to the provider may take. */
const REQUEST_MS = 15_000;

/** Asks the provider for a code. Throws `TASK_OAUTH_FAILED`. */
export async function openPin(
  ask: typeof fetch,
  flow: OAuthPinFlow,
  now: number,
  deadlineMs: number,
  signal: AbortSignal,
): Promise<Pin> {
  const body = await request(ask, flow, "POST", flow.pinUrl, signal);
  const id = textOf(body["id"]);
  const code = textOf(body["code"]);
  if (id === "" || code === "") throw new EngineError("TASK_OAUTH_FAILED", "the provider's answer has no id or code");
  const expiresIn = body["expiresIn"];
  const lifeMs = typeof expiresIn === "number" && expiresIn > 0 ? expiresIn * 1000 : deadlineMs;
  return { id, code, expiresAt: now + Math.min(lifeMs, deadlineMs) };
}

/** The address the user opens. */
export function authorizationUrl(flow: OAuthPinFlow, pin: Pin): string {
  return fill(flow.authUrl, { clientId: flow.clientId, code: pin.code });
}

/** Asks whether the user has agreed: the inputs's value (decisions.md 5), or null when not yet. */
export async function pollPin(
  ask: typeof fetch,
  flow: OAuthPinFlow,
  pin: Pin,
  signal: AbortSignal,
): Promise<JsonObject | null> {
  const body = await request(ask, flow, "GET", fill(flow.pollUrl, { pinId: pin.id }), signal);
  const token = body[flow.tokenField];
  return typeof token === "string" && token !== "" ? oauthValue(flow, token) : null;
}

/** A token as a script reads it: `authToken`, and also under the provider's own name. */
export function oauthValue(flow: OAuthPinFlow, token: string): JsonObject {
  return { authToken: token, [flow.tokenField]: token };
}

async function request(
  ask: typeof fetch,
  flow: OAuthPinFlow,
  method: "GET" | "POST",
  address: string,
  signal: AbortSignal,
): Promise<JsonObject> {
  const url = safeUrl(address);
  const headers = Object.fromEntries(
    Object.entries(flow.headers).map(([name, value]) => [name, fill(value, { clientId: flow.clientId }, false)]),
  );
  try {
    const response = await ask(url, {
      method,
      headers: { accept: "application/json", ...headers },
      redirect: "error",
      signal: AbortSignal.any([signal, AbortSignal.timeout(REQUEST_MS)]),
    });
    if (!response.ok) throw new EngineError("TASK_OAUTH_FAILED", `${url.host} answered ${response.status}`);
    const body: Json = JSON.parse(await response.text());
    if (!isJsonObject(body)) throw new EngineError("TASK_OAUTH_FAILED", `${url.host} did not answer an object`);
    return body;
  } catch (error) {
    if (error instanceof EngineError) throw error;
    throw new EngineError("TASK_OAUTH_FAILED", `${url.host} did not answer`, {}, error);
  }
}

function safeUrl(address: string): URL {
  const url = URL.parse(address);
  const isLoopback = url !== null && /^(127(\.\d+){3}|localhost|\[::1\])$/.test(url.hostname);
  if (url !== null && (url.protocol === "https:" || (url.protocol === "http:" && isLoopback))) return url;
  throw new EngineError("TASK_OAUTH_FAILED", `the provider's address is not https`);
}

function fill(template: string, values: Readonly<Record<string, string>>, encode = true): string {
  return template.replaceAll(/\{(\w+)\}/g, (written, name: string) => {
    const value = values[name];
    return value === undefined ? written : encode ? encodeURIComponent(value) : value;
  });
}

function textOf(value: Json | undefined): string {
  return typeof value === "string" ? value : typeof value === "number" ? String(value) : "";
}
