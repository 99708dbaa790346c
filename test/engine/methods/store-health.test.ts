/** What health, readiness and the log say of a database: its room, an older copy, and what in it can't be run. */
import { copyFileSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openCatalogDirectory } from "../../../src/adapters/catalog/catalog-directory.ts";
import { openStore } from "../../../src/adapters/store-sqlite/open-store.ts";
import { createEngine } from "../../../src/engine/engine.ts";
import type { Store } from "../../../src/engine/ports/store.ts";
import type { TaskRow } from "../../../src/engine/ports/store-rows.ts";
import { createHttpApp } from "../../../src/http/app.ts";
import { Health, Liveness, Readiness } from "../../../src/http/schemas/system/health.ts";
import { turnOf } from "../../crash/store-turns.ts";
import { createTestFolder } from "../../support/engine/runtime-world.ts";
import { createScriptedHost } from "../../support/host/scripted-host.ts";
import { openOnDatabase } from "../../support/store-folder.ts";

let folder: ReturnType<typeof createTestFolder>;
let file: string;
const open: { close(): unknown }[] = [];

beforeEach(() => {
  folder = createTestFolder();
  file = join(folder.path, "slipway.db");
});
afterEach(async () => {
  for (const one of open.splice(0).reverse()) await one.close();
  folder.remove();
});

/** An engine on the database as it lies there; without a sandbox. */
async function openOn(store: Store) {
  const catalog = join(folder.path, "catalog");
  mkdirSync(catalog, { recursive: true });
  const lines: { readonly fields: object; readonly message: string }[] = [];
  const line = (fields: object, message: string) => void lines.push({ fields, message });
  const engine = createEngine({
    host: createScriptedHost(),
    store,
    catalog: await openCatalogDirectory(catalog),
    logger: { debug: () => {}, info: () => {}, warn: line, error: line },
  });
  open.push(engine);
  const app = createHttpApp(engine);
  return { engine, lines, get: (path: string) => app.request(`/api${path}`) };
}

describe("an older copy of the database", () => {
  test("is said in the log, in health and by what opened it", async () => {
    const first = openStore({ file });
    first.commit(turnOf(first, 1));
    first.close();
    copyFileSync(file, `${file}.older`);
    const second = openStore({ file });
    second.commit(turnOf(second, 2));
    second.close();
    copyFileSync(`${file}.older`, file);

    const store = openStore({ file });
    expect(store.opened).toMatchObject({ after: "clean", rolledBack: true });
    const { engine, lines, get } = await openOn(store);
    await engine.recover();
    expect(lines).toContainEqual({
      fields: expect.objectContaining({ rolledBack: true }),
      message: expect.stringContaining("the database is an older copy"),
    });
    const { store: shown } = Health.parse(await (await get("/health")).json());
    expect(shown).toEqual({
      writable: true,
      after: "clean",
      rolledBack: true,
      size: { used: expect.any(Number), most: 256 * 2 ** 20 },
    });
  });
});

describe("tasks that can't be run", () => {
  const child = (over: Partial<TaskRow>): Partial<TaskRow> => ({ root: "t", parent: "t", kind: "hook", ...over });

  test("are counted once each by health and recover alike, a checkpoint as its hook's task", async () => {
    const store = openStore({ file });
    const turn = turnOf(store, 1);
    const [first] = turn.tasks;
    if (first === undefined) throw new Error("the turn has no task");
    const rows: Partial<TaskRow>[] = [
      {},
      child({ id: "t~a", name: "a" }),
      child({ id: "t~a~1", name: "1", parent: "t~a", kind: "checkpoint" }),
      child({ id: "t~a~2", name: "2", parent: "t~a", kind: "checkpoint" }),
      child({ id: "t~b", name: "b", facts: { ...first.row.facts, state: "DISMISSED" } }),
      child({ id: "t~b~1", name: "1", parent: "t~b", kind: "checkpoint" }),
    ];
    // No machine of this build can load these snapshots.
    store.commit({ ...turn, log: [], tasks: rows.map((row) => ({ expectedRev: 0, row: { ...first.row, ...row } })) });
    const { engine } = await openOn(store);
    expect(await engine.recover()).toMatchObject({ quarantined: 2 });
    expect((await engine.health()).tasks).toEqual({ unfinished: 1, quarantined: 2 });
  });
});

describe("liveness and readiness", () => {
  test("are apart: a process that answers is live, and ready once it has taken over what was left", async () => {
    const { engine, get } = await openOn(openStore({ file }));
    const live = async () => Liveness.parse(await (await get("/health/live")).json());
    const ready = async () => {
      const response = await get("/health/ready");
      return { status: response.status, ...Readiness.parse(await response.json()) };
    };
    expect(await live()).toEqual({ live: true });
    expect(await ready()).toEqual({ status: 503, ready: false, reasons: [expect.stringContaining("taken over")] });
    await engine.recover();
    expect(await ready()).toEqual({ status: 200, ready: true, reasons: [] });
    await engine.close();
    expect(await live()).toEqual({ live: true });
    expect(await ready()).toEqual({ status: 503, ready: false, reasons: ["the engine is closed"] });
  });
});

describe("looking whether the database takes a turn", () => {
  test("writes once, however often it is asked in a row", () => {
    const { db, store } = openOnDatabase(file);
    open.push(store);
    const written = db.prepare<[], number>("SELECT total_changes()").pluck();
    expect(store.writable()).toEqual({ ok: true });
    const once = written.get();
    for (let asked = 0; asked < 20; asked += 1) expect(store.writable()).toEqual({ ok: true });
    expect(written.get()).toBe(once);
  });
});

describe("a database that may not grow", () => {
  test("takes a small turn and not the large one it refused, and says so until that one fits", () => {
    const { db, store } = openOnDatabase(file);
    open.push(store);
    expect(store.writable()).toEqual({ ok: true });
    const setLimit = (pages: number) => db.pragma(`max_page_count = ${pages}`);
    const pages = Number(db.pragma("page_count", { simple: true }));
    setLimit(pages + 20);
    const large = { ...turnOf(store, 2), started: { plan: { filling: "x".repeat(400_000) } } };
    store.commit(turnOf(store, 1));
    expect(() => store.commit(large)).toThrow(expect.objectContaining({ code: "STORE_FULL" }));
    store.commit(turnOf(store, 2));
    expect(store.writable()).toMatchObject({ ok: false, code: "STORE_FULL" });
    expect(store.writable()).toMatchObject({ ok: false, code: "STORE_FULL" });
    setLimit(pages + 1000);
    expect(store.writable()).toEqual({ ok: true });
  });
});
