import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { buildWeb } from "../../scripts/build/web.ts";

describe("the built files of a browser", () => {
  const folder = mkdtempSync(join(tmpdir(), "slipway-web-"));
  let inputs: readonly string[] = [];
  beforeAll(async () => {
    inputs = await buildWeb(folder);
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it("hold nothing of the engine", () => {
    const sources = inputs.filter((file) => !file.startsWith("node_modules/"));
    expect(sources.filter((file) => !file.startsWith("src/web/"))).toEqual([]);
  });

  it("ask for what is beside them alone", () => {
    const page = readFileSync(join(folder, "index.html"), "utf8");
    expect(page.match(/(?:src|href)="[^"]+"/g)).toEqual([
      'href="/assets/icon.svg"',
      'href="/assets/page.css"',
      'src="/assets/page.js"',
    ]);
  });
});
