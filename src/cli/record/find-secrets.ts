/** Secrets in what was recorded: by the name they stand under, or by how they look. Pure. */
import type { Secret } from "../../../sandbox/desk/concealment.ts";
import { isJsonObject, type Json } from "../../core/json/json.ts";
import { readBody } from "./read-body.ts";
import type { Exchange } from "./recorder.ts";
import { findSecretsInText, findTokens, isSecretName } from "./secret-words.ts";

/** Every secret of an exchange, the request's first. */
export function findSecrets({ request, reply }: Exchange): readonly Secret[] {
  const url = new URL(request.url);
  return [
    ...[...url.searchParams].flatMap(([name, value]) => (isSecretName(name) ? [value] : findTokens(value))),
    ...findTokens(decode(url.pathname)),
    ...request.headers.flatMap(([name, value]) => findInHeader(name, value)),
    ...(request.body === null ? [] : findInBody(request.body)),
    ...reply.head.headers.flatMap(([name, value]) => findInHeader(name, value)),
    ...findInBody(reply.body),
  ];
}

/** The value of a cookie, as `Set-Cookie` begins with it. */
export function splitCookie(header: string): { readonly name: string; readonly value: string; readonly rest: string } {
  const [, name = "", value = "", rest = ""] = /^([^=;]*)=?([^;]*)(.*)$/s.exec(header) ?? [];
  return { name, value, rest };
}

function findInHeader(name: string, value: string): readonly string[] {
  switch (name.toLowerCase()) {
    case "set-cookie":
      return [splitCookie(value).value];
    case "cookie":
      return value.split(/;\s*/).map((pair) => splitCookie(pair).value);
    case "authorization":
      return findInAuthorization(value);
    default:
      return isSecretName(name) ? [value] : findSecretsInText(value);
  }
}

/** After the scheme, and of `Basic` what it encodes. */
function findInAuthorization(value: string): readonly string[] {
  const [, scheme = "", rest = value] = /^(\S+)\s+(.*)$/s.exec(value) ?? [];
  const quoted = [...rest.matchAll(/"([^"]+)"/g)].map(([, inner = ""]) => inner);
  if (scheme.toLowerCase() !== "basic") return [rest, ...quoted];
  const pair = Buffer.from(rest, "base64").toString();
  return [rest, pair, pair.slice(pair.indexOf(":") + 1)];
}

function findInBody(bytes: Uint8Array): readonly Secret[] {
  const body = readBody(bytes);
  if (body === null) return [];
  if (typeof body !== "string") return findInJson(body, false);
  // a form is text too; what is no form gives names nobody looks for
  const form = [...new URLSearchParams(body)].filter(([name]) => isSecretName(name)).map(([, value]) => value);
  return [...(/^[\w.[\]%+-]+=[^\s]*$/.test(body) ? form : []), ...findSecretsInText(body)];
}

function findInJson(value: Json, isSecret: boolean): readonly Secret[] {
  if (typeof value === "string") return isSecret ? [value] : findSecretsInText(value);
  if (typeof value === "number") return isSecret ? [value] : [];
  if (Array.isArray(value)) return value.flatMap((item: Json) => findInJson(item, isSecret));
  if (!isJsonObject(value)) return [];
  return Object.entries(value).flatMap(([name, item]) => [
    ...findTokens(name),
    ...findInJson(item, isSecret || isSecretName(name)),
  ]);
}

function decode(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
