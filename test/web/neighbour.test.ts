/**
 * An installed app's page on another port of the appliance, open beside the engine's own: over plain http by name, where
 * browsers lend it the session's cookie and say neither `Sec-Fetch-Site` nor, of a read, `Origin`.
 */
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, Page, Request } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { buildWeb } from "../../scripts/build/web.ts";
import { type ServedEngine, serveEngine } from "../support/engine/served-engine.ts";
import { startChromium } from "./support/chromium.ts";
import { openScreen, type Screen } from "./support/screen.ts";

const TOKEN = "a-token-of-some-length";

describe("the page of an app on another port", () => {
  const pageFiles = mkdtempSync(join(tmpdir(), "slipway-neighbour-"));
  let served: ServedEngine;
  let browser: Browser;
  let other: Server;
  let own: Screen;
  let app: Page;
  const cookies: string[] = [];

  beforeAll(async () => {
    [browser] = await Promise.all([startChromium(["--host-resolver-rules=MAP nas 127.0.0.1"]), buildWeb(pageFiles)]);
    served = await serveEngine({ server: { token: TOKEN, allowedHosts: ["nas"], pageFiles } });
    other = createServer(({ headers }, response) => {
      cookies.push(headers.cookie ?? "");
      response.setHeader("content-type", "text/html").end("<!doctype html><title>App</title>");
    }).listen(0, "127.0.0.1");
    await once(other, "listening");
    const context = await browser.newContext({ locale: "en-GB" });
    own = await openScreen(context, slipway());
    await own.page.getByLabel("Token").fill(TOKEN);
    await own.page.keyboard.press("Enter");
    await own.page.getByText("Live", { exact: true }).waitFor();
    app = await context.newPage();
    const bound = other.address();
    await app.goto(`http://nas:${typeof bound === "object" ? bound?.port : 0}/`);
  });
  afterAll(async () => {
    await browser?.close();
    other?.close();
    await served?.close();
    rmSync(pageFiles, { recursive: true, force: true });
  });

  const slipway = () => `http://nas:${new URL(served.server.url).port}`;
  /** What the owner's page gets for a change. */
  const change = () =>
    own.page.evaluate(async () => {
      const headers = { "x-slipway": localStorage.getItem("slipway-session") ?? "" };
      return (await fetch("/api/notifications/read", { method: "POST", headers })).status;
    });

  it("has the engine do nothing with the session its browser lends it", async () => {
    expect(cookies[0]).toContain("slipway_session_");
    const answered: string[] = [];
    const note = (request: Request, answer: string) =>
      void answered.push(`${request.method()} ${new URL(request.url()).pathname} ${answer}`);
    app.on("response", (response) => note(response.request(), String(response.status())));
    // The browser hides answers that this origin may not read.
    app.on("requestfailed", (request) => note(request, "hidden"));
    await app.evaluate(async (at) => {
      const ask = (path: string, init: RequestInit = {}) =>
        fetch(at + path, { mode: "no-cors", credentials: "include", ...init }).catch(() => null);
      await ask("/api/apps/demo-notes/form");
      await ask("/api/events");
      await ask("/api/catalog/sync", { method: "POST" });
      await ask("/api/tasks", { mode: "cors" });
      await ask("/api/tasks", { mode: "cors", headers: { "x-slipway": "1" } });
      const image = new Image();
      image.src = `${at}/api/apps/demo-notes/icon?optional=true`;
      await new Promise((resolve) => {
        image.onload = resolve;
        image.onerror = resolve;
      });
    }, slipway());
    await expect
      .poll(() => answered.toSorted())
      .toEqual([
        "GET /api/apps/demo-notes/form 401",
        "GET /api/apps/demo-notes/form hidden",
        "GET /api/apps/demo-notes/icon hidden",
        "GET /api/events 401",
        "GET /api/events hidden",
        "GET /api/tasks hidden",
        "GET /api/tasks hidden",
        "POST /api/catalog/sync 403",
        "POST /api/catalog/sync hidden",
      ]);
    expect(served.engine.audit().map(({ method }) => method)).not.toContain("syncCatalog");
  });

  it("gets no further with the cookie it sees than without it: the key lies in the storage of the other port", async () => {
    const seen = cookies.at(-1) ?? "";
    expect(seen).toContain("slipway_session_");
    expect(await app.evaluate(() => localStorage.length)).toBe(0);
    for (const key of [undefined, "1"]) {
      const headers = { cookie: seen, ...(key !== undefined && { "x-slipway": key }) };
      expect((await fetch(`${served.server.url}/api/tasks`, { headers })).status).toBe(401);
    }
  });

  it("keeps the owner neither from changing things nor from logging in", async () => {
    expect(await change()).toBe(200);
    await app.evaluate(async (at) => {
      for (let round = 0; round < 30; round += 1) {
        const asks = Array.from({ length: 6 }, (_, ask) =>
          fetch(`${at}/api/${ask % 2 === 0 ? "tasks" : "session"}`, {
            method: ask % 2 === 0 ? "GET" : "POST",
            mode: "no-cors",
            credentials: round % 2 === 0 ? "include" : "omit",
          }).catch(() => null),
        );
        await Promise.all(asks);
      }
    }, slipway());
    expect(await change()).toBe(200);
    await own.page.getByRole("button", { name: "Log out" }).click();
    await own.page.getByLabel("Token").fill(TOKEN);
    await own.page.keyboard.press("Enter");
    await own.page.getByText("Live", { exact: true }).waitFor();
  });
});
