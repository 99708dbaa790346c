/** The tables of docs/checking.md say of real catalogs what is so. */
import { describe, expect, it } from "vitest";
import { readPart } from "../../scripts/documents/document-part.ts";
import { type PlayedOfTable, playCatalog, playRealScripts } from "../../scripts/documents/played-catalogs.ts";
import { renderPlayed } from "../../scripts/documents/played-table.ts";
import { DEMO_CATALOG } from "../support/engine/served-engine.ts";
import { realScripts } from "../support/scripts/real-catalog.ts";

/** The table's rows: app, version, level. */
function readRows(table: string): readonly string[][] {
  const lines = table.split("\n").filter((line) => line.startsWith("| ") && !line.startsWith("| App"));
  return lines.map((line) => line.split("|").map((cell) => cell.trim()));
}

/** Apps with the versions and levels of a table, those above `most` as that. */
function listLevels(table: string, most: number): readonly (readonly [string, string, number])[] {
  return readRows(table).map(([, app = "", version = "", level = ""]) => [app, version, Math.min(Number(level), most)]);
}

const played = (of: readonly PlayedOfTable[], most: number) => listLevels(renderPlayed(of), most);

it("the demo catalog is at level 4 and as high as its table says", async () => {
  const table = listLevels(readPart({ file: "docs/checking.md", name: "demo" }), 4);
  expect(table.map(([, , level]) => level)).toEqual([4, 4]);
  expect(played(await playCatalog(DEMO_CATALOG, 4), 4)).toEqual(table);
});

describe.skipIf(realScripts() === null)("the real scripts", () => {
  it("are at level 3 or above, all of them, without what is not at hand", async () => {
    const found = await playRealScripts(realScripts()?.folder ?? "", 3);
    expect(found.map(({ report }) => [report.appId, report.level])).toEqual(
      realScripts()?.ids.map((appId) => [appId, 3]),
    );
    expect(played(found, 3)).toEqual(listLevels(readPart({ file: "docs/checking.md", name: "real" }), 3));
    const without = readRows(renderPlayed(found)).filter(([, , , , , left]) => left !== "");
    expect(without.map(([, app]) => app)).toEqual(["emby", "plex", "scrutiny", "tautulli"]);
  });
});
