/** OpenAPI says what the server does: every response of every route, of success and of error, fits the document. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { readEventStream } from "../../src/cli/options/event-stream.ts";
import type { Engine } from "../../src/engine/api.ts";
import { SILENT_LOGGER } from "../../src/engine/system/silent-logger.ts";
import { startHttpServer } from "../../src/http/server.ts";
import { createEngineWorld, createTestSandbox } from "../support/engine/engine-world.ts";
import { type ServedEngine, serveEngine } from "../support/engine/served-engine.ts";
import {
  type CheckResponse,
  checkEventsOf,
  checkResponsesOf,
  type OpenApiDocument,
  readOpenApi,
} from "../support/http/described-responses.ts";

let served: ServedEngine;
let document: OpenApiDocument;
let check: CheckResponse;
beforeAll(async () => {
  served = await serveEngine();
  document = await readOpenApi(served.server.url);
  check = checkResponsesOf(document);
});
afterAll(() => served.close());

type Request = readonly [method: "GET" | "POST", path: string, body?: unknown];

/** Requests that are refused, by operation; each of them has to be one. */
const REFUSED: readonly Request[] = [
  ["GET", "/apps/UPPER/pairings"],
  ["GET", "/apps/nobody"],
  ["GET", "/apps/demo-notes/form?mode=odd"],
  ["POST", "/apps/demo-notes/form", { consents: { none: true, more: 1 } }],
  ["POST", "/apps/demo-notes/answers/none/reveal"],
  ["POST", "/apps/nobody/preview", {}],
  ["POST", "/apps/demo-notes/install", { answers: { admin_user: {} } }],
  ["POST", "/apps/nobody/upgrade", {}],
  ["POST", "/apps/demo-notes/update", { anwsers: {} }],
  ["GET", "/apps/demo-media/actions?surface=odd"],
  ["POST", "/apps/demo-media/actions/none", {}],
  ["GET", "/apps/UPPER/widgets"],
  ["GET", "/apps/demo-media/widgets/nope"],
  ["GET", "/tasks?appId=demo-notes"],
  ["GET", "/tasks/nobody"],
  ["GET", "/tasks/nobody/events"],
  ["GET", "/tasks/nobody/log"],
  ["POST", "/tasks/nobody/input", {}],
  ["POST", "/tasks/nobody/retry", { revision: 1 }],
  ["POST", "/tasks/nobody/skip"],
  ["POST", "/tasks/nobody/cancel"],
  ["POST", "/tasks/nobody/dismiss"],
  ["GET", "/events?from=-1"],
  ["GET", "/notifications?unread=perhaps"],
  ["POST", "/notifications/nobody/read"],
];

/** Operations that refuse nothing a client could say. */
const NEVER_REFUSED = ["listApps", "sync", "health", "live", "ready", "readNotifications"];

type Asked = (...request: Request) => Promise<Response>;

const operations = () => Object.values(document.paths).flatMap((methods) => Object.values(methods));
const Notified = z.looseObject({ notifications: z.array(z.looseObject({ id: z.string() })) });
const Started = z.looseObject({ id: z.string() });

describe("openapi.json says what the server does", () => {
  it("in the answers of every route, to what it takes and to what it refuses", async () => {
    const seen = new Set<string>();
    /** Asks a server, and holds the answer against the document. */
    const askAt =
      (base: string): Asked =>
      async (method, path, body) => {
        const url = `${base}/api${path}`;
        const json = { headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
        const response = await fetch(url, { method, ...(body !== undefined && json) });
        const { route, faults } = await check(method, url, response);
        expect([method, path, faults]).toEqual([method, path, []]);
        if (route === null) throw new Error(`no route is described for ${path}`);
        seen.add(`${route.operationId} ${route.isSuccess ? "succeeds" : "refuses"}`);
        return response;
      };
    await askDemo(askAt(served.server.url), served.engine);
    await askAboutFailures(askAt);
    const wanted = operations().flatMap(({ operationId }) => [
      `${operationId} succeeds`,
      ...(NEVER_REFUSED.includes(operationId) ? [] : [`${operationId} refuses`]),
    ]);
    expect([...seen].sort()).toEqual(wanted.sort());
  }, 120_000);

  it("in the events of its stream", async () => {
    const gone = new AbortController();
    const stream = await served.api("/events", { signal: gone.signal });
    const faultsOf = checkEventsOf(document);
    const newest = served.engine.lastSeq();
    expect(newest).toBeGreaterThan(0);
    const types = new Set<string>();
    for await (const { event, data } of readEventStream(stream.body ?? new ReadableStream(), gone.signal)) {
      types.add(event);
      const change: unknown = JSON.parse(data);
      expect([event, faultsOf(change)]).toEqual([event, []]);
      if (event !== "stream.opened" && Seq.parse(change).seq >= newest) gone.abort();
    }
    expect(types).toContain("task.updated");
    expect(faultsOf({ seq: 1, more: true })).not.toEqual([]);
  });

  it("names each operation once, guards it by a token, and leaves no object without its members", () => {
    const ids = operations().map(({ operationId }) => operationId);
    expect(new Set(ids).size).toBe(ids.length);
    expect(document).toMatchObject({
      security: [{ bearer: [] }, {}],
      components: { securitySchemes: { bearer: { type: "http", scheme: "bearer" } } },
    });
    expect(objectsWithoutMembers(document, "")).toEqual([]);
  });

  it("takes a request without anything that is optional", () => {
    const { schemas } = document.components;
    for (const name of ["InstallRequest", "ActionRequest", "DecisionRequest"]) {
      expect([name, schemas[name]?.["required"] ?? []]).toEqual([name, []]);
    }
  });
});

const Seq = z.looseObject({ seq: z.int() });

async function askDemo(asked: Asked, engine: Engine): Promise<void> {
  for (const request of REFUSED) {
    const response = await asked(...request);
    expect([request, response.ok]).toEqual([request, false]);
  }
  const task = async (...request: Request): Promise<string> => {
    const { id } = Started.parse(await (await asked(...request)).json());
    await engine.settled(id);
    return id;
  };
  for (const path of ["/apps", "/apps/demo-notes", "/apps/demo-notes/form", "/apps/demo-media/form"]) {
    await asked("GET", path);
  }
  await asked("POST", "/apps/demo-media/form", {});
  await asked("POST", "/apps/demo-notes/preview", { answers: { admin_user: "ada" } });
  const notes = await task("POST", "/apps/demo-notes/install", {});
  const waiting = engine.task(notes)?.children[0]?.id ?? "";
  await asked("GET", `/tasks/${waiting}`);
  await asked("POST", `/tasks/${waiting}/input`, { notebook: "Logbook" });
  await engine.settled(notes);
  await task("POST", "/apps/demo-media/install", { links: "default" });
  const read = ["", "/pairings", "/actions", "/widgets", "/widgets/library"].map((part) => `/apps/demo-media${part}`);
  for (const path of [...read, `/tasks/${waiting}/events`, `/tasks/${waiting}/log`, "/tasks?limit=1"]) {
    await asked("GET", path);
  }
  await asked("POST", "/apps/demo-notes/preview?mode=options", { answers: { admin_user: "bob" } });
  await asked("GET", "/apps/demo-notes/form?mode=options");
  await asked("POST", "/apps/demo-notes/answers/admin_password/reveal");
  await task("POST", "/apps/demo-media/actions/connect-notes");
  const told = Notified.parse(await (await asked("GET", "/notifications")).json());
  await asked("POST", `/notifications/${told.notifications[0]?.id}/read`);
  await asked("POST", "/notifications/read");
  await task("POST", "/apps/demo-media/update", {});
  await asked("POST", "/catalog/sync");
  for (const path of ["/health", "/health/live", "/health/ready"]) await asked("GET", path);
  await (await asked("GET", "/events")).body?.cancel();
}

const FAILING = 'export async function run(ctx) { ctx.fail("no", { context: [{ label: "why", value: "so" }] }); }';
const failingHook = (changes: Record<string, unknown>) => ({
  title: "Fails",
  optional: false,
  entrypoint: "run",
  scriptContent: FAILING,
  ...changes,
});

const offered = (title: string, ...versions: readonly string[]) => ({ train: "stable", title, icon: "", versions });

/** What only happens where a script fails, and an upgrade, on a host that offers one. */
async function askAboutFailures(askAt: (base: string) => Asked): Promise<void> {
  const sandbox = createTestSandbox();
  const hook = failingHook({ id: "setup", events: ["onAfterInstall"] });
  const connect = failingHook({
    id: "connect",
    rerun: "converge",
    conditions: [{ role: "visibility", type: "appInstalled", app: "other" }],
  });
  const world = await createEngineWorld({
    catalog: { stuck: { hooks: [hook] }, "given-up": { hooks: [hook] }, hub: { hooks: [connect] }, other: {} },
    engine: { sandbox },
    host: {
      catalog: Object.fromEntries(["stuck", "given-up", "hub", "other"].map((id) => [id, offered(id, "1.0.0")])),
    },
  });
  const { engine, host } = world;
  const server = await startHttpServer(engine, { address: "127.0.0.1", port: 0, logger: SILENT_LOGGER });
  const asked = askAt(server.url);
  const install = async (appId: string, body: unknown = {}) => {
    const { id } = Started.parse(await (await asked("POST", `/apps/${appId}/install`, body)).json());
    return engine.settled(id);
  };
  try {
    const { id, children } = await install("stuck");
    const [waiting] = children;
    await asked("POST", `/tasks/${waiting?.id}/retry`, { revision: waiting?.revision });
    await engine.settled(id);
    await asked("POST", `/tasks/${waiting?.id}/skip`, { revision: waiting?.revision });
    await asked("POST", `/tasks/${id}/skip`);
    await engine.settled(id);
    await asked("POST", `/tasks/${(await install("given-up")).id}/cancel`);
    await install("other");
    const links = [{ hookId: "connect", runsOnAppId: "hub", targets: ["other"] }];
    const linked = await install("hub", { links });
    expect(linked.children[0]?.state).toBe("FAILED");
    await asked("GET", `/tasks/${linked.id}`);
    await asked("POST", `/tasks/${linked.children[0]?.id}/dismiss`);
    host.script.world.catalog.set("other", offered("other", "1.0.0", "2.0.0"));
    const upgraded = Started.parse(await (await asked("POST", "/apps/other/upgrade", {})).json());
    await engine.settled(upgraded.id);
    await asked("GET", `/tasks/${upgraded.id}`);
  } finally {
    await server.close();
    await world.close();
    await sandbox.close();
  }
}

/** Places of schemas that say "an object" and nothing of what is in it. */
function objectsWithoutMembers(value: unknown, place: string): readonly string[] {
  if (typeof value !== "object" || value === null) return [];
  const isBare =
    "type" in value && value.type === "object" && !("properties" in value || "additionalProperties" in value);
  return [
    ...(isBare ? [place] : []),
    ...Object.entries(value).flatMap(([key, below]) => objectsWithoutMembers(below, `${place}/${key}`)),
  ];
}
