import { describe, expect, it } from "vitest";
import type { Json } from "../../src/core/json.ts";
import { readWidgetResult, WIDGET_LIMITS } from "../../src/core/widget-result.ts";
import { dictionaryOf } from "../support/scripts.ts";

const [widget] = dictionaryOf("plex", {
  widgetsSchema: 2,
  widgets: [
    {
      id: "now",
      title: "Now",
      scriptContent: "export async function run() {}",
      entrypoint: "run",
      sizes: {
        small: { slots: [{ type: "stat", field: "count" }] },
        large: { slots: [{ type: "list", field: "list" }], media: { placement: "left", field: "art" } },
      },
    },
  ],
}).widgets;
if (widget === undefined) throw new Error("the widget was dropped");
const read = (result: Json) => readWidgetResult(widget, result);
const STAT = { type: "stat", label: "Streams", value: 2 };
const whole = {
  count: STAT,
  list: { type: "list", entries: [] },
  art: { type: "image", image: "data:image/png;base64,AA" },
};

describe("widget results", () => {
  it("serves the fields of a sound result", () => {
    expect(read({ fields: whole })).toEqual({ kind: "fields", fields: whole, problems: [] });
  });

  it("a result may be needsSetup with a reason", () => {
    expect(read({ needsSetup: true, reason: "sign in first" })).toEqual({
      kind: "needsSetup",
      reason: "sign in first",
    });
  });

  it.each([
    ["nothing", null],
    ["an array", []],
    ["no fields", {}],
    ["fields that are no object", { fields: [] }],
  ])("calls %s invalid", (_row, result) => {
    expect(read(result)).toMatchObject({ kind: "invalid" });
  });

  it.each<[row: string, field: Json]>([
    ["an unknown type", { type: "chart" }],
    [
      `a text of more than ${WIDGET_LIMITS.text} characters`,
      { type: "text", text: "x".repeat(WIDGET_LIMITS.text + 1) },
    ],
    [
      `a list of more than ${WIDGET_LIMITS.entries} entries`,
      { type: "list", entries: Array.from({ length: WIDGET_LIMITS.entries + 1 }, () => ({ title: "x" })) },
    ],
    ["an image that is no data URI", { type: "image", image: "http://127.0.0.1/a.png" }],
    [
      `an image of more than ${WIDGET_LIMITS.image} characters`,
      { type: "image", image: `data:image/png;base64,${"A".repeat(WIDGET_LIMITS.image)}` },
    ],
  ])("a faulty field is left out with a problem: %s", (_row, field) => {
    const result = read({ fields: { ...whole, extra: field } });
    expect(result).toMatchObject({ kind: "fields", fields: whole });
    expect(result).toMatchObject({ problems: [{ code: "WIDGET_RESULT_INVALID", path: ["fields", "extra"] }] });
  });

  it("a text has at most 500 characters, a list 20 entries, an image 60,000 characters", () => {
    expect(WIDGET_LIMITS).toEqual({ fields: 16, text: 500, entries: 20, image: 60_000 });
    const fields = {
      ...whole,
      text: { type: "text", text: "x".repeat(500) },
      list: { type: "list", entries: Array.from({ length: 20 }, () => ({ title: "x" })) },
      art: { type: "image", image: "DATA:image/PNG;base64,".padEnd(60_000, "A") },
    };
    expect(read({ fields })).toEqual({ kind: "fields", fields, problems: [] });
  });

  it("a result has at most 16 fields", () => {
    const fields = Object.fromEntries(Array.from({ length: WIDGET_LIMITS.fields + 1 }, (_, at) => [`f${at}`, STAT]));
    const result = read({ fields });
    if (result.kind !== "fields") throw new Error("the result is no fields");
    expect(Object.keys(result.fields)).toHaveLength(WIDGET_LIMITS.fields);
    expect(result.problems[0]?.message).toContain(`"f${WIDGET_LIMITS.fields}"`);
  });

  it("a field a size refers to but the result lacks is a problem of the query, the tile still renders", () => {
    expect(read({ fields: { count: STAT } })).toMatchObject({
      kind: "fields",
      fields: { count: STAT },
      problems: [
        { code: "WIDGET_FIELD_MISSING", path: ["fields", "art"] },
        { code: "WIDGET_FIELD_MISSING", path: ["fields", "list"] },
      ],
    });
  });
});
