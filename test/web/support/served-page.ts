/** The built page in front of a real engine on the embedded host, and a browser for it. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, BrowserContextOptions } from "playwright-core";
import { buildWeb } from "../../../scripts/build/web.ts";
import { type ServedEngine, serveEngine } from "../../support/engine/served-engine.ts";
import { startChromium } from "./chromium.ts";
import { openScreen, type Screen } from "./screen.ts";

export interface ServedPage extends ServedEngine {
  readonly browser: Browser;
  /** Folder of the built page. */
  readonly pageFiles: string;
  /** Opens a path in a browser of its own, which shares nothing with others. */
  open(path: string, options?: BrowserContextOptions): Promise<Screen>;
}

/** Serves the page as it is in the sources now; see `serveEngine` for the options. */
export async function servePage(options: Parameters<typeof serveEngine>[0] = {}): Promise<ServedPage> {
  const pageFiles = mkdtempSync(join(tmpdir(), "slipway-page-"));
  const [browser] = await Promise.all([startChromium(), buildWeb(pageFiles)]);
  const served = await serveEngine({ ...options, server: { pageLogs: true, ...options.server, pageFiles } });
  return {
    ...served,
    browser,
    pageFiles,
    open: async (path, contextOptions) =>
      openScreen(await browser.newContext({ locale: "en-GB", ...contextOptions }), `${served.server.url}${path}`),
    close: async () => {
      await browser.close();
      await served.close();
      rmSync(pageFiles, { recursive: true, force: true });
    },
  };
}
