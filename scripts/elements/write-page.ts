/** Writes the page of examples beside the built elements, under the policy of the page: scripts and styles are files. */
import { copyFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Example } from "./examples.ts";

/** What the page is called in the folder of built files. */
export const EXAMPLES_FILE = "elements.html";

/** Writes the page to the folder that `buildWeb` made. */
export function writeExamples(folder: string, examples: readonly Example[]): void {
  writeFileSync(join(folder, EXAMPLES_FILE), writeDocument(examples));
  writeFileSync(join(folder, "assets/tell-events.js"), writeTeller(examples));
  copyFileSync(fileURLToPath(new URL("./examples.css", import.meta.url)), join(folder, "assets/examples.css"));
  for (const { tag, script } of examples) {
    if (script !== undefined) writeFileSync(join(folder, `assets/example-${tag}.js`), script);
  }
}

function writeDocument(examples: readonly Example[]): string {
  const scripts = [
    "elements",
    "tell-events",
    ...examples.flatMap(({ tag, script }) => (script ? [`example-${tag}`] : [])),
  ];
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Slipway elements</title>
    <link rel="icon" href="/assets/icon.svg">
    <link rel="stylesheet" href="/assets/examples.css">
    ${scripts.map((name) => `<script type="module" src="/assets/${name}.js"></script>`).join("\n    ")}
  </head>
  <body>
    <header>
      <h1>Slipway elements</h1>
      <p>Each element before a real engine on the embedded host, with the text that makes it. All take <code>api</code>, the
        address of the interface (default <code>/api</code>); custom properties with <code>--slip-</code> set their looks.</p>
      <nav aria-label="Elements"><ul>${examples.map(({ tag }) => `<li><a href="#example-${tag}">${tag}</a></li>`).join("")}</ul></nav>
    </header>
    <main>${examples.map(writeExample).join("")}</main>
  </body>
</html>
`;
}

function writeExample({ tag, what, takes, tells, html, elsewhere, script }: Example): string {
  const source = script === undefined ? html : `${html}\n<script type="module">\n${script}\n</script>`;
  return `
      <article id="example-${tag}">
        <h2>${tag}</h2>
        <p>${what}.</p>
        ${writeList("Attributes and properties", takes)}
        ${writeList("Events", tells)}
        <pre tabindex="0" role="region" aria-label="Text of ${tag}"><code>${escapeText(source)}</code></pre>
        <div class="live">${elsewhere ?? html}</div>
        <p class="told"><output aria-label="Event of ${tag}"></output></p>
      </article>`;
}

function writeList(title: string, items: Readonly<Record<string, string>>): string {
  const rows = Object.entries(items).map(([name, text]) => `<dt><code>${name}</code></dt><dd>${text}</dd>`);
  return rows.length === 0 ? "" : `<p>${title}</p><dl>${rows.join("")}</dl>`;
}

/** The module that shows what elements tell, below the example it came from. */
function writeTeller(examples: readonly Example[]): string {
  const names = [...new Set(examples.flatMap(({ tells }) => Object.keys(tells)))];
  return `for (const name of ${JSON.stringify(names)}) {
  document.addEventListener(name, ({ target, detail }) => {
    const output = target.closest("article")?.querySelector("output");
    if (output) output.textContent = name + " " + JSON.stringify(detail ?? {});
  });
}
`;
}

function escapeText(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
}
