/** HTTP answered from a table of rows, so that a script can be tried without the app, or without the internet. */
import { setTimeout as sleep } from "node:timers/promises";
import type { Answered, ScriptIo, ScriptIoReply, ScriptIoRequest, ScriptIoSession } from "../../../sandbox/contract.ts";
import { isJsonObject, type Json } from "../../core/json/json.ts";
import { type AppAnswer, findAnswer } from "../../standin/apps/answers.ts";

/** Script-io whose network is the table; files and databases are those of `real`. */
export function answerFromTable(real: ScriptIo, rows: readonly AppAnswer[], baseUrl: string): ScriptIo {
  return {
    open: (scope) => {
      const answer = openTable(rows, baseUrl);
      return replaceFetch(real.open(scope), async (request) => {
        const { host } = new URL(request.url);
        const record = { kind: "fetch", method: request.method, target: host } as const;
        const { row, reply } = await answer(request);
        if (row === null) scope.audit({ ...record, allowed: false, reason: "not in the table" });
        else scope.audit({ ...record, allowed: true, status: row.status ?? 200 });
        return reply;
      });
    },
  };
}

/** The same session with another network. */
export function replaceFetch(session: ScriptIoSession, fetch: ScriptIoSession["fetch"]): ScriptIoSession {
  return {
    fetch,
    readFile: (path) => session.readFile(path),
    list: (path) => session.list(path),
    stat: (path) => session.stat(path),
    openDatabase: (path) => session.openDatabase(path),
    query: (query) => session.query(query),
    closeDatabase: (db) => session.closeDatabase(db),
    close: () => session.close(),
  };
}

/** A request's answer, and the row it came from; without one it is a refusal. */
interface TableAnswer {
  readonly row: AppAnswer | null;
  readonly reply: Answered<ScriptIoReply>;
}

/** Answers requests from rows, each row as often as it may; a path stands below the base address. */
export function openTable(
  rows: readonly AppAnswer[],
  baseUrl: string,
): (request: ScriptIoRequest) => Promise<TableAnswer> {
  const used = new Map<AppAnswer, number>();
  return async (request) => {
    const asked = { method: request.method, path: new URL(request.url).href };
    const row = findAnswer(rows, asked, used, (path) => resolveUrl(path, baseUrl));
    if (row === undefined) return { row: null, reply: refuseUnanswered(request, rows) };
    used.set(row, (used.get(row) ?? 0) + 1);
    if (row.delayMs !== undefined) await sleep(row.delayMs);
    return { row, reply: reply(row, request.url) };
  };
}

function resolveUrl(path: string, baseUrl: string): string {
  const whole = path.startsWith("/") ? `${baseUrl.replace(/\/+$/, "")}${path}` : path;
  return URL.parse(whole)?.href ?? whole;
}

function reply({ status = 200, headers = {}, body }: AppAnswer, url: string): Answered<ScriptIoReply> {
  const names = Object.keys(headers).map((name) => name.toLowerCase());
  const given = Object.entries(headers).flatMap(([name, values]) =>
    [values].flat().map((value): [string, string] => [name, value]),
  );
  if (isStructured(body) && !names.includes("content-type")) given.push(["content-type", "application/json"]);
  return {
    ok: { head: { status, statusText: "", headers: given, url, redirected: false }, body: Buffer.from(toText(body)) },
  };
}

function isStructured(body: Json | undefined): boolean {
  return Array.isArray(body) || isJsonObject(body);
}

function toText(body: Json | undefined): string {
  if (body === undefined) return "";
  return typeof body === "string" ? body : JSON.stringify(body);
}

/** A refusal, so that `waitForApp` gives up at once: asking again cannot help. */
function refuseUnanswered({ method, url }: ScriptIoRequest, rows: readonly AppAnswer[]): Answered<ScriptIoReply> {
  const known = rows.map((row) => `${row.method ?? "any method"} ${row.path}`).join(", ");
  return {
    error: {
      name: "TypeError",
      message: `the table of HTTP answers has no answer left for ${method} ${url}; it has ${known === "" ? "no rows" : known}`,
      code: "policy_denied",
    },
  };
}
