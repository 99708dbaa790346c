/** An appliance's own page, made with another framework, has the elements in it and hears what they tell. */
import { mkdtempSync, rmSync } from "node:fs";
import { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { serve } from "@hono/node-server";
import { build } from "esbuild";
import { Hono } from "hono";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { buildWeb } from "../../../scripts/build/web.ts";
import { createHttpApp, createPage } from "../../../src/http/index.ts";
import { type ServedEngine, serveEngine } from "../../support/engine/served-engine.ts";
import { startChromium } from "../support/chromium.ts";
import { openScreen } from "../support/screen.ts";

const FRAMEWORKS = ["react", "vue", "angular"] as const;

/** Of a person the appliance has let in. */
const SESSION = "a-session-of-the-appliance";

describe("a page of another framework", () => {
  const files = mkdtempSync(join(tmpdir(), "slipway-embed-"));
  const closing = new AbortController();
  let served: ServedEngine;
  let browser: Browser;
  let server: Server;
  let url = "";
  /** What the appliance's authentication has let through. */
  const letIn: string[] = [];

  beforeAll(async () => {
    const [bundles] = await Promise.all([bundlePages(), buildWeb(files)]);
    [browser, served] = await Promise.all([startChromium(), serveEngine()]);
    const routes = createHttpApp(served.engine, { closing: closing.signal });
    const app = new Hono();
    for (const framework of FRAMEWORKS) {
      app.get(`/${framework}`, (c) => c.html(writeDocument(framework)));
      app.get(`/${framework}.js`, (c) => c.body(bundles[framework], 200, { "content-type": "text/javascript" }));
    }
    const loaded = Promise.withResolvers<void>();
    app.get("/head", (c) => c.html(EARLY_DOCUMENT));
    app.get("/loaded", (c) => {
      loaded.resolve();
      return c.body(null, 204);
    });
    app.get("/late.js", async (c) => {
      await loaded.promise;
      return c.body("", 200, { "content-type": "text/javascript" });
    });
    app.get("/favicon.ico", (c) => c.body(null, 204));
    app.route("/slipway", routes);
    const setCookie = `appliance=${SESSION}; HttpOnly; SameSite=Strict; Path=/`;
    app.get("/login", (c) => c.body("in", 200, { "set-cookie": setCookie }));
    app.use("/guarded/*", async (c, next) => {
      if (c.req.header("cookie") !== `appliance=${SESSION}`) return c.text("Forbidden", 403);
      letIn.push(`${c.req.method} ${c.req.path}`);
      return next();
    });
    const anna = { id: "anna", name: "Anna", how: "page" } as const;
    app.route("/guarded", createHttpApp(served.engine, { closing: closing.signal, actor: () => anna }));
    app.route("/guarded", createPage({ base: "/guarded/", files }));
    app.mount("/slipway", createPage({ base: "/slipway/", isStripped: true, files }).fetch);
    server = await listen(app);
    url = `http://127.0.0.1:${readPort(server)}`;
  });

  afterAll(async () => {
    closing.abort();
    await browser?.close();
    server?.closeAllConnections();
    server?.close();
    await served?.close();
    rmSync(files, { recursive: true, force: true });
  });

  const settle = async ({ id }: { readonly id: string }) =>
    expect(await served.engine.settled(id)).toMatchObject({ state: "COMPLETED" });

  it.each(FRAMEWORKS)(
    "of %s embeds activity, task, install and widget, and hears what they tell",
    async (framework) => {
      const { engine } = served;
      const context = await browser.newContext({ locale: "en-GB" });
      const { page, faults } = await openScreen(context, `${url}/${framework}`);
      const dialog = page.locator("slip-install");
      const heading = (name: string) => page.locator("slip-task").getByRole("heading", { name });
      await page.getByRole("button", { name: "Get Demo Media" }).click();
      await dialog.getByRole("heading", { name: "Install Demo Media" }).waitFor();
      await page.keyboard.press("Escape");
      await dialog.waitFor({ state: "detached" });

      await page.getByRole("button", { name: "Get Demo Media" }).click();
      await dialog.getByRole("button", { name: "Install", exact: true }).click();
      await heading("Install Demo Media").waitFor();
      await dialog.waitFor({ state: "detached" });
      for (const { id } of engine.tasks()) await engine.settled(id);
      await page.locator('slip-widget[standing="ready"]').getByRole("heading", { name: "Library" }).waitFor();

      await settle(await engine.restartApp("demo-media"));
      await page.locator("slip-activity").getByRole("button", { name: "Restart Demo Media" }).first().click();
      await heading("Restart Demo Media").waitFor();
      expect(faults).toEqual([]);
      await context.close();
      await settle(await engine.uninstall("demo-media"));
    },
  );

  it("stands behind an authentication of its own: whoever it refuses gets nothing of the page nor of the interface", async () => {
    const paths = ["", "/", "/apps", "/assets/page.js", "/api/tasks", "/api/events", "/api/openapi.json"];
    for (const path of paths) expect([path, (await fetch(`${url}/guarded${path}`)).status]).toEqual([path, 403]);
    const body = { method: "POST", headers: { "content-type": "application/json" }, body: "{}" };
    const tasks = served.engine.tasks().length;
    expect((await fetch(`${url}/guarded/api/apps/demo-media/install`, body)).status).toBe(403);
    expect(served.engine.tasks()).toHaveLength(tasks);

    const context = await browser.newContext({ locale: "en-GB" });
    await context.addCookies([{ name: "appliance", value: SESSION, url, httpOnly: true, sameSite: "Strict" }]);
    const { page, faults } = await openScreen(context, `${url}/guarded/apps/demo-media/install`);
    await page.getByRole("heading", { name: "Install Demo Media" }).waitFor();
    await page.locator("slip-app-dialog").getByRole("button", { name: "Install", exact: true }).click();
    await page.waitForURL("**/guarded/activity/*");
    await page.getByText("By Anna (page)").first().waitFor();
    await page.getByText("Live", { exact: true }).waitFor();
    expect(faults).toEqual([]);
    await context.clearCookies();
    expect((await page.reload())?.status()).toBe(403);
    await context.close();
  });

  it("has no page of an app on another port change anything with the session of the appliance", async () => {
    const other = await listen(new Hono().get("/", (c) => c.html("<!doctype html><title>App</title>")));
    const context = await browser.newContext();
    const page = await context.newPage();
    await page.goto(`${url}/login`);
    await page.goto(`http://127.0.0.1:${readPort(other)}`);
    const tasks = served.engine.tasks().length;
    const answered = page.waitForResponse("**/install");
    await page.evaluate(
      (address) => fetch(address, { method: "POST", mode: "no-cors", credentials: "include" }),
      `${url}/guarded/api/apps/demo-media/install`,
    );
    const refused = await answered;
    expect([refused.status(), letIn.at(-1)]).toEqual([403, "POST /guarded/api/apps/demo-media/install"]);
    expect(served.engine.tasks()).toHaveLength(tasks);
    await context.close();
    other.close().closeAllConnections();
  });

  it("that loads the elements before it has a body shows them", async () => {
    const { page, faults } = await openScreen(await browser.newContext({ locale: "en-GB" }), `${url}/head`);
    await page.locator("slip-catalog").getByText("Demo Media").first().waitFor();
    expect(faults).toEqual([]);
  });

  it("that sets the address once an element is there has it begin anew", async () => {
    const { page } = await openScreen(await browser.newContext(), `${url}/react`);
    await page.locator("slip-activity").getByRole("button", { name: "Install Demo Media" }).first().waitFor();
    await page.evaluate(async () => {
      const element = document.createElement("slip-activity");
      element.id = "late";
      document.body.append(element);
      await new Promise((resolve) => setTimeout(resolve));
      Object.assign(element, { api: "/slipway/api" });
    });
    await page.locator("#late").getByRole("button", { name: "Install Demo Media" }).first().waitFor();
  });
});

/** The parser waits for the second script, which waits for the elements. */
const EARLY_DOCUMENT = `<!doctype html><html lang="en"><head><title>Early</title>
  <script>import("/slipway/assets/elements.js").finally(() => fetch("/loaded"));</script>
  <script src="/late.js"></script></head><body><slip-catalog api="/slipway/api"></slip-catalog></body></html>`;

async function bundlePages(): Promise<Readonly<Record<(typeof FRAMEWORKS)[number], string>>> {
  const { outputFiles } = await build({
    entryPoints: FRAMEWORKS.map((framework) => fileURLToPath(new URL(`${framework}-page.ts`, import.meta.url))),
    bundle: true,
    format: "esm",
    write: false,
    outdir: "out",
    define: { "process.env.NODE_ENV": '"production"' },
  });
  const [react = "", vue = "", angular = ""] = outputFiles.map(({ text }) => text);
  return { react, vue, angular };
}

function writeDocument(framework: string): string {
  return `<!doctype html><html lang="en"><head><title>${framework}</title>
    <script type="module" src="/slipway/assets/elements.js"></script>
    <script type="module" src="/${framework}.js"></script></head><body><div id="root"></div></body></html>`;
}

async function listen(app: Hono): Promise<Server> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const server = serve({ fetch: app.fetch, hostname: "127.0.0.1", port: 0 }, () => resolve());
  await promise;
  if (!(server instanceof Server)) throw new Error("the adapter served no HTTP/1.1");
  return server;
}

function readPort(server: Server): number {
  const address: AddressInfo | string | null = server.address();
  if (address === null || typeof address === "string") throw new Error("the server has no port");
  return address.port;
}
