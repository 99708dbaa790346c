/** Issues of the schema in widgets. */
import { makeHook, makeScript, makeWidget } from "../example.ts";
import type { FieldIssue } from "../field-issue.ts";
import { type FieldRule, quote } from "../row.ts";

const DECISIONS = "docs/decisions.md, section 1";

/** Rows for fields of widgets. */
export const WIDGET_FIELD_RULES = {
  WIDGET_TIMEOUT_CLAMPED: {
    title: "A widget's timeout is above 60 seconds and is lowered to that",
    hint: "write at most 60 seconds",
    see: DECISIONS,
    severity: "warning",
    takes: ({ kind, field }) => kind === "high" && field === "widgets.*.timeout",
    message: ({ value }) => `timeout ${quote(value)} is read as 60 seconds, the most allowed`,
    bad: makeWidget({ timeout: 120 }),
    good: makeWidget({ timeout: 60 }),
  },
  WIDGET_REFRESH_CLAMPED: {
    title: "A widget's refresh is below 10 seconds and is raised to that",
    hint: "write at least 10 seconds",
    see: 'docs/install-scripts.md, "Limits"; docs/decisions.md, section 1',
    severity: "warning",
    takes: ({ kind, field }) => kind === "low" && field === "widgets.*.refresh",
    message: ({ value }) => `refresh ${quote(value)} is read as 10 seconds, the least allowed`,
    bad: makeWidget({ refresh: 5 }),
    good: makeWidget({ refresh: 10 }),
  },
  WIDGET_ID_INVALID: {
    title: "A widget's id has other characters than allowed",
    hint: "use lowercase letters, digits, - and _ only",
    see: 'docs/install-scripts.md, "Widgets"',
    severity: "error",
    takes: ({ kind, field }) => kind === "form" && field === "widgets.*.id",
    message: ({ value }) => `widget id ${quote(value)} must have lowercase letters, digits, "-" and "_" only`,
    bad: makeWidget({ id: "My Tile" }),
    good: makeWidget({ id: "my-tile" }),
  },
  WIDGET_BUTTONS_TOO_MANY: {
    title: "A widget has more than 4 buttons",
    hint: "name at most 4 hooks",
    see: 'docs/install-scripts.md, "Fields that go together"',
    severity: "error",
    takes: ({ kind, field }) => kind === "high" && field === "widgets.*.buttons",
    message: ({ value }) => `"buttons" names ${readLength(value)} hooks, allowed are at most 4`,
    bad: withButtons(5),
    good: withButtons(4),
  },
  WIDGET_SLOTS_COUNT: {
    title: "A widget's size has too few or too many slots",
    hint: "give small 1 to 3 slots, large 1 to 4",
    see: 'docs/install-scripts.md, "Limits"',
    severity: "error",
    takes: ({ kind, field }) =>
      (kind === "high" || kind === "low") && /^widgets\.\*\.sizes\.(small|large)\.slots$/.test(field),
    message: ({ value, allowed }) => `"slots" has ${readLength(value)} slots; allowed are ${allowed}`,
    bad: makeWidget({ sizes: { small: { slots: [] } } }),
    good: makeWidget({ sizes: { small: { slots: [{ type: "stat", field: "streams" }] } } }),
  },
} as const satisfies Record<string, FieldRule>;

function readLength(value: FieldIssue["value"]): number {
  return Array.isArray(value) ? value.length : 0;
}

function makeIds(count: number): string[] {
  return Array.from({ length: count }, (_, index) => `step-${index + 1}`);
}

function withButtons(count: number): string {
  const hooks: { hooks: unknown } = JSON.parse(makeHook(...makeIds(count).map((id) => ({ id }))));
  const widgets: { widgets: unknown } = JSON.parse(makeWidget({ buttons: makeIds(count) }));
  return makeScript({ hooks: hooks.hooks, widgetsSchema: 2, widgets: widgets.widgets });
}
