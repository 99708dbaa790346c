/** What the HTTP interface shows of passwords, files and addresses: through a real server on a real engine. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { createPinoLogger } from "../../../src/adapters/logger-pino.ts";
import { type OpenedEngine, openEngine } from "../../../src/compose.ts";
import { explain } from "../../../src/core/codes/codes.ts";
import { EngineError } from "../../../src/core/codes/problems.ts";
import { type HttpServer, startHttpServer } from "../../../src/http/server.ts";
import { rawApp, rawQuestion } from "../../support/scripts/bad-scripts.ts";
import { createSlipwayFolder } from "../../support/slipway-process.ts";

const STORED = "stored-password-4711";

const Questions = z.object({
  steps: z.array(
    z.object({
      sections: z.array(
        z.object({
          questions: z.array(
            z.object({
              key: z.string(),
              default: z.json().exactOptional(),
              generated: z.boolean().exactOptional(),
              isSet: z.boolean().exactOptional(),
            }),
          ),
        }),
      ),
    }),
  ),
});

const folder = createSlipwayFolder({
  "keeper.json": rawApp("keeper", {
    installation_questions: [
      rawQuestion("name", "text", { default: "Ada" }),
      rawQuestion("chosen", "password", { required: true }),
      rawQuestion("made", "password", { default: "$RANDOM_STRING(24)" }),
      rawQuestion("address", "text", { default: "db://app:$QUESTION(chosen)@db" }),
      rawQuestion("code", "text", { default: "pin-$RANDOM_STRING(6)" }),
    ],
    app_values: {
      chosen: "$QUESTION(chosen)",
      made: "$QUESTION(made)",
      code: "$QUESTION(code)",
      at: "$QUESTION(address)",
    },
  }),
});
const log: string[] = [];
let opened: OpenedEngine;
let server: HttpServer;

const get = (path: string) => fetch(`${server.url}/api/${path}`);
const post = (path: string, body: object = {}) =>
  fetch(`${server.url}/api/${path}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
const reveal = async (key: string): Promise<unknown> => (await post(`apps/keeper/answers/${key}/reveal`)).json();

async function questionsOf(mode: string) {
  const { steps } = Questions.parse(await (await get(`apps/keeper/form?mode=${mode}`)).json());
  const questions = steps.flatMap(({ sections }) => sections.flatMap((section) => section.questions));
  return Object.fromEntries(
    questions.map(({ key, default: shown, generated, isSet }) => [key, { shown, generated, isSet }]),
  );
}

/** Starts a lifecycle and waits for its end. */
async function run(lifecycle: "install" | "update", request: object): Promise<string> {
  const task = z.object({ id: z.string() }).parse(await (await post(`apps/keeper/${lifecycle}`, request)).json());
  return (await opened.engine.settled(task.id)).state;
}

beforeAll(async () => {
  await folder.standin();
  const logger = createPinoLogger({ stream: { write: (line) => void log.push(line) } });
  opened = await openEngine({
    host: { kind: "standin", speed: 50 },
    db: folder.db,
    catalog: folder.catalog,
    production: true,
    logger,
  });
  server = await startHttpServer(opened.engine, { address: "127.0.0.1", port: 0, logger });
});
afterAll(async () => {
  await server.close();
  await opened.close();
  folder.remove();
});

describe("a password", () => {
  let offered: Awaited<ReturnType<typeof questionsOf>>;

  it("generated for a form is the same in every form, and the one the install uses", async () => {
    offered = await questionsOf("install");
    expect(offered["made"]).toEqual({ shown: expect.stringMatching(/^\w{24}$/), generated: true });
    expect(await questionsOf("install")).toEqual(offered);
    expect(await run("install", { answers: { chosen: STORED } })).toBe("COMPLETED");
    expect(await reveal("made")).toEqual({ key: "made", value: offered["made"]?.shown });
    expect((await questionsOf("options"))["code"]?.shown).toBe(offered["code"]?.shown);
  });

  it("of an install that has begun is offered to nobody else", async () => {
    expect((await questionsOf("install"))["made"]?.shown).not.toBe(offered["made"]?.shown);
  });

  it.each(["options", "reinstall"])(
    "that is stored is not in the form of mode %s, which says that it is set",
    async (mode) => {
      const response = await get(`apps/keeper/form?mode=${mode}`);
      const text = await response.text();
      expect(text).not.toContain(STORED);
      expect(text).not.toContain(offered["made"]?.shown);
      const questions = await questionsOf(mode);
      expect([questions["chosen"], questions["made"]]).toEqual([{ isSet: true }, { isSet: true }]);
      expect(questions["name"]).toEqual({ shown: "Ada" });
    },
  );

  it("that stands inside another answer is not shown there either, and is kept and revealed with it", async () => {
    for (const mode of ["options", "reinstall"]) expect((await questionsOf(mode))["address"]).toEqual({ isSet: true });
    expect(await reveal("address")).toEqual({ key: "address", value: `db://app:${STORED}@db` });
  });

  it("is shown by a call of its own, which is logged without it", async () => {
    log.length = 0;
    expect(await reveal("chosen")).toEqual({ key: "chosen", value: STORED });
    const line = log.find((text) => text.includes("a stored password was revealed"));
    expect(JSON.parse(line ?? "null")).toMatchObject({ appId: "keeper", key: "chosen", isSet: true });
    expect(log.join("")).not.toContain(STORED);
  });

  it("is revealed only where the script asks for it", async () => {
    for (const key of ["name", "nope", "__proto__"])
      expect(await reveal(key)).toMatchObject({ code: "ANSWER_UNKNOWN" });
    expect((await get("apps/keeper/answers/chosen/reveal")).status).toBe(405);
  });

  it("stays through an update that gives no answer for it, and changes with one that does", async () => {
    expect(await run("update", { answers: { name: "Grace" } })).toBe("COMPLETED");
    expect(await reveal("chosen")).toEqual({ key: "chosen", value: STORED });
    expect(await reveal("made")).toEqual({ key: "made", value: offered["made"]?.shown });
    expect(await run("update", { answers: { chosen: "another-one-77" } })).toBe("COMPLETED");
    expect(await reveal("chosen")).toEqual({ key: "chosen", value: "another-one-77" });
  });
});

describe("a response", () => {
  it.each([
    ["GET", "apps/keeper/form?mode=options"],
    ["POST", "apps/keeper/answers/chosen/reveal"],
    ["POST", "apps/keeper/preview"],
    ["GET", "tasks"],
    ["GET", "apps/nope"],
  ])("to %s %s stays in no cache", async (method, path) => {
    const response = await fetch(`${server.url}/api/${path}`, { method });
    expect(response.headers.get("cache-control")).toBe("no-store");
  });
});

describe("the event stream", () => {
  it.each(["GET", "HEAD"])("to %s stays in no cache", async (method) => {
    const response = await fetch(`${server.url}/api/events`, { method });
    expect(response.headers.get("cache-control")).toBe("no-store, no-transform");
    await response.body?.cancel();
  });
});

const address = "wss://10.9.8.7:6000/websocket";

describe("a health body", () => {
  it("says by code what is wrong, and names neither a file nor an address", async () => {
    const found = await opened.engine.health();
    const faulty = {
      ...found,
      ok: false,
      host: { reachable: false, code: "HOST_UNREACHABLE", detail: `"${address}" cannot be reached` },
      store: { ...found.store, writable: false, code: "STORE_IO", detail: `"${folder.db}" can't be written` },
    } as const;
    const logger = createPinoLogger({ stream: { write: (line) => void log.push(line) } });
    const failing = await startHttpServer(
      { ...opened.engine, health: async () => faulty },
      { address: "127.0.0.1", port: 0, logger },
    );
    try {
      const response = await fetch(`${failing.url}/api/health`);
      const text = await response.text();
      expect(response.status).toBe(503);
      expect(JSON.parse(text)).toMatchObject({
        host: { reachable: false, code: "HOST_UNREACHABLE", detail: explain("HOST_UNREACHABLE").title },
        store: { writable: false, code: "STORE_IO", detail: explain("STORE_IO").title },
      });
      for (const inside of [folder.path, "10.9.8.7"]) expect(text).not.toContain(inside);
    } finally {
      await failing.close();
    }
  });
});

describe("an error body", () => {
  it.each([
    [
      "STORE_FULL",
      new EngineError("STORE_FULL", `the disk is full: "${folder.db}" (SQLITE_FULL)`, { file: folder.db }),
    ],
    ["HOST_UNREACHABLE", new EngineError("HOST_UNREACHABLE", `"${address}" can't be reached`, { errname: address })],
    [
      "CATALOG_UNREADABLE",
      new EngineError("CATALOG_UNREADABLE", `the catalog "${folder.catalog}" can't be read`, { root: folder.catalog }),
    ],
  ] as const)("of %s names neither a file nor an address; the log does, with the request's id", async (code, error) => {
    const failing = await startHttpServer(
      { ...opened.engine, apps: () => Promise.reject(error) },
      {
        address: "127.0.0.1",
        port: 0,
        logger: createPinoLogger({ stream: { write: (line) => void log.push(line) } }),
      },
    );
    try {
      log.length = 0;
      const response = await fetch(`${failing.url}/api/apps`);
      const text = await response.text();
      expect(JSON.parse(text)).toMatchObject({ code });
      for (const inside of [folder.path, "10.9.8.7"]) expect(text).not.toContain(inside);
      const line = log.find((entry) => entry.includes(response.headers.get("x-request-id") ?? "none"));
      expect(line).toContain(JSON.stringify(error.message).slice(1, -1));
    } finally {
      await failing.close();
    }
  });
});
