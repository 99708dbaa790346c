/** `run-hook --answers-http FILE`: the app's HTTP side as a table, so that a script can be tried without the app. */
import { z } from "zod";
import type { Answered, ScriptIo, ScriptIoReply, ScriptIoRequest } from "../../../sandbox/contract.ts";
import { isJsonObject, type Json } from "../../core/json/json.ts";

/** One row of the table. */
export const HttpAnswer = z.strictObject({
  /** Absent: any method. */
  method: z.string().exactOptional(),
  /** Whole, or a path below the context's `baseUrl`; compared exactly, query included. */
  url: z.string(),
  status: z.int().min(200).max(599).default(200),
  headers: z.record(z.string(), z.string()).default({}),
  /** Text as it is; anything else as JSON. */
  body: z.json().exactOptional(),
  /** How often the row answers; then the next row that fits does. Absent: always. */
  times: z.int().min(1).exactOptional(),
});
export type HttpAnswer = z.infer<typeof HttpAnswer>;

/** The table file: rows in order of preference. */
export const HttpAnswers = z.array(HttpAnswer);

/** An outside whose network is the table; files and databases are those of `real`. */
export function answerFromTable(real: ScriptIo, rows: readonly HttpAnswer[], baseUrl: string): ScriptIo {
  return {
    open: (scope) => {
      const session = real.open(scope);
      const used = new Map<HttpAnswer, number>();
      return {
        ...session,
        fetch: async (request) => {
          const row = rows.find((row) => fits(row, request, baseUrl) && (used.get(row) ?? 0) < (row.times ?? Infinity));
          const { host } = new URL(request.url);
          const record = { kind: "fetch", method: request.method, target: host } as const;
          if (row === undefined) {
            scope.audit({ ...record, allowed: false, reason: "not in the table" });
            return unanswered(request, rows);
          }
          used.set(row, (used.get(row) ?? 0) + 1);
          scope.audit({ ...record, allowed: true, status: row.status });
          return reply(row, request.url);
        },
      };
    },
  };
}

function fits(row: HttpAnswer, request: ScriptIoRequest, baseUrl: string): boolean {
  if (row.method !== undefined && row.method.toUpperCase() !== request.method.toUpperCase()) return false;
  return urlOf(row, baseUrl) === new URL(request.url).href;
}

function urlOf({ url }: HttpAnswer, baseUrl: string): string {
  const whole = url.startsWith("/") ? `${baseUrl.replace(/\/+$/, "")}${url}` : url;
  return URL.parse(whole)?.href ?? whole;
}

function reply(row: HttpAnswer, url: string): Answered<ScriptIoReply> {
  const { status, headers, body } = row;
  const names = Object.keys(headers).map((name) => name.toLowerCase());
  const given = Object.entries(headers);
  if (isStructured(body) && !names.includes("content-type")) given.push(["content-type", "application/json"]);
  return {
    ok: { head: { status, statusText: "", headers: given, url, redirected: false }, body: Buffer.from(textOf(body)) },
  };
}

function isStructured(body: Json | undefined): boolean {
  return Array.isArray(body) || isJsonObject(body);
}

function textOf(body: Json | undefined): string {
  if (body === undefined) return "";
  return typeof body === "string" ? body : JSON.stringify(body);
}

/** A refusal, so that `waitForApp` gives up at once: asking again cannot help. */
function unanswered({ method, url }: ScriptIoRequest, rows: readonly HttpAnswer[]): Answered<ScriptIoReply> {
  const known = rows.map((row) => `${row.method ?? "any method"} ${row.url}`).join(", ");
  return {
    error: {
      name: "TypeError",
      message: `the table of HTTP answers has no answer left for ${method} ${url}; it has ${known === "" ? "no rows" : known}`,
      code: "policy_denied",
    },
  };
}
