/** OpenAPI says what the server does: every response of every route, of success and of error, fits the document. */
import { afterAll, beforeAll, describe, expect } from "vitest";
import { z } from "zod";
import { readEventStream } from "../../src/cli/options/event-stream.ts";
import type { Engine } from "../../src/engine/api.ts";
import { readDocument } from "../support/document.ts";
import { it } from "../support/engine/engine-test.ts";
import { makeInstance } from "../support/engine/scripted-world.ts";
import { type ServedEngine, serveEngine } from "../support/engine/served-engine.ts";
import {
  type CheckResponse,
  checkEventsOf,
  checkResponsesOf,
  type OpenApiDocument,
  readOpenApi,
} from "../support/http/described-responses.ts";
import { FAILING_LINK, serveFailingApps } from "../support/http/failing-apps.ts";
import { PICTURES, toDataAddress } from "../support/pictures.ts";
import { exportOf } from "../support/scripts/export-of.ts";

let served: ServedEngine;
let document: OpenApiDocument;
let check: CheckResponse;
beforeAll(async () => {
  served = await serveEngine();
  document = await readOpenApi(served.server.url);
  check = checkResponsesOf(document);
});
afterAll(() => served.close());

type Request = readonly [method: "GET" | "POST" | "PUT", path: string, body?: unknown];

/** Requests that are refused, by operation; each of them has to be one. */
const REFUSED: readonly Request[] = [
  ["GET", "/apps?limit=0"],
  ["GET", "/apps/UPPER/pairings"],
  ["GET", "/apps/nobody"],
  ["GET", "/apps/demo-notes/form?mode=odd"],
  ["POST", "/apps/demo-notes/form", { consents: { none: true, more: 1 } }],
  ["POST", "/apps/demo-notes/answers/none/reveal"],
  ["GET", "/apps/demo-notes/icon"],
  ["GET", "/apps/nobody/icon"],
  ["POST", "/apps/nobody/preview", {}],
  ["POST", "/apps/demo-notes/install", { answers: { admin_user: {} } }],
  ["POST", "/apps/nobody/upgrade", {}],
  ["POST", "/upgrades"],
  ["PUT", "/upgrades/policies", { all: { mode: "automatic", cron: "never" } }],
  ["POST", "/upgrades/preview", { app: "demo-notes" }],
  ["POST", "/export", { passphrase: "short" }],
  ["POST", "/import", { file: "{}" }],
  ["POST", "/import/preview", { file: exportOf("hub"), passphrase: 1 }],
  ["POST", "/apps/demo-notes/update", { anwsers: {} }],
  ["POST", "/apps/demo-notes/adopt", { answer: {} }],
  ["POST", "/apps/nobody/adopt/preview"],
  ["POST", "/apps/demo-notes/uninstall", { keepDate: true }],
  ["POST", "/apps/nobody/uninstall/preview"],
  ["GET", "/apps/demo-notes/snapshots"],
  ["POST", "/apps/demo-notes/rollback", { to: "yesterday" }],
  ["POST", "/apps/nobody/rollback/preview"],
  ["POST", "/apps/demo-notes/start"],
  ["POST", "/apps/demo-notes/stop"],
  ["POST", "/apps/nobody/restart"],
  ["GET", "/apps/demo-media/actions?surface=odd"],
  ["POST", "/apps/demo-media/actions/none", {}],
  ["GET", "/apps/UPPER/widgets"],
  ["GET", "/apps/demo-media/widgets/nope"],
  ["GET", "/widgets?installed=perhaps"],
  ["GET", "/files?path=/etc"],
  ["GET", "/files/actions"],
  ["POST", "/files/actions", { files: [] }],
  ["PUT", "/dashboard", { tiles: [{ appId: "demo-media", widgetId: "nope" }] }],
  ["GET", "/tasks?appId=demo-notes"],
  ["GET", "/tasks/nobody"],
  ["GET", "/tasks/nobody/events"],
  ["GET", "/tasks/nobody/log"],
  ["GET", "/tasks/nobody/trace"],
  ["POST", "/tasks/nobody/input", {}],
  ["POST", "/tasks/nobody/retry", { revision: 1 }],
  ["POST", "/tasks/nobody/skip"],
  ["POST", "/tasks/nobody/cancel"],
  ["POST", "/tasks/nobody/dismiss"],
  ["GET", "/events?from=-1"],
  ["GET", "/notifications?unread=perhaps"],
  ["GET", "/audit?before=-1"],
  ["POST", "/notifications/nobody/read"],
];

/** Operations that refuse nothing a client could say. */
const NEVER_REFUSED = [
  "sync",
  "health",
  "live",
  "ready",
  "readNotifications",
  "getDashboard",
  "getDrift",
  "lookForDrift",
  "getUpgradePolicies",
  "listMachines",
];

/** Responses of success that may be kept, what the catalog says, not what anybody entered; and the stream. */
const KEPT: Readonly<Record<string, string>> = {
  getPairings: "no-cache",
  getIcon: "private, max-age=300",
  followEvents: "no-store, no-transform",
};

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
        const kept = route?.isSuccess ? KEPT[route.operationId] : undefined;
        expect([path, response.headers.get("cache-control")]).toEqual([path, kept ?? "no-store"]);
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
  });

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
      if (event === "dashboard.changed") gone.abort();
      else if (Seq.safeParse(change).data?.seq === newest) await served.engine.arrangeDashboard({ tiles: null });
    }
    expect(types).toContain("task.updated");
    expect(types).toContain("dashboard.changed");
    expect(faultsOf({ seq: 1, more: true })).not.toEqual([]);
  });

  it("names each operation once, guards it by a token, and leaves no object without its members", () => {
    const ids = operations().map(({ operationId }) => operationId);
    expect(new Set(ids).size).toBe(ids.length);
    expect(document).toMatchObject({
      security: [{ bearer: [] }, { session: [] }, {}],
      components: { securitySchemes: { bearer: { type: "http", scheme: "bearer" } } },
    });
    expect(objectsWithoutMembers(document, "")).toEqual([]);
  });

  it("leaves JSON free only where it is the script's or the host's", () => {
    const { schemas } = document.components;
    const places = Object.entries(schemas).flatMap(([name, schema]) => freeJson(schema, name));
    expect(places.toSorted()).toEqual(FREE_JSON);
    const { paths } = document;
    expect(paths["/apps/{appId}/pairings"]?.["get"]?.responses["200"]?.content).toEqual({
      "application/json": { schema: { $ref: "#/components/schemas/Pairings" } },
    });
  });

  it("names the routes that docs/http.md lists, and no others", () => {
    const named = [...readDocument("docs/http.md").matchAll(/`(GET|POST|PUT) (\w[\w{}./-]*)`/g)].map(
      ([, method, path]) => `${method} /${path}`,
    );
    const described = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    );
    expect(named.toSorted()).toEqual([...described, "GET /openapi.json"].toSorted());
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
  for (const path of [
    "/apps",
    "/apps?search=notes&installed=false&limit=1",
    "/apps/demo-notes",
    "/apps/demo-notes/form",
    "/apps/demo-media/form",
  ]) {
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
  for (const name of ["stop", "start", "restart"]) await task("POST", `/apps/demo-media/${name}`);
  const read = ["", "/pairings", "/actions", "/widgets", "/widgets/library"].map((part) => `/apps/demo-media${part}`);
  for (const path of [
    ...read,
    "/widgets",
    "/dashboard",
    "/files",
    "/files/actions?file=/mnt/tank/Media/a.mkv",
    `/tasks/${waiting}/events`,
    `/tasks/${waiting}/log`,
    `/tasks/${waiting}/trace`,
    "/machines",
    "/tasks?limit=1",
  ]) {
    await asked("GET", path);
  }
  await asked("POST", "/apps/demo-notes/preview?mode=options", { answers: { admin_user: "bob" } });
  await asked("POST", "/files/actions", { files: ["/mnt/tank/Media/a.mkv"] });
  await asked("PUT", "/dashboard", { tiles: [{ appId: "demo-media", widgetId: "library" }] });
  await asked("GET", "/apps/demo-notes/form?mode=options");
  await asked("POST", "/apps/demo-notes/form?mode=options", { answers: { admin_user: "bob" } });
  await asked("POST", "/apps/demo-notes/answers/admin_password/reveal");
  await task("POST", "/apps/demo-media/actions/connect-notes");
  const told = Notified.parse(await (await asked("GET", "/notifications")).json());
  await asked("POST", `/notifications/${told.notifications[0]?.id}/read`);
  await asked("POST", "/notifications/read");
  await asked("GET", "/audit?limit=2");
  await asked("GET", "/drift");
  await asked("POST", "/drift/look");
  await asked("GET", `/tasks/${await task("POST", "/apps/demo-media/update", {})}`);
  await task("POST", "/apps/demo-notes/update", { answers: { admin_user: "bob" } });
  await asked("GET", "/apps/demo-notes/snapshots");
  await asked("POST", "/apps/demo-notes/rollback/preview", {});
  await task("POST", "/apps/demo-notes/rollback", {});
  await asked("POST", "/apps/demo-notes/uninstall/preview", { keepData: false });
  await task("POST", "/apps/demo-notes/uninstall", { keepData: false });
  await asked("POST", "/catalog/sync");
  for (const path of ["/health", "/health/live", "/health/ready"]) await asked("GET", path);
  await (await asked("GET", "/events")).body?.cancel();
}

const QUERY = `export async function query() {
  const image = "${toDataAddress("image/png", PICTURES.png).replace("data:", "DATA:")}";
  const elapsed = { ms: 1, ofMs: 2, state: "paused" };
  const entries = [{ title: "a" }, { title: "b", subtitle: "c", meta: "d", image, elapsed }];
  return { fields: {
    note: { type: "text", text: "n" },
    count: { type: "stat", label: "l", value: 1 },
    rows: { type: "list", entries },
    cover: { type: "image", image, alt: "a" },
  } };
}`;

/** A script whose preview, widget and results have every member they can have. */
const WIDE = {
  metadata: { name: "Wide", description: "All there can be", icon: "wide.svg", version: "1.0.0" },
  requirements: {
    locations: ["Media", "Photos"],
    specifications: ["1CORE", "500MB"],
    permissions: ["READ_WRITE_LOCATIONS"],
    ports: [30_100],
  },
  ensure_directories_exists: [
    { path: "$LOCATION(Media)", network_share: true },
    { path: "$LOCATION(Media)/a", owner: { user: "apps", group: "apps" }, snapshot: { id: "a" } },
    { path: "$LOCATION(Photos)/b", owner: { user: "apps" } },
  ],
  widgetsSchema: 2,
  widgets: [
    {
      id: "all",
      title: "All",
      entrypoint: "query",
      scriptContent: QUERY,
      sizes: {
        small: { slots: [{ type: "stat", field: "count" }], media: { placement: "top", field: "cover" } },
        large: { slots: [{ type: "list", field: "rows" }], media: { placement: "both", field: "cover" } },
      },
    },
  ],
};

/** The script of an app that was installed by other means: of its answers one is there, the others are not. */
const FOREIGN = {
  installation_questions: [
    { question: "Name?", type: "text", key: "name" },
    { question: "Mail?", type: "text", key: "mail", required: true },
    { question: "Level?", type: "number", key: "level", default: 1 },
  ],
  app_values: { name: "$QUESTION(name)", level: "$QUESTION(level)", secret: "$RANDOM_STRING(8)", fixed: 1 },
};

/** What only happens where a script fails, or is as large as it may be, and an upgrade, on a host that offers one. */
async function askAboutFailures(askAt: (base: string) => Asked): Promise<void> {
  const locations: Record<string, string> = { Media: "/mnt/tank/media" };
  const { engine, url, release } = await serveFailingApps({
    catalog: { moved: {}, wide: WIDE, "wide.svg": "<svg xmlns='http://www.w3.org/2000/svg'/>", foreign: FOREIGN },
    host: {
      facts: { locations },
      datasets: ["tank", "tank/media", "tank/photos"],
      instances: [makeInstance("foreign", { name: "Bob", level: "high", secret: "" })],
    },
  });
  const asked = askAt(url);
  await asked("POST", "/apps/foreign/adopt/preview", { answers: { mail: 1 } });
  const adopted = Started.parse(
    await (await asked("POST", "/apps/foreign/adopt", { answers: { mail: "a@b" } })).json(),
  );
  await engine.settled(adopted.id);
  await asked("GET", `/tasks/${adopted.id}`);
  const install = async (appId: string, body: unknown = {}) => {
    const { id } = Started.parse(await (await asked("POST", `/apps/${appId}/install`, body)).json());
    return engine.settled(id);
  };
  const { id, children } = await install("stuck");
  const [waiting] = children;
  await asked("POST", `/tasks/${waiting?.id}/retry`, { revision: waiting?.revision });
  await engine.settled(id);
  await asked("POST", `/tasks/${waiting?.id}/skip`, { revision: waiting?.revision });
  await asked("POST", `/tasks/${id}/skip`);
  await engine.settled(id);
  await asked("POST", `/tasks/${(await install("given-up")).id}/cancel`);
  const preview = Previewed.parse(await (await asked("POST", "/apps/wide/preview", {})).json());
  expect(preview.directories).toContainEqual(expect.objectContaining({ path: null, location: "Photos" }));
  expect(preview.requirements.locations).toEqual({ met: ["Media"], unmet: ["Photos"] });
  locations["Photos"] = "/mnt/tank/photos";
  await asked("GET", "/apps/wide/icon");
  const wide = await install("wide");
  expect(wide.result).toMatchObject({ app: "created", shares: ["media"] });
  await asked("GET", "/apps/wide/widgets");
  const widget = Shown.parse(await (await asked("GET", "/apps/wide/widgets/all")).json());
  expect([widget.state, Object.keys(widget.fields)]).toEqual(["ready", ["note", "count", "rows", "cover"]]);
  await install("other");
  const linked = await install("hub", { links: [FAILING_LINK] });
  expect(linked.children[0]?.state).toBe("FAILED");
  await asked("GET", `/tasks/${linked.id}`);
  await asked("POST", `/tasks/${linked.children[0]?.id}/dismiss`);
  release("other");
  await asked("GET", "/apps/other/form?mode=upgrade");
  await asked("POST", "/apps/other/preview?mode=upgrade", {});
  for (const version of ["0.1.0", "9.0.0"]) await asked("POST", "/apps/other/upgrade", { version });
  const upgraded = Started.parse(await (await asked("POST", "/apps/other/upgrade", {})).json());
  await engine.settled(upgraded.id);
  await asked("GET", `/tasks/${upgraded.id}`);
  await asked("PUT", "/upgrades/policies", {
    all: { mode: "manual" },
    apps: { hub: { mode: "automatic", cron: "0 3 * * *" } },
  });
  await asked("GET", "/upgrades/policies");
  release("hub");
  await asked("POST", "/export", { withoutSecrets: true });
  await asked("POST", "/import/preview", { file: exportOf("hub") });
  const imported = Started.parse(await (await asked("POST", "/import", { file: exportOf("moved") })).json());
  await engine.settled(imported.id);
  await asked("GET", `/tasks/${imported.id}`);
  await asked("POST", "/upgrades/preview", { apps: ["hub", "nobody"] });
  const all = Started.parse(await (await asked("POST", "/upgrades", { apps: ["hub"] })).json());
  await engine.settled(all.id);
  await asked("GET", `/tasks/${all.id}`);
}

const Previewed = z.looseObject({
  directories: z.array(z.looseObject({})),
  requirements: z.looseObject({ locations: z.unknown() }),
});
const Shown = z.looseObject({ state: z.string(), fields: z.record(z.string(), z.unknown()) });

/** Answers and inputs, the values of an app, the inputs an author declares. */
const FREE_JSON = [
  "ActionRequest/properties/inputs/additionalProperties",
  "AdoptPreview/properties/differences/items/properties/after",
  "AdoptPreview/properties/differences/items/properties/before",
  "AdoptRequest/properties/answers/additionalProperties",
  "AskedInput",
  "Form/properties/answerDifferences/items/properties/after",
  "Form/properties/answerDifferences/items/properties/before",
  "Form/properties/differences/items/properties/after",
  "Form/properties/differences/items/properties/before",
  "ImportRequest/properties/answers/additionalProperties/additionalProperties",
  "InstallRequest/properties/answers/additionalProperties",
  "InstallRequest/properties/inputs/additionalProperties/additionalProperties",
  "InstallRequest/properties/links/anyOf/1/items/properties/inputs/additionalProperties",
  "InstallRequest/properties/links/anyOf/1/items/properties/install/additionalProperties/properties/answers/additionalProperties",
  "Preview/properties/answerDifferences/items/properties/after",
  "Preview/properties/answerDifferences/items/properties/before",
  "Preview/properties/appValues/additionalProperties",
  "Preview/properties/differences/items/properties/after",
  "Preview/properties/differences/items/properties/before",
  "PreviewedApp/properties/appValues/additionalProperties",
  "Question/properties/default",
  "Question/properties/options/items/properties/value",
  "UnknownAnswer/properties/default",
  "UnknownAnswer/properties/options/items/properties/value",
  "UpgradeRequest/properties/answers/additionalProperties",
  "UpgradeRequest/properties/inputs/additionalProperties/additionalProperties",
  "UpgradeRequest/properties/links/anyOf/1/items/properties/inputs/additionalProperties",
  "UpgradeRequest/properties/links/anyOf/1/items/properties/install/additionalProperties/properties/answers/additionalProperties",
];

/** Places of a schema that take any JSON. */
function freeJson(value: unknown, place: string): readonly string[] {
  if (typeof value !== "object" || value === null) return [];
  const isFree = "description" in value && value.description === "Any JSON value";
  const isOpen = "additionalProperties" in value && value.additionalProperties === true;
  return [
    ...(isFree || isOpen ? [place] : []),
    ...Object.entries(value).flatMap(([key, below]) => freeJson(below, `${place}/${key}`)),
  ];
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
