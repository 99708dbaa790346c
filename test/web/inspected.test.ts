/** The page of a database that is only looked at: it shows the tasks, offers nothing, and says what else it can't show. */
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openReader } from "../../src/adapters/store-sqlite/open-store.ts";
import { createInspectedEngine } from "../../src/cli/inspect/inspected-engine.ts";
import { SILENT_LOGGER } from "../../src/engine/system/silent-logger.ts";
import { type HttpServer, startHttpServer } from "../../src/http/server.ts";
import { openScreen } from "./support/screen.ts";
import { type ServedPage, servePage } from "./support/served-page.ts";

describe("the page of an inspected database", () => {
  let served: ServedPage;
  let server: HttpServer;
  let store: ReturnType<typeof openReader>;
  let id = "";
  beforeAll(async () => {
    served = await servePage();
    ({ id } = await served.engine.install("demo-notes", {}));
    store = openReader(join(served.localPath(""), "../slipway.db"));
    const options = { address: "127.0.0.1", port: 0, logger: SILENT_LOGGER, pageFiles: served.pageFiles };
    server = await startHttpServer(createInspectedEngine(store), options);
  });
  afterAll(async () => {
    await server?.close();
    store?.close();
    await served?.close();
  });

  it.each(["", "apps", "files", "health", "notifications", "upgrades", "audit"])(
    "says at /%s what it can't show, and nothing of it as broken",
    async (path) => {
      const context = await served.browser.newContext({ locale: "en-GB" });
      const { page } = await openScreen(context, `${server.url}/${path}`);
      await page.getByText("Live", { exact: true }).waitFor();
      await expect.poll(() => page.getByText("Loading", { exact: true }).count()).toBe(0);
      expect(await page.getByRole("alert").count()).toBe(0);
      expect(await page.getByText("Does not work").count()).toBe(0);
      await context.close();
    },
  );

  it("offers no decision about a task that is not finished", async () => {
    const context = await served.browser.newContext({ locale: "en-GB" });
    const { page } = await openScreen(context, `${server.url}/activity/${id}`);
    await page.locator("slip-task").getByRole("heading", { name: "Install Demo Notes" }).waitFor();
    expect(await page.locator("slip-decisions").getByRole("button").count()).toBe(0);
    await context.close();
  });
});
