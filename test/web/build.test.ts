import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { packedWords } from "../../scripts/build/packed-words.ts";
import { shrinkTemplates } from "../../scripts/build/small-templates.ts";
import { buildWeb } from "../../scripts/build/web.ts";
import { de } from "../../src/web/ui/words/de.ts";
import { listPhrases } from "./support/list-phrases.ts";

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

  it("have the German words as they were written", async () => {
    const entry = fileURLToPath(new URL("../../src/web/ui/words/de.ts", import.meta.url));
    const made = await build({
      entryPoints: [entry],
      bundle: true,
      write: false,
      format: "esm",
      plugins: [packedWords],
    });
    const text = made.outputFiles[0]?.text ?? "";
    expect(text).not.toContain('activity: {\n    back: "Alle');
    const packed: { readonly de: object } = await import(`data:text/javascript,${encodeURIComponent(text)}`);
    expect(listPhrases(packed.de)).toEqual(listPhrases(de));
  });

  it("have templates without broken lines, needless quotes and what closes by itself, and all else as it was", () => {
    const plain = 'const text = `a="b"\n c`; ';
    const templates = `html\`<ul class="one \${text}"\n  role="list"\n>\${html\`<li\n  class="a" title="a b">\${1}</li>\`}\n<p></p>\n</ul>\`; html\`<p><textarea>\${1}</textarea></p>\`;`;
    const small = `html\`<ul class="one \${text}" role=list>\${html\`<li class=a title="a b">\${1}\`} <p>\`; html\`<p><textarea>\${1}</textarea>\`;`;
    expect(shrinkTemplates(plain + templates)).toBe(plain + small);
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
