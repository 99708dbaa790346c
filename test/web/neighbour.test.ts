/**
 * An installed app's page on another port of the appliance, open beside the engine's own: over plain http by name, where
 * browsers lend it the session's cookie and say neither `Sec-Fetch-Site` nor, of a read, `Origin`.
 */
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { buildWeb } from "../../scripts/build/web.ts";
import { SILENT_LOGGER } from "../../src/engine/system/silent-logger.ts";
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
  const refused: string[] = [];
  const logger = {
    ...SILENT_LOGGER,
    warn: ({ method, path, code }: Readonly<Record<string, unknown>>) => void refused.push(`${method} ${path} ${code}`),
  };

  beforeAll(async () => {
    [browser] = await Promise.all([startChromium(["--host-resolver-rules=MAP nas 127.0.0.1"]), buildWeb(pageFiles)]);
    served = await serveEngine({ server: { token: TOKEN, allowedHosts: ["nas"], pageFiles, logger } });
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
    own.page.evaluate(
      async () => (await fetch("/api/notifications/read", { method: "POST", headers: { "x-slipway": "1" } })).status,
    );

  it("has the engine do nothing with the session its browser lends it", async () => {
    expect(cookies[0]).toContain("slipway_session_");
    refused.splice(0);
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
    expect(refused).toEqual([
      "GET /api/apps/demo-notes/form HTTP_UNAUTHORIZED",
      "GET /api/events HTTP_UNAUTHORIZED",
      "POST /api/catalog/sync HTTP_ORIGIN_REFUSED",
      "GET /api/tasks HTTP_ORIGIN_REFUSED",
      "OPTIONS /api/tasks HTTP_ORIGIN_REFUSED",
      "GET /api/apps/demo-notes/icon HTTP_UNAUTHORIZED",
    ]);
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
