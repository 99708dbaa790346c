import { rawWidget } from "../../support/scripts/rule-rows.ts";
import { on, rawHook } from "../../support/scripts/scripts.ts";
import type { FieldTable } from "./field-table.ts";

const SLOT = { type: "text", field: "title" };
const slots = (count: number) => Array.from({ length: count }, () => SLOT);
const media = (placement: string) => ({ slots: [SLOT], media: { placement, field: "art" } });

const place = (changes: Record<string, unknown>) => ({
  hooks: [rawHook({ id: "scan" }), rawHook({ id: "clean" })],
  widgetsSchema: 2,
  widgets: [rawWidget(changes)],
});

export const WIDGET: FieldTable = {
  name: "a widget",
  sound: { id: "tile", title: "Tile", scriptContent: "", entrypoint: "run" },
  place,
  rows: [
    [
      "id",
      "A widget has an id of lowercase letters, digits, - and _.",
      "required",
      ["now-playing_2"],
      ["Tile", "a b", "a.b", "", 1],
    ],
    ["title", "A widget has a title.", "required", ["Now playing"], [1, ""]],
    ["description", "A widget may have a description.", "optional", ["What plays"], [1]],
    ["refresh", "A widget may say after how many seconds it is refreshed.", "optional", [10, 60], ["60"]],
    ["conditions", "A widget has conditions of the same kind as a hook.", "optional", [[on("plex")]], [{}, [1]]],
    ["scriptContent", "A widget without a script file holds its TypeScript inline.", "required", ["export {}"], [1]],
    ["entrypoint", "A widget names the function it exports.", "required", ["main"], [1, ""]],
    ["timeout", "A widget may say after how many seconds its query is abandoned.", "optional", [1, 30], ["30", 0]],
    ["sizes", "A widget may have variants by size.", "optional", [{ small: { slots: [SLOT] } }], [[], { huge: {} }]],
    ["buttons", "The buttons of a widget are a list of ids of hooks.", "optional", [["scan", "clean"]], ["scan", [1]]],
  ],
};

export const WIDGET_FILE: FieldTable = {
  name: "a widget of a file",
  sound: { id: "tile", title: "Tile", script: "tile.ts", entrypoint: "run" },
  place: (changes) => place({ scriptContent: undefined, ...changes }),
  rows: [
    ["script", "A widget without inline code names a .ts file of the catalog.", "required", ["t.ts"], [1, "t.js"]],
    ["scriptContent", "A widget with a script file has no inline code.", "optional", [], ["export {}"]],
  ],
};

export const SIZES: FieldTable = {
  name: "the sizes of a widget",
  sound: { large: { slots: [SLOT] }, small: { slots: [SLOT] } },
  place: (sizes) => place({ sizes }),
  rows: [
    [
      "small",
      "A small tile has 1 to 3 slots, and media at the top or at the bottom.",
      "optional",
      [{ slots: slots(1) }, { slots: slots(3) }, media("top"), media("bottom")],
      [media("left"), media("both")],
    ],
    [
      "large",
      "A large tile has 1 to 4 slots, and media at the left, at the right or at both.",
      "optional",
      [{ slots: slots(1) }, { slots: slots(4) }, media("left"), media("right"), media("both")],
      [media("top"), media("bottom")],
    ],
  ],
};

export const SLOT_FIELDS: FieldTable = {
  name: "a slot",
  sound: SLOT,
  place: (slot) => place({ sizes: { small: { slots: [slot] } } }),
  rows: [
    [
      "type",
      "A slot shows a text, a stat, a list or an image.",
      "required",
      ["text", "stat", "list", "image"],
      ["chart", 1],
    ],
    ["field", "A slot names a field of the result.", "required", ["count"], [1, ""]],
  ],
};

export const WIDGET_TABLES: readonly FieldTable[] = [WIDGET, WIDGET_FILE, SIZES, SLOT_FIELDS];
