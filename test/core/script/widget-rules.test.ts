/** What a widget, its sizes and its buttons may be. */
import { describe } from "vitest";
import { hook, lifecycle, rawWidget, testRules, widget } from "../../support/scripts/rule-rows.ts";
import { rawHook } from "../../support/scripts/scripts.ts";

describe('specification, "Errors"', () =>
  testRules([
    [
      "duplicate widget button ids",
      { hooks: [rawHook({ id: "h" })], ...widget({ buttons: ["h", "h"] }) },
      ['error WIDGET_BUTTONS_DUPLICATE "h"'],
    ],
    [
      "more than 4 buttons",
      {
        hooks: ["a", "b", "c", "d", "e"].map((id) => rawHook({ id })),
        ...widget({ buttons: ["a", "b", "c", "d", "e"] }),
      },
      ["error WIDGET_BUTTONS_TOO_MANY ["],
    ],
  ]));

describe('a breach of the specification is an error at the offending key or value: "Install script" and its parts', () =>
  testRules([
    [
      "a widget id longer than a request may name",
      widget({ id: "w".repeat(201) }),
      [`error SCRIPT_ID_TOO_LONG "${"w".repeat(201)}"`],
    ],
    ["a widget id in upper case", widget({ id: "Tile" }), ['error WIDGET_ID_INVALID "Tile"']],
    [
      "a slot count outside its limits makes the widget invalid",
      widget({ sizes: { small: { slots: [1, 2, 3, 4].map(() => ({ type: "text", field: "f" })) } } }),
      ["error WIDGET_SLOTS_COUNT ["],
    ],
    [
      "the placement of another size",
      widget({ sizes: { small: { slots: [{ type: "text", field: "f" }], media: { placement: "left", field: "f" } } } }),
      ['error SCRIPT_VALUE_UNKNOWN "left"'],
    ],
  ]));

describe("docs/decisions.md, section 1", () =>
  testRules([
    [
      "a widgetsSchema other than 2 leaves the widgets unread",
      { widgetsSchema: 1, widgets: [1] },
      ["warning SCRIPT_WIDGETS_SCHEMA 1"],
    ],
    ["widgets without widgetsSchema", { widgets: [1] }, ['warning SCRIPT_WIDGETS_SCHEMA_MISSING "widgets"']],
    [
      "the second of two widgets with one id is an error",
      { widgetsSchema: 2, widgets: [rawWidget({}), rawWidget({})] },
      ['error WIDGET_ID_DUPLICATE "tile"'],
    ],
    ["a button whose hook is unknown", widget({ buttons: ["x"] }), ['warning WIDGET_BUTTON_UNUSABLE "x"']],
    [
      "a button whose hook is dropped",
      { ...hook({ rerun: undefined }), ...widget({ buttons: ["h"] }) },
      ['error HOOK_RERUN_MISSING "h"', 'warning WIDGET_BUTTON_UNUSABLE "h"'],
    ],
    [
      "a button whose hook no user can start",
      { ...lifecycle({}), ...widget({ buttons: ["h"] }) },
      ['warning WIDGET_BUTTON_UNUSABLE "h"'],
    ],
    [
      "a button whose hook lacks the surface widget",
      { ...hook({ surfaces: ["card"] }), ...widget({ buttons: ["h"] }) },
      ['warning WIDGET_BUTTON_UNUSABLE "h"'],
    ],
    [
      "a widget timeout above 60 s and a refresh below 10 s are clamped",
      widget({ refresh: 9, timeout: 61 }),
      ["warning WIDGET_REFRESH_CLAMPED 9", "warning WIDGET_TIMEOUT_CLAMPED 61"],
    ],
    ["empty sizes make the widget invalid", widget({ sizes: {} }), ["error WIDGET_SIZES_EMPTY {"]],
  ]));
