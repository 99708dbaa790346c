/** What a browser loads, in bytes on the wire: JavaScript and styles, compressed as the server does. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { buildWeb } from "../../scripts/build/web.ts";
import { gzipSmall } from "../../src/http/page-files.ts";

/** kB of 1,000 bytes. */
const FIRST_LOAD_KB = 40;
const EMBEDDED_KB = 45;
const EVERYTHING_KB = 85;

describe("the files of a browser", () => {
  const folder = mkdtempSync(join(tmpdir(), "slipway-budgets-"));
  const assets = join(folder, "assets");
  beforeAll(async () => {
    await buildWeb(folder);
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const weigh = (names: Iterable<string>) =>
    [...names].reduce((sum, name) => sum + gzipSmall(readFileSync(join(assets, name))).length, 0) / 1_000;

  /** A module with all it imports at once; what it imports later is left out. */
  function close(entry: string, found = new Set<string>()): ReadonlySet<string> {
    if (found.has(entry)) return found;
    found.add(entry);
    const text = readFileSync(join(assets, entry), "utf8");
    for (const [, name = ""] of text.matchAll(/(?:from|import)\s*"\.\/([\w.-]+\.js)"/g)) close(name, found);
    return found;
  }

  it(`are at most ${FIRST_LOAD_KB} kB before the page shows`, () => {
    const first = close("page.js");
    expect(first.size).toBeGreaterThan(1);
    expect(weigh([...first, "page.css"])).toBeLessThan(FIRST_LOAD_KB);
  });

  it(`are at most ${EMBEDDED_KB} kB for a page of others that loads the elements`, () => {
    const embedded = close("elements.js");
    expect(embedded.size).toBeGreaterThan(1);
    expect(weigh(embedded)).toBeLessThan(EMBEDDED_KB);
  });

  it(`are at most ${EVERYTHING_KB} kB in all`, () => {
    const all = readdirSync(assets).filter((name) => /\.(?:js|css)$/.test(name));
    expect(weigh(all)).toBeLessThan(EVERYTHING_KB);
  });

  it.each(["slip-catalog-view", "slip-chart", "slip-files-view", "slip-picker"])("bring %s when it is shown", (tag) => {
    const first = [...close("page.js"), ...close("elements.js")];
    const defining = readdirSync(assets).filter((name) =>
      new RegExp(`(["\`])${tag}\\1`).test(readFileSync(join(assets, name), "utf8")),
    );
    expect(defining).toHaveLength(1);
    expect(first).not.toContain(defining[0]);
  });
});
