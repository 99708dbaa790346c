/** Whose request it was, as the audit list has it: by the server's own session and token, or by an embedder's word. */
import { expect } from "vitest";
import type { Actor } from "../../src/engine/api.ts";
import { SILENT_LOGGER } from "../../src/engine/system/silent-logger.ts";
import { createHttpApp } from "../../src/http/app.ts";
import { AuditPage } from "../../src/http/schemas/system/audit.ts";
import { Session } from "../../src/http/schemas/system/sessions.ts";
import { startHttpServer } from "../../src/http/server.ts";
import { closeAfterTest, it, openWorld } from "../support/engine/engine-test.ts";
import { checkResponsesOf, readOpenApi } from "../support/http/described-responses.ts";

const TOKEN = "a-token-of-some-length";
const PROXY = "a-secret-of-some-length";
const BEARER = { authorization: `Bearer ${TOKEN}` };

async function serve() {
  const { engine } = await openWorld({ catalog: { a: {} } });
  const options = { address: "127.0.0.1", port: 0, token: TOKEN, proxySecret: PROXY, logger: SILENT_LOGGER };
  const server = await startHttpServer(engine, options);
  closeAfterTest(server);
  const check = checkResponsesOf(await readOpenApi(server.url, { headers: BEARER }));
  const ask = async (method: string, path: string, headers: Record<string, string>, body?: unknown) => {
    const url = `${server.url}/api${path}`;
    const type = body === undefined ? undefined : { "content-type": "application/json" };
    const text = body === undefined ? null : JSON.stringify(body);
    const response = await fetch(url, { method, headers: { ...type, ...headers }, body: text });
    expect([path, (await check(method, url, response)).faults]).toEqual([path, []]);
    return response;
  };
  const list = async (query = "") => AuditPage.parse(await (await ask("GET", `/audit${query}`, BEARER)).json());
  return { ask, list };
}

it("names a browser's session and the token apart, and whoever claims to be another as neither", async () => {
  const { ask, list } = await serve();
  const opened = await ask("POST", "/session", {}, { token: TOKEN });
  const cookie = opened.headers.get("set-cookie")?.split(";")[0] ?? "";
  const { key } = Session.parse(await opened.json());
  const claims = { "x-actor": "root", "x-remote-user": "root" };
  await ask("PUT", "/dashboard", { cookie, "x-slipway": key, ...claims }, { tiles: [] });
  // The cookie counts only beside its key.
  await ask(
    "PUT",
    "/dashboard",
    { cookie, ...BEARER, "x-forwarded-for": "by root", "x-slipway-proxy": PROXY },
    { tiles: [] },
  );
  const actor: Actor = { id: "root", name: "root", how: "CLI" };
  expect((await ask("POST", "/apps/a/install", BEARER, { actor })).status).toBe(400);
  expect((await ask("POST", "/tasks/none/cancel", BEARER, { actor })).status).toBe(404);
  const { entries } = await list();
  expect(entries.map(({ actor, method, refused }) => [method, refused, actor])).toEqual([
    ["cancel", "TASK_UNKNOWN", { id: "token", name: "the token at 127.0.0.1", how: "API" }],
    ["arrangeDashboard", undefined, { id: "token", name: "the token at an unknown address", how: "API" }],
    [
      "arrangeDashboard",
      undefined,
      { id: expect.stringMatching(/^session [\w-]{43}$/), name: "a browser at 127.0.0.1", how: "page" },
    ],
  ]);
});

it("lists the entries in pages, and those of an app, a task or an actor", async () => {
  const { ask, list } = await serve();
  for (let at = 0; at < 3; at += 1) await ask("POST", "/notifications/read", BEARER);
  await ask("POST", "/apps/a/stop", BEARER);
  const all = await list();
  const first = await list("?limit=3");
  expect(first.next).toBe(first.entries.at(-1)?.number);
  const rest = await list(`?limit=3&before=${first.next}`);
  expect([...first.entries, ...rest.entries]).toEqual(all.entries);
  expect([all.next, rest.next]).toEqual([undefined, undefined]);
  expect((await list("?app=a")).entries.map(({ method }) => method)).toEqual(["stopApp"]);
  expect((await list("?actor=nobody")).entries).toEqual([]);
  expect((await ask("GET", "/audit?who=me", BEARER)).status).toBe(400);
});

it("takes an embedder's word, and does nothing for an actor that is none", async () => {
  const { engine } = await openWorld({ catalog: { a: {} } });
  const anna: Actor = { id: "u-1", name: "Anna", how: "page" };
  const users = new WeakMap<Request, Actor>();
  const app = createHttpApp(engine, { actor: (request) => users.get(request) ?? { ...anna, name: "a\nb" } });
  const put = (actor?: Actor) => {
    const request = new Request("http://nas/api/notifications/read", { method: "POST" });
    if (actor !== undefined) users.set(request, actor);
    return app.request(request);
  };
  expect((await put(anna)).status).toBe(200);
  expect((await put()).status).toBe(400);
  expect(engine.audit()).toMatchObject([{ actor: anna, method: "readNotifications" }]);
});
