import { readFileSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createPinoLogger } from "../../src/adapters/logger-pino.ts";
import { type OpenedEngine, openEngine } from "../../src/compose.ts";
import { MASKED } from "../../src/core/report/mask.ts";
import type { EngineEvent } from "../../src/engine/api.ts";
import { type HttpServer, startHttpServer } from "../../src/http/server.ts";
import { recordTelemetry } from "../support/engine/recorded-telemetry.ts";
import { rawApp, rawQuestion, rawSetup } from "../support/scripts/bad-scripts.ts";
import { createSlipwayFolder, type SlipwayFolder, slipway, taskOf } from "../support/slipway-process.ts";

/** Answered by a person: with characters that are written differently in JSON and in addresses. */
const ANSWERED = 'answ"ered pa/ss+word';
const INPUT = "input-of-the-hook-77";
const TOKEN = "oauth-token-4711-abcdef";

/** Says every secret it knows wherever a script can say something. */
const TELLS = `export async function run(ctx) {
  const { pin } = ctx.inputs;
  const token = ctx.inputs.account.authToken;
  const said = [pin, token].join(" ");
  ctx.log("log " + said);
  console.log("console " + said, { said });
  await ctx.registerCheckpoints([{ id: "told", message: "tells " + said }]);
  await ctx.emitCheckpoint("told", "told " + said);
  await fetch(ctx.baseUrl + "/?token=" + encodeURIComponent(token)).catch(() => {});
  ctx.fail("failed with " + said, [{ label: "Said " + pin, value: said }]);
}`;

describe("no secret", () => {
  const folder: SlipwayFolder = createSlipwayFolder({
    "tells.json": rawApp("tells", {
      requirements: { locations: ["ApplicationsPerformance"], specifications: [], permissions: [], ports: [30977] },
      installation_questions: [
        rawQuestion("chosen", "password"),
        rawQuestion("generated", "password", { default: "$RANDOM_STRING(24)" }),
      ],
      app_values: { chosen: "$QUESTION(chosen)", generated: "$QUESTION(generated)", key: "$RANDOM_STRING(40)" },
      hooks: [
        rawSetup({
          inputs: [
            { id: "pin", type: "question", question: rawQuestion("pin", "password") },
            {
              id: "account",
              type: "oauth",
              name: "Account",
              provider: "example",
              flow: {
                type: "pin",
                clientId: "slipway",
                pinUrl: "https://127.0.0.1:1/pin",
                authUrl: "https://127.0.0.1:1/auth#?client={clientId}&code={code}",
                pollUrl: "https://127.0.0.1:1/poll/{pinId}",
                tokenField: "authToken",
              },
            },
          ],
          scriptContent: TELLS,
        }),
      ],
    }),
  });
  const log: string[] = [];
  const events: EngineEvent[] = [];
  const said: string[] = [];
  const telemetry = recordTelemetry();
  let metrics: string;
  let opened: OpenedEngine;
  let server: HttpServer;

  beforeAll(async () => {
    await folder.standin();
    const logger = createPinoLogger({ level: "debug", stream: { write: (line) => void log.push(line) } });
    opened = await openEngine({
      host: { kind: "standin", speed: 50 },
      db: folder.db,
      catalog: folder.catalog,
      production: true,
      allowWeakSandbox: true,
      logger,
      telemetry: telemetry.settings,
    });
    const { engine } = opened;
    server = await startHttpServer(engine, { address: "127.0.0.1", port: 0, logger });
    const { id } = await engine.install("tells", {
      answers: { chosen: ANSWERED },
      inputs: { setup: { pin: INPUT, account: TOKEN } },
    });
    await engine.settled(id);
    for (const path of ["tasks", `tasks/${id}`, "apps", "apps/tells", "apps/tells/actions", "health"]) {
      said.push(await (await fetch(`${server.url}/api/${path}`)).text());
    }
    const post = async (path: string, body: object) => {
      const init = { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
      said.push(await (await fetch(`${server.url}/api/${path}`, init)).text());
    };
    await post("apps/tells/preview", { answers: { chosen: ANSWERED } });
    await post("apps/tells/install", { answers: { chosen: ANSWERED } });
    await post(`tasks/${id}/input`, { pin: [INPUT], account: 7 });
    await post(`tasks/${id}/input`, { [TOKEN.slice(0, 4)]: TOKEN });
    await post(`tasks/${id}/retry`, {});
    await engine.settled(id);
    for await (const event of engine.watch(0, AbortSignal.timeout(300))) events.push(event);
    said.push(JSON.stringify(engine.task(id)));
    await server.close();
    metrics = JSON.stringify([...(await telemetry.collect())]);
    await opened.close();
    const shown = await slipway("task", id, "--db", folder.db);
    expect(taskOf(await slipway("task", id, "--db", folder.db, "--format", "json")).children[0]).toMatchObject({
      state: "AWAITING_RETRY",
      failure: { code: "TASK_HOOK_FAILED" },
    });
    said.push(shown.stdout, shown.stderr);
  });
  afterAll(() => folder.remove());

  /** Every secret of the install: answered, given, and generated (read from the plan, which keeps them). */
  function secrets(): readonly string[] {
    const db = new Database(folder.db, { readonly: true });
    const plans = db.prepare<[], string>("SELECT plan FROM plans").pluck().all().join("\n");
    db.close();
    const generated = [...plans.matchAll(/"(?:generated|key)":"([A-Za-z0-9]{24,40})"/g)].map(([, value = ""]) => value);
    expect(new Set(generated).size).toBe(2);
    return [ANSWERED, INPUT, TOKEN, ...new Set(generated)].flatMap((secret) => [
      secret,
      JSON.stringify(secret).slice(1, -1),
      encodeURIComponent(secret),
    ]);
  }

  function expectNone(text: string): void {
    expect(text).not.toBe("");
    for (const secret of secrets()) expect(text.includes(secret), `"${secret}" is told`).toBe(false);
  }

  it("is in a log line, at any level", () => expectNone(log.join("\n")));
  it("is in an event", () => expectNone(JSON.stringify(events)));
  it("is in a view, an HTTP response, an error or an output", () => {
    expect(said.join("\n")).toContain(`failed with ${MASKED} ${MASKED}`);
    expectNone(said.join("\n"));
  });
  it("is in a trace or a metric", () => {
    const spans = telemetry
      .spans()
      .map(({ name, attributes, status, events }) => ({ name, attributes, status, events }));
    expect(spans.map(({ name }) => name)).toContain("hook run");
    expect(metrics).toContain("slipway.sandbox.runs");
    expectNone(JSON.stringify(spans));
    expectNone(metrics);
  });
  it("is in the stand-in's own record of calls", () => {
    const text = readFileSync(join(`${folder.db}.standin`, "standin.log"), "utf8");
    expect(text).not.toContain(INPUT);
    expect(text).not.toContain(TOKEN);
  });
  it("is in a row of the database that is not there to keep it", () => {
    const db = new Database(folder.db, { readonly: true });
    const tables = db
      .prepare<[], string>("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
      .pluck()
      .all()
      .filter((name) => !["plans", "vault", "settings"].includes(name));
    expect(tables).toEqual(expect.arrayContaining(["tasks", "log", "effects", "hook_log"]));
    const rows = tables.flatMap((name) =>
      db
        .prepare(`SELECT * FROM "${name}"`)
        .all()
        .map((row) => JSON.stringify(row)),
    );
    db.close();
    // Once more undone: a row's text is JSON within JSON.
    expectNone(rows.join("\n").replaceAll('\\\\"', '\\"'));
  });
});
