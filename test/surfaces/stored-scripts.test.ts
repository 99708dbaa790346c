/** A script that can be read is read back whole from the database, to serve its app later. */
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { openCatalogDirectory } from "../../src/adapters/catalog/catalog-directory.ts";
import type { Dictionary } from "../../src/core/script/dictionary.ts";
import { StoredScriptSchema } from "../../src/engine/stored-script-schema.ts";
import { realScripts } from "../support/scripts/real-catalog.ts";
import { dictionaryOf, rawHook } from "../support/scripts/scripts.ts";

function expectKept(script: Dictionary): void {
  const json: unknown = JSON.parse(JSON.stringify(script));
  expect(StoredScriptSchema.parse(json)).toEqual(json);
}

async function expectAllKept(folder: string): Promise<void> {
  const scripts = (await openCatalogDirectory(folder)).entries().flatMap(({ dictionary }) => dictionary ?? []);
  expect(scripts).not.toEqual([]);
  for (const script of scripts) expectKept(script);
}

it.each(["scripts/demo/catalog", "test/crash/catalog"])("is one of %s", async (folder) => {
  await expectAllKept(fileURLToPath(new URL(`../../${folder}`, import.meta.url)));
});

it("is one whose parts were dropped, with a widget of both sizes", () => {
  const media = (placement: string) => ({ placement, field: "picture" });
  const slots = [{ type: "stat", field: "count" }];
  const script = dictionaryOf("demo", {
    metadata: { name: "Demo", description: "An app", icon: "icon.png", version: "1.0.0" },
    hooks: [rawHook({ id: "link" }), rawHook({ id: "faulty", entrypoint: 5 })],
    widgetsSchema: 2,
    widgets: [
      {
        id: "tile",
        title: "Tile",
        entrypoint: "run",
        scriptContent: "export async function run() { return { fields: {} }; }",
        sizes: { small: { slots, media: media("top") }, large: { slots, media: media("both") } },
      },
    ],
  });
  expect(script).toMatchObject({ dropped: { hooks: [{ id: "faulty" }] }, widgets: [{ sizes: { large: { slots } } }] });
  expectKept(script);
});

const real = realScripts();
it.skipIf(real === null)("is one of the real catalog", async () => expectAllKept(real?.folder ?? ""));
