import { describe, expect, it } from "vitest";
import { hookOf, on } from "../../support/scripts/scripts.ts";

/** Specification, "Surfaces". */
const FILES = { type: "files", accepts: [".mkv"] };
const ROWS: readonly [row: string, hook: Record<string, unknown>, surfaces: readonly string[]][] = [
  ["Has a target", { target: FILES }, ["fileBrowser"]],
  ["Has a target and conditions on another app", { target: FILES, conditions: [on("sonarr")] }, ["fileBrowser"]],
  ["Conditions reference another app", { conditions: [on("sonarr")] }, ["installPicker", "card", "widget"]],
  ["Any other user-triggerable hook", {}, ["card", "widget"]],
  ["Conditions reference the app itself only", { conditions: [on("radarr")] }, ["card", "widget"]],
  ["A present surfaces replaces the derived list", { conditions: [on("sonarr")], surfaces: ["card"] }, ["card"]],
  ["surfaces: [] means no surface", { surfaces: [] }, []],
  ["A hook without a userAction event appears on no surface", { events: ["onAfterInstall"], rerun: undefined }, []],
];

describe("surfaces", () => {
  it.each(ROWS)("%s", (_row, hook, surfaces) => {
    expect(hookOf("radarr", hook).surfaces).toEqual(surfaces);
  });
});
