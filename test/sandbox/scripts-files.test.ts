/** The corpus, second part: hooks that read their app's files and databases, and send files. */
import { mkdirSync, readFileSync, utimesSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { afterAll, describe, expect } from "vitest";
import { useTestFolder } from "../support/test-folder.ts";
import { type Received, startApp } from "./app-server.ts";
import { createBothWays } from "./both-ways.ts";
import { resultOf } from "./workbench.ts";

const { bench, test } = createBothWays();
const folder = useTestFolder();
const { write } = folder;
afterAll(() => bench[Symbol.asyncDispose]());

const mounts = () => [
  { hostPath: "/mnt/tank/apps/app", containerPath: "/config", localPath: folder.path, location: folder.path },
];

describe("tokens in files", () => {
  test("xml-token takes the API key from config.xml", async () => {
    await using app = await startApp({
      "GET /api/v3/downloadclient": ({ headers }) =>
        headers["x-api-key"] === "0123abcd" ? { body: [] } : { status: 401 },
      "POST /api/v3/downloadclient": () => ({ status: 201, body: {} }),
    });
    write("config.xml", "<Config>\n  <Port>8989</Port>\n  <ApiKey>0123abcd</ApiKey>\n</Config>\n");
    const ran = await bench.run({ file: "xml-token.ts", entrypoint: "addDownloadClient", app, mounts: mounts() });
    expect(resultOf(ran)).toEqual({ created: true });
    expect(ran.audit).toContainEqual(expect.objectContaining({ kind: "file", method: "read", allowed: true }));
  });

  test("xml-token fails with context when the file holds no key", async () => {
    write("config.xml", "<Config></Config>");
    const { outcome } = await bench.run({ file: "xml-token.ts", entrypoint: "addDownloadClient", mounts: mounts() });
    expect(outcome).toMatchObject({
      message: "config.xml holds no API key",
      context: [{ label: "mount", value: "/config" }],
    });
  });

  test("ini-token reads an INI file and sends the key as a query", async () => {
    await using app = await startApp({ "GET /tau/api": () => ({ body: { result: "success", language: "日本語" } }) });
    write("app/settings.ini", "; comment\r\n[general]\r\nbase_url = /tau\r\napi_key=k&y\r\n[ui]\r\ntheme = dark\r\n");
    const ran = await bench.run({ file: "ini-token.ts", entrypoint: "enableHistory", app, mounts: mounts() });
    expect(resultOf(ran)).toEqual({ result: "success", query: "apikey=k%26y&cmd=enable_history", theme: "dark" });
  });

  test("newest-backup orders a directory by modification time", async () => {
    for (const [index, name] of ["new", "old", "older"].entries()) {
      const file = write(`backups/${name}.json`, JSON.stringify({ version: 3 - index }));
      utimesSync(file, 1000, 2_000_000_000 - index * 1000);
    }
    write("backups/readme.txt", "no");
    mkdirSync(join(folder.path, "backups/sub.json"));
    const ran = await bench.run({ file: "newest-backup.ts", entrypoint: "checkBackup", mounts: mounts() });
    expect(resultOf(ran)).toEqual({ newest: "new", version: 3 });
  });
});

describe("databases", () => {
  test("sqlite-api-key reads the key from a database in use", async () => {
    const db = new Database(join(folder.path, "app.db"));
    db.pragma("journal_mode = WAL");
    db.exec("CREATE TABLE settings (name TEXT, value TEXT); INSERT INTO settings VALUES ('apikey', 'from-db')");
    await using app = await startApp({
      "POST /api/rescan": ({ headers }) =>
        headers["x-api-key"] === "from-db" ? { body: { started: true } } : { status: 401 },
    });
    const ran = await bench.run({ file: "sqlite-api-key.ts", entrypoint: "rescan", app, mounts: mounts() });
    db.close();
    expect(resultOf(ran)).toEqual({ started: true });
  });

  test("sqlite-users binds parameters, reads blobs, and cannot write", async () => {
    const db = new Database(join(folder.path, "users.db"));
    db.exec("CREATE TABLE users (id INTEGER PRIMARY KEY, name TEXT, role TEXT, avatar BLOB)");
    const insert = db.prepare("INSERT INTO users (name, role, avatar) VALUES (?, ?, ?)");
    insert.run("anna", "admin", Buffer.from([0, 255, 128]));
    insert.run("ben", "user", null);
    insert.run("cleo ü", "admin", null);
    db.close();
    const ran = await bench.run({ file: "sqlite-users.ts", entrypoint: "listUsers", mounts: mounts() });
    expect(resultOf(ran)).toMatchObject({
      count: 3,
      admins: [
        { name: "anna", bytes: 3 },
        { name: "cleo ü", bytes: 0 },
      ],
      refused: "SQLiteError",
    });
  });

  test("queries take positions, arrays, and names with and without prefix", async () => {
    const db = new Database(join(folder.path, "n.db"));
    db.exec("CREATE TABLE n (a INTEGER, b TEXT); INSERT INTO n VALUES (1, 'x'), (2, 'y'), (3, NULL)");
    db.close();
    const code = `import { Database } from "bun:sqlite";
      export function run(ctx) {
        const db = new Database(ctx.mounts[0].localPath + "/n.db", { strict: true });
        const all = (sql, ...params) => db.prepare(sql).all(...params);
        return [
          all("SELECT b FROM n WHERE a = ? OR b = ?", 1, "y"),
          all("SELECT b FROM n WHERE a IN (?, ?)", [1n, true]),
          all("SELECT a FROM n WHERE b = $b", { $b: "x" }),
          all("SELECT a FROM n WHERE b = :b", { b: "y" }),
          [...db.query("SELECT a FROM n").iterate()].length,
          db.query("SELECT a, b FROM n ORDER BY a DESC").get(),
          db.query("SELECT a FROM n WHERE a > 9").get(),
        ];
      }`;
    expect(resultOf(await bench.run({ code, mounts: mounts() }))).toEqual([
      [{ b: "x" }, { b: "y" }],
      [{ b: "x" }],
      [{ a: 1 }],
      [{ a: 2 }],
      3,
      { a: 3, b: null },
      null,
    ]);
  });

  test("a missing database is an error that names it", async () => {
    const { outcome } = await bench.run({ file: "sqlite-api-key.ts", entrypoint: "rescan", mounts: mounts() });
    expect(outcome).toMatchObject({ status: "failed", message: expect.stringContaining("app.db") });
  });
});

describe("files sent", () => {
  const parts = ({ headers, body }: Received) =>
    new Response(new Uint8Array(body), { headers: { "content-type": headers["content-type"] ?? "" } }).formData();

  test("multipart-upload sends file and fields as multipart/form-data", async () => {
    const picture = Buffer.from(Array.from({ length: 70_000 }, (_, i) => (i * 31) % 256));
    await using app = await startApp({ "POST /api/assets": () => ({ status: 201, body: { id: "asset-1" } }) });
    const path = write("pictures/ä b.jpg", picture);
    const files = [{ path, containerPath: null, name: "ä b.jpg", extension: ".jpg", size: picture.length }];
    const context = { inputs: { key: "k" }, target: { type: "files", files } };
    const ran = await bench.run({ file: "multipart-upload.ts", entrypoint: "upload", app, mounts: mounts(), context });
    expect(resultOf(ran)).toEqual(["asset-1"]);
    expect(ran.calls).toEqual([{ kind: "setProgress", percent: 99 }]);
    const [request] = app.received;
    const form = await parts(request as Received);
    const asset = form.get("assetData") as File;
    expect([form.get("deviceAssetId"), form.get("isFavorite")]).toEqual([`ä b.jpg-${picture.length}`, "false"]);
    expect([asset.name, asset.type]).toEqual(["ä b.jpg", "image/jpeg"]);
    expect(Buffer.from(await asset.arrayBuffer()).equals(picture)).toBe(true);
  });

  test("import-documents reports each refused file", async () => {
    await using app = await startApp({
      "POST /consume": ({ body }) => (body.includes("bad") ? { status: 422, body: "not a document" } : { status: 202 }),
    });
    const files = ["good.pdf", "bad.exe", "worse bad.pdf"].map((name) => ({
      name,
      containerPath: `/in/${name}`,
      path: name,
      extension: "",
    }));
    const context = { target: { type: "files", files } };
    const { outcome } = await bench.run({ file: "import-documents.ts", entrypoint: "importDocuments", app, context });
    expect(outcome).toMatchObject({
      message: "2 of 3 documents were refused",
      context: [
        { label: "bad.exe", value: "not a document" },
        { label: "worse bad.pdf", value: "not a document" },
      ],
    });
  });

  test("avatar sends and receives bytes unchanged", async () => {
    let stored: Buffer = Buffer.alloc(0);
    await using app = await startApp({
      "PUT /avatar": ({ body }) => {
        stored = body;
        return { status: 204 };
      },
      "GET /avatar": () => ({ body: stored, headers: { "content-type": "image/png" } }),
    });
    const ran = await bench.run({ file: "avatar.ts", entrypoint: "setAvatar", app });
    expect(resultOf(ran)).toMatchObject({ status: 204, same: true });
    expect(stored.subarray(1, 4).toString()).toBe("PNG");
  });
});

describe("pairing", () => {
  test("pair-indexer connects two apps, and updates an existing connection", async () => {
    const key = write("key.txt", "library-key\n");
    await using app = await startApp({
      "POST /api/indexers/sync": () => ({ body: {} }),
      "GET /api/indexers": () => ({ body: { indexers: 4 } }),
    });
    const known: unknown[] = [];
    const remember = ({ body }: Received) => {
      known.push({ id: 9, ...JSON.parse(body.toString()) });
      return { status: 201, body: {} };
    };
    await using prowler = await startApp({
      "GET /api/applications": () => ({ body: known }),
      "POST /api/applications": remember,
      "PUT /api/applications/9": () => ({ body: {} }),
    });
    const request = { file: "pair-indexer.ts", entrypoint: "connect", app, mounts: mounts() };
    const context = { resourceId: "library" };
    expect(resultOf(await bench.run({ ...request, context, others: { prowler } }))).toEqual({ indexers: 4 });
    expect(known).toEqual([{ id: 9, name: "library", baseUrl: app.url, apiKey: readFileSync(key, "utf8").trim() }]);
    resultOf(await bench.run({ ...request, context, others: { prowler } }));
    expect(prowler.received.at(-1)?.path).toBe("/api/applications/9");
    expect((await bench.run(request)).outcome).toMatchObject({ message: "Prowler is not installed" });
  });
});
