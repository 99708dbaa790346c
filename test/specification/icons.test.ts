/** Icons of custom apps: "URL of an SVG or PNG icon" (the specification, "Custom app metadata"). */
import { expect } from "vitest";
import { parseDictionary } from "../../src/core/script/parse/parse-dictionary.ts";
import { it, openWorld } from "../support/engine/engine-test.ts";

import { on, rawHook, rawScript } from "../support/scripts/scripts.ts";

const metadata = (icon: string) => ({ name: "Own", description: "An app", icon, version: "1.0.0" });

it.each<[icon: string, problems: readonly object[]]>([
  ["https://example.com/icon.svg", []],
  ["https://example.com/icon.PNG?size=64", []],
  ["https://example.com/icon", []],
  ["https://example.com/avatar?file=me.jpg", []],
  ["own/icon.png", []],
  ["https://example.com/icon.jpg", [{ code: "SCRIPT_ICON_TYPE", severity: "warning" }]],
  ["https://example.com/icon.WebP#dark", [{ code: "SCRIPT_ICON_TYPE", severity: "warning" }]],
  ["own/icon.jpg", [{ code: "SCRIPT_ICON_INVALID", severity: "error" }]],
])("an icon's address of another picture type than SVG or PNG is a warning: %s", (icon, problems) => {
  const text = JSON.stringify(rawScript({ custom: true, metadata: metadata(icon) }));
  expect(parseDictionary({ appId: "own", text }).problems).toMatchObject(
    problems.map((problem) => ({ ...problem, path: ["metadata", "icon"] })),
  );
});

it("a target's icon is its script's, else the host's, else none", async () => {
  const world = await openWorld({
    catalog: {
      hub: { hooks: [rawHook({ conditions: [on("own"), on("listed"), on("unknown")] })] },
      own: { custom: true, metadata: metadata("own/icon.png") },
      listed: {},
    },
    host: {
      catalog: {
        listed: { train: "stable", title: "Listed", icon: "https://host.test/listed.png", versions: ["1.0.0"] },
      },
    },
  });
  const { pairings } = await world.engine.pairings("hub");
  expect(pairings[0]?.targets).toEqual([
    { appId: "own", name: "Own", icon: "own/icon.png" },
    { appId: "listed", name: "Listed", icon: "https://host.test/listed.png" },
    { appId: "unknown", name: "unknown", icon: "" },
  ]);
});
