/** Rows about one widget: an error drops it alone. */
import { isJsonObject } from "../../json/json.ts";
import { getOwn, readList } from "../../script/parse/read-fields.ts";
import { makeHook, makeScript, makeWidget } from "../example.ts";
import { findRepeats } from "../repeats.ts";
import { quote, reportWhen, type SubjectRule } from "../row.ts";
import type { CarrierSubject } from "./carrier-rules.ts";

export const WIDGET_RULES = {
  WIDGET_SIZES_EMPTY: {
    title: '"sizes" has no size',
    hint: 'add "small" or "large", or remove "sizes" for the default rendering',
    see: "docs/decisions.md, section 6",
    severity: "error",
    find: ({ carrier, path, name }) => {
      const sizes = getOwn(carrier, "sizes");
      const none = isJsonObject(sizes) && getOwn(sizes, "small") === undefined && getOwn(sizes, "large") === undefined;
      return reportWhen(none, () => ({
        path: [...path, "sizes"],
        message: `${name} has "sizes" without "small" or "large"`,
      }));
    },
    bad: makeWidget({ sizes: {} }),
    good: makeWidget({ sizes: { large: { slots: [{ type: "list", field: "sessions" }] } } }),
  },
  WIDGET_BUTTONS_DUPLICATE: {
    title: "A widget has one button twice",
    hint: "remove the second one",
    see: 'docs/install-scripts.md, "Fields that go together"',
    severity: "error",
    find: ({ carrier, path, name }) => {
      const buttons = readList(carrier, "buttons").map((id) => (typeof id === "string" ? id : undefined));
      return findRepeats(buttons).map(({ index }) => ({
        path: [...path, "buttons", index],
        message: `${name} has the button ${quote(buttons[index])} twice`,
      }));
    },
    bad: makeTile(["setup", "setup"]),
    good: makeTile(["setup"]),
  },
} as const satisfies Record<string, SubjectRule<CarrierSubject>>;

/** A version 6 script with one hook `setup` and a widget with these buttons. */
export function makeTile(buttons: readonly string[]): string {
  const { hooks }: { hooks: unknown } = JSON.parse(makeHook());
  const { widgets }: { widgets: unknown } = JSON.parse(makeWidget({ buttons }));
  return makeScript({ hooks, widgetsSchema: 2, widgets });
}
