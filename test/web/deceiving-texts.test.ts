/** An author's texts turn none of the page's own words around, wherever they are shown. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { rawHook, rawScript } from "../support/scripts/scripts.ts";
import { readTexts } from "./everybody/seen-texts.ts";
import { type ServedPage, servePage } from "./support/served-page.ts";

const TURNED = "Photos \u202etxet\u2066";
const PLAIN = "Photos txet";

const catalog = mkdtempSync(join(tmpdir(), "slipway-deceiving-"));
let served: ServedPage;
let task = "";
beforeAll(async () => {
  const metadata = { name: TURNED, description: TURNED, icon: "https://example.com/icon.svg", version: "1.0.0" };
  const asked = { key: "q", type: "select", question: TURNED, description: TURNED, group: TURNED, required: true };
  const script = rawScript({
    custom: true,
    metadata,
    installation_questions: [{ ...asked, options: [{ text: TURNED, value: "a" }], default: "a" }],
    app_values: { q: "$QUESTION(q)" },
    hooks: [
      rawHook({ id: "act", title: TURNED, description: TURNED }),
      rawHook({
        id: "late",
        title: TURNED,
        events: ["onAfterInstall"],
        rerun: undefined,
        userOptional: { description: TURNED, link: { url: "https://example.com", label: TURNED } },
        scriptContent: `export async function run(ctx) { ctx.fail(${JSON.stringify(TURNED)}); }`,
      }),
    ],
  });
  for (const id of ["photos", "other"]) writeFileSync(join(catalog, `${id}.json`), JSON.stringify(script));
  served = await servePage({ catalog });
  task = (await served.engine.install("photos")).id;
  await served.engine.settled(task);
});
afterAll(async () => {
  await served?.close();
  rmSync(catalog, { recursive: true, force: true });
});

it.each([
  ["home", () => "/"],
  ["the catalog", () => "/apps"],
  ["an app", () => "/apps/photos"],
  ["an install", () => "/apps/other/install"],
  ["options", () => "/apps/photos/options"],
  ["an uninstall", () => "/apps/photos/uninstall"],
  ["a task", () => `/activity/${task}`],
])("%s", async (_, path) => {
  const { page } = await served.open(path());
  await expect.poll(async () => (await readTexts(page)).join("\n")).toContain(PLAIN);
  expect((await readTexts(page)).filter((text) => /[\u202a-\u202e\u2066-\u2069]/.test(text))).toEqual([]);
});
