/** Rows about one widget: an error drops it alone. */
import { isJsonObject } from "../../json/json.ts";
import { listAt, own } from "../../script/parse-dictionary-read.ts";
import { aHook, aScript, aWidget } from "../example.ts";
import { repeatsIn } from "../repeats.ts";
import { quote, type SubjectRule, when } from "../row.ts";
import type { CarrierSubject } from "./carrier-rules.ts";

export const WIDGET_RULES = {
  WIDGET_SIZES_EMPTY: {
    title: '"sizes" has no size',
    hint: 'add "small" or "large", or remove "sizes" for the default rendering',
    see: "docs/decisions.md, section 6",
    severity: "error",
    find: ({ carrier, path, name }) => {
      const sizes = own(carrier, "sizes");
      const none = isJsonObject(sizes) && own(sizes, "small") === undefined && own(sizes, "large") === undefined;
      return when(none, () => ({
        path: [...path, "sizes"],
        message: `${name} has "sizes" without "small" or "large"`,
      }));
    },
    bad: aWidget({ sizes: {} }),
    good: aWidget({ sizes: { large: { slots: [{ type: "list", field: "sessions" }] } } }),
  },
  WIDGET_BUTTONS_DUPLICATE: {
    title: "A widget has one button twice",
    hint: "remove the second one",
    see: 'docs/install-scripts.md, "Fields that go together"',
    severity: "error",
    find: ({ carrier, path, name }) => {
      const buttons = listAt(carrier, "buttons").map((id) => (typeof id === "string" ? id : undefined));
      return repeatsIn(buttons).map(({ index }) => ({
        path: [...path, "buttons", index],
        message: `${name} has the button ${quote(buttons[index])} twice`,
      }));
    },
    bad: aTileWith(["setup", "setup"]),
    good: aTileWith(["setup"]),
  },
} as const satisfies Record<string, SubjectRule<CarrierSubject>>;

/** A version 6 script with one hook `setup` and a widget with these buttons. */
export function aTileWith(buttons: readonly string[]): string {
  const { hooks }: { hooks: unknown } = JSON.parse(aHook());
  const { widgets }: { widgets: unknown } = JSON.parse(aWidget({ buttons }));
  return aScript({ hooks, widgetsSchema: 2, widgets });
}
