/** What an embedder's own bundler makes of `slipway/elements`, and what it takes to have the one stream of all tabs. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build, type Format } from "esbuild";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { buildWeb } from "../../../scripts/build/web.ts";
import { createHttpApp, createPage } from "../../../src/http/index.ts";
import { type ServedEngine, serveEngine } from "../../support/engine/served-engine.ts";
import { startChromium } from "../support/chromium.ts";
import { openScreen } from "../support/screen.ts";
import { findWorkers } from "../support/stream-worker.ts";
import { type Appliance, startAppliance } from "./start-appliance.ts";

const POLICY =
  "default-src 'self'; style-src 'self' 'unsafe-inline'; require-trusted-types-for 'script'; trusted-types";

describe("a page of an embedder", () => {
  const folder = mkdtempSync(join(tmpdir(), "slipway-bundled-"));
  const files = join(folder, "page");
  const closing = new AbortController();
  let served: ServedEngine;
  let browser: Awaited<ReturnType<typeof startChromium>>;
  beforeAll(async () => {
    [browser, served] = await Promise.all([startChromium(), serveEngine(), buildWeb(files)]);
    await served.engine.settled((await served.engine.install("demo-media", {})).id);
  });
  afterAll(async () => {
    closing.abort();
    await browser?.close();
    await served?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  /** Bundles an embedder's program as a bundler does that knows nothing of the package. */
  const bundle = async (format: Format, external: readonly string[] = []) => {
    const outdir = join(folder, `out-${format}-${external.length}`);
    const contents = `import { useToken } from "slipway/elements"; useToken(() => undefined);`;
    const stdin = { contents, resolveDir: folder, sourcefile: "own.js" };
    await build({
      ...{ stdin, outdir, format, bundle: true, splitting: format === "esm", logLevel: "silent" },
      alias: { "slipway/elements": external[0] ?? join(files, "assets/elements.js") },
      external: [...external],
    });
    return outdir;
  };
  const show = async (script: string, own: string, policy?: string) => {
    const body = `<slip-activity></slip-activity><slip-catalog></slip-catalog>${script}`;
    const appliance: Appliance = await startAppliance({
      document: `<!doctype html><html lang="en"><head><title>Own</title></head><body>${body}</body></html>`,
      ...{ own, policy, interface: createHttpApp(served.engine, { closing: closing.signal }) },
      page: createPage({ base: "/slipway/", files }),
    });
    const context = await browser.newContext({ locale: "en-GB" });
    onTestFinished(async () => {
      await context.close();
      appliance.close();
    });
    const tabs = [await openScreen(context, appliance.url), await openScreen(context, appliance.url)] as const;
    for (const { page } of tabs) {
      await page.locator("slip-activity").getByText("Install Demo Media").waitFor();
      await page.locator("slip-catalog").getByText("Demo Notes").first().waitFor();
    }
    return tabs;
  };

  it.each([
    ["modules that share parts", "esm", '<script type="module" src="/own/stdin.js"></script>'],
    ["one script that is no module", "iife", '<script src="/own/stdin.js"></script>'],
  ] as const)("bundled as %s has streams of its own", async (_, format, script) => {
    const tabs = await show(script, await bundle(format));
    expect(await findWorkers(browser)).toEqual([]);
    await served.engine.settled((await served.engine.restartApp("demo-media")).id);
    for (const { page } of tabs) await page.getByText("Restart Demo Media").first().waitFor();
  });

  it("that leaves the elements where they are served has one stream for all tabs", async () => {
    const own = await bundle("esm", ["/slipway/assets/elements.js"]);
    const tabs = await show('<script type="module" src="/own/stdin.js"></script>', own);
    expect(await findWorkers(browser)).toHaveLength(1);
    expect(tabs.flatMap(({ faults }) => faults)).toEqual([]);
  });

  it("may load the elements twice where its policy takes a name again", async () => {
    const own = await bundle("esm");
    const scripts = ["/slipway/assets/elements.js", "/own/stdin.js"];
    const script = scripts.map((src) => `<script type="module" src="${src}"></script>`).join("");
    const tabs = await show(script, own, `${POLICY} lit-html slipway 'allow-duplicates'`);
    expect(tabs.flatMap(({ faults }) => faults)).toEqual([]);
  });
});
