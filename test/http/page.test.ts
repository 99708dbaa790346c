/** The page's files: what is built is answered with the right headers, and nothing else of the machine. */
import { mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { Hono } from "hono";
import { afterAll, beforeAll, describe, expect } from "vitest";
import { buildWeb } from "../../scripts/build/web.ts";
import { SILENT_LOGGER } from "../../src/engine/system/silent-logger.ts";
import { createPage } from "../../src/http/page.ts";
import { startHttpServer } from "../../src/http/server.ts";
import { closeAfterTest, it, openWorld } from "../support/engine/engine-test.ts";

const TOKEN = "a-token-of-some-length";
const files = mkdtempSync(join(tmpdir(), "slipway-page-"));
beforeAll(async () => {
  await buildWeb(files);
  symlinkSync("/etc/passwd", join(files, "assets/linked.json"));
});
afterAll(() => rmSync(files, { recursive: true, force: true }));

async function ask(path: string, init?: RequestInit, base?: string) {
  return createPage({ files, ...(base !== undefined && { base }) }).request(path, init);
}

describe("the page", () => {
  it("is its document at each of its addresses, under a policy that lets nothing foreign in", async () => {
    const paths = ["/", "/apps", "/apps/demo-notes", "/activity/t1", "/files/pool/x.txt", "/health", "/notifications"];
    for (const path of paths) {
      const response = await ask(path);
      expect([path, response.status, response.headers.get("content-type")]).toEqual([
        path,
        200,
        "text/html; charset=utf-8",
      ]);
      expect(await response.text()).toContain('<script type="module" src="/assets/page.js">');
      expect(Object.fromEntries(response.headers)).toMatchObject({
        "content-security-policy":
          "default-src 'self'; img-src 'self' data:; object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types lit-html slipway",
        "cross-origin-opener-policy": "same-origin",
        "cross-origin-resource-policy": "same-origin",
        "referrer-policy": "no-referrer",
        "x-content-type-options": "nosniff",
        "cache-control": "no-cache",
      });
    }
  });

  it("keeps its window to itself where browsers heed that, and else says nothing they would complain of", async () => {
    const policy = async (address: string, headers: Record<string, string> = {}) =>
      (await ask(address, { headers })).headers.get("cross-origin-opener-policy");
    const trusted = ["https://nas/", "http://localhost:8765/", "http://127.0.0.1/apps", "http://[::1]:8765/"];
    for (const address of trusted) expect([address, await policy(address)]).toEqual([address, "same-origin"]);
    for (const address of ["http://nas/", "http://192.168.1.9:8765/"]) {
      expect([address, await policy(address)]).toEqual([address, null]);
      expect(await policy(address, { "x-forwarded-proto": "HTTPS, http" })).toBe("same-origin");
      expect(await policy(address, { "x-forwarded-proto": "http" })).toBeNull();
    }
  });

  it("has its base path in what the document asks for", async () => {
    const page = await (await ask("/slipway/apps/x", {}, "/slipway")).text();
    expect(page.match(/(?:src|href)="[^"]+"/g)?.every((address) => address.includes('"/slipway/assets/'))).toBe(true);
    expect((await ask("/slipway/assets/page.js", {}, "/slipway")).status).toBe(200);
    expect((await ask("/slipway", {}, "/slipway/")).status).toBe(200);
    for (const base of ["slipway", "/a b/", '/"/', "//evil.example/", "/../"]) {
      expect(() => createPage({ base, files }), base).toThrow("is not a path");
    }
  });

  it("stands beside the routes of an embedder", async () => {
    const app = new Hono();
    app.route("/slipway", createPage({ base: "/slipway/", files }));
    app.get("/slipway/own", (c) => c.text("mine"));
    expect(await (await app.request("/slipway/")).text()).toContain("/slipway/assets/page.js");
    expect((await app.request("/slipway/assets/page.css")).headers.get("content-type")).toBe("text/css; charset=utf-8");
    expect(await (await app.request("/slipway/own")).text()).toBe("mine");
  });

  it("answers nothing outside its base, where an embedder's own addresses are called as its are", async () => {
    const app = new Hono();
    app.route("/", createPage({ base: "/slipway/", files }));
    app.get("/apps", (c) => c.text("mine"));
    expect(await (await app.request("/apps")).text()).toBe("mine");
    for (const path of ["/", "/activity/t1", "/assets/page.js", "/slipwayapps"])
      expect([path, (await app.request(path)).status]).toEqual([path, 404]);
    expect(await (await app.request("/slipway/apps")).text()).toContain("/slipway/assets/page.js");
    const mounted = new Hono().mount("/slipway", createPage({ base: "/slipway/", isStripped: true, files }).fetch);
    expect(await (await mounted.request("/slipway/apps")).text()).toContain("/slipway/assets/page.js");
  });

  it("has its files kept as long as they are the same", async () => {
    const script = await (await ask("/assets/page.js")).text();
    const chunk = /\.\/(chunk-[A-Z0-9]{8}\.js)/.exec(script)?.[1];
    expect((await ask(`/assets/${chunk}`)).headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
    const entry = await ask("/assets/page.js");
    expect([entry.headers.get("content-type"), entry.headers.get("cache-control")]).toEqual([
      "text/javascript; charset=utf-8",
      "no-cache",
    ]);
    const etag = entry.headers.get("etag") ?? "";
    expect((await ask("/assets/page.js", { headers: { "if-none-match": `"other", W/${etag}` } })).status).toBe(304);
    expect((await ask("/assets/page.js", { headers: { "if-none-match": '"other"' } })).status).toBe(200);
  });

  it("comes compressed to whoever takes that", async () => {
    const plain = await ask("/assets/page.js");
    const packed = await ask("/assets/page.js", { headers: { "accept-encoding": "br, gzip" } });
    expect([plain.headers.get("content-encoding"), packed.headers.get("vary")]).toEqual([null, "accept-encoding"]);
    const bytes = Buffer.from(await packed.arrayBuffer());
    const text = packed.headers.get("content-encoding") === "gzip" ? gunzipSync(bytes) : bytes;
    expect(text.toString("utf8")).toBe(await plain.text());
    expect((await ask("/assets/inter.woff2", { headers: { "accept-encoding": "gzip" } })).headers).not.toContain(
      "content-encoding",
    );
  });

  it("is read and nothing else", async () => {
    for (const method of ["POST", "PUT", "DELETE", "PATCH"]) {
      const refused = await ask("/apps", { method });
      expect([method, refused.status, refused.headers.get("allow")]).toEqual([method, 405, "GET, HEAD"]);
      expect(refused.headers.get("content-security-policy")).toContain("default-src 'self'");
      expect(refused.headers.get("x-content-type-options")).toBe("nosniff");
    }
    const head = await ask("/assets/page.js", { method: "HEAD" });
    expect([head.status, await head.text()]).toEqual([200, ""]);
  });

  it("is no way to any other file", async () => {
    const paths = [
      "/nowhere",
      "/assets",
      "/assets/",
      "/assets/nothing.js",
      "/assets/linked.json",
      "/assets/../../package.json",
      "/assets/%2e%2e/%2e%2e/package.json",
      "/assets/..%2f..%2fpackage.json",
      "/assets\\..\\..\\package.json",
      "/%2fetc/passwd",
      "/assets/page.js%00",
      "/__proto__",
    ];
    for (const path of paths) expect([path, (await ask(path)).status]).toEqual([path, 404]);
  });
});

describe("a server with the page", () => {
  async function serve(pageFiles: string) {
    const { engine } = await openWorld({ catalog: { a: {} } });
    const logged: string[] = [];
    const logger = { ...SILENT_LOGGER, info: (_: object, message: string) => void logged.push(message) };
    const options = { address: "127.0.0.1", port: 0, token: TOKEN, logger, pageFiles };
    const server = await startHttpServer(engine, options);
    closeAfterTest(server);
    return { url: server.url, logged };
  }

  it("shows it to whoever has no token yet, and guards all else as before", async () => {
    const { url } = await serve(files);
    const status = async (path: string, init?: RequestInit) => (await fetch(`${url}${path}`, init)).status;
    expect([await status("/"), await status("/activity/t1"), await status("/assets/page.js")]).toEqual([200, 200, 200]);
    for (const path of ["/api/tasks", "/api/health", "/api", "/nowhere", "/assets/nothing.js"]) {
      expect([path, await status(path)]).toEqual([path, 401]);
    }
    expect(await status("/apps", { method: "POST" })).toBe(401);
    const bearer = { authorization: `Bearer ${TOKEN}` };
    expect(await status("/apps", { method: "POST", headers: bearer })).toBe(405);
    expect(await status("/nowhere", { headers: bearer })).toBe(404);
    expect(await status("/api/tasks", { headers: bearer })).toBe(200);
  });

  it("may be linked to from another site, which can take none of it in and never asks the interface", async () => {
    const { url } = await serve(files);
    const foreign = { headers: { "sec-fetch-site": "cross-site", authorization: `Bearer ${TOKEN}` } };
    const statuses = ["/apps", "/assets/page.js", "/api/tasks"].map(
      async (path) => (await fetch(`${url}${path}`, foreign)).status,
    );
    expect(await Promise.all(statuses)).toEqual([200, 403, 403]);
  });

  it("stands alone where nothing is built, and says so", async () => {
    const { url, logged } = await serve(join(files, "nothing"));
    expect(logged).toEqual(["the page is not built (npm run build:web): the interface stands alone"]);
    const bearer = { headers: { authorization: `Bearer ${TOKEN}` } };
    const statuses = ["/", "/assets/page.js", "/api/tasks"].map(
      async (path) => (await fetch(`${url}${path}`, bearer)).status,
    );
    expect(await Promise.all(statuses)).toEqual([404, 404, 200]);
    expect(() => createPage({ files: join(files, "nothing") })).toThrow("the page is not built");
  });
});
