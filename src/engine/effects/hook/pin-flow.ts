/** The OAuth `pin` flow as requests and answers; `Providers` says which addresses are reached, and how. */

import { EngineError } from "../../../core/codes/problems.ts";
import { isJsonObject, type Json, type JsonObject } from "../../../core/json/json.ts";
import type { OAuthPinFlow } from "../../../core/script/dictionary.ts";
import type { Providers } from "../../ports/providers.ts";

/** A code the provider gave out. */
export interface Pin {
  readonly id: string;
  readonly code: string;
  /** UTC ms. */
  readonly expiresAt: number;
}

/** A code as people read and type it, shown to them as it is: no control characters, nothing that hides. */
const CODE = /^[\x20-\x7e]{1,128}$/;
/** Most characters of the id the provider is polled with. */
const ID_LENGTH = 256;

/** Asks the provider for a code. Throws `TASK_OAUTH_FAILED` and `TASK_OAUTH_REFUSED`. */
export async function openPin(
  providers: Providers,
  flow: OAuthPinFlow,
  now: number,
  deadlineMs: number,
  signal: AbortSignal,
): Promise<Pin> {
  const body = await request(providers, flow, "POST", flow.pinUrl, signal);
  const id = textOf(body["id"]);
  const code = textOf(body["code"]);
  if (id === "" || code === "") throw new EngineError("TASK_OAUTH_FAILED", "the provider's answer has no id or code");
  if (id.length > ID_LENGTH || !CODE.test(code)) {
    throw new EngineError("TASK_OAUTH_FAILED", "the provider's id or code is not one that can be used or shown");
  }
  const expiresIn = body["expiresIn"];
  const lifeMs = typeof expiresIn === "number" && expiresIn > 0 ? expiresIn * 1000 : deadlineMs;
  return { id, code, expiresAt: now + Math.min(lifeMs, deadlineMs) };
}

/** The address the user opens: https, without user name and password. Throws `TASK_OAUTH_REFUSED`. */
export function authorizationUrl(flow: OAuthPinFlow, pin: Pin): string {
  const written = fill(flow.authUrl, { clientId: flow.clientId, code: pin.code });
  const url = /^[^\s\p{Cc}\p{Cf}\\]+$/u.test(written) ? URL.parse(written) : null;
  if (url?.protocol === "https:" && url.username === "" && url.password === "") return url.href;
  throw new EngineError("TASK_OAUTH_REFUSED", "the address to open is not a plain https address");
}

/** Asks whether the user has agreed: the input's value, or null when not yet. */
export async function pollPin(
  providers: Providers,
  flow: OAuthPinFlow,
  pin: Pin,
  signal: AbortSignal,
): Promise<JsonObject | null> {
  const body = await request(providers, flow, "GET", fill(flow.pollUrl, { pinId: pin.id }), signal);
  const token = body[flow.tokenField];
  return typeof token === "string" && token !== "" ? oauthValue(flow, token) : null;
}

/** A token as a script reads it: `authToken`, and also under the provider's own name. */
export function oauthValue(flow: OAuthPinFlow, token: string): JsonObject {
  return { authToken: token, [flow.tokenField]: token };
}

async function request(
  providers: Providers,
  flow: OAuthPinFlow,
  method: "GET" | "POST",
  url: string,
  signal: AbortSignal,
): Promise<JsonObject> {
  const headers = Object.fromEntries(
    Object.entries(flow.headers).map(([name, value]) => [name, fill(value, { clientId: flow.clientId }, false)]),
  );
  const { status, text } = await providers.ask(
    { method, url, headers: { accept: "application/json", ...headers } },
    signal,
  );
  const host = URL.parse(url)?.host ?? "the provider";
  if (status < 200 || status > 299) throw new EngineError("TASK_OAUTH_FAILED", `${host} answered ${status}`);
  const body = parseObject(text);
  if (body === null) throw new EngineError("TASK_OAUTH_FAILED", `${host} did not answer an object`);
  return body;
}

function parseObject(text: string): JsonObject | null {
  try {
    const value: Json = JSON.parse(text);
    return isJsonObject(value) ? value : null;
  } catch {
    return null;
  }
}

/** A half of a surrogate pair, which no address can carry, becomes U+FFFD. */
function fill(template: string, values: Readonly<Record<string, string>>, encode = true): string {
  return template.replaceAll(/\{(\w+)\}/g, (written, name: string) => {
    const value = values[name];
    return value === undefined ? written : encode ? encodeURIComponent(value.toWellFormed()) : value;
  });
}

function textOf(value: Json | undefined): string {
  return typeof value === "string" ? value : typeof value === "number" ? String(value) : "";
}
