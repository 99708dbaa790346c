import { describe, expect, it } from "vitest";
import { WIDGET_LIMITS } from "../../../src/core/hooks/widget-field.ts";
import { readWidgetResult } from "../../../src/core/hooks/widget-result.ts";
import type { Json } from "../../../src/core/json/json.ts";
import { PICTURES, toDataAddress } from "../../support/pictures.ts";
import { dictionaryOf } from "../../support/scripts/scripts.ts";

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
const PICTURE = toDataAddress("image/png", PICTURES.png);
const STAT = { type: "stat", label: "Streams", value: 2 };
const whole = {
  count: STAT,
  list: { type: "list", entries: [] },
  art: { type: "image", image: PICTURE },
};

/** Draws its marker at each corner of a path. */
const BOMB =
  '<svg xmlns="http://www.w3.org/2000/svg"><marker id="m"/><path d="M0 0h1v1" marker-mid="url(%23m)"/></svg>';

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
      { type: "image", image: PICTURE.padEnd(WIDGET_LIMITS.image + 1, "#") },
    ],
  ])("a faulty field is left out with a problem: %s", (_row, field) => {
    const result = read({ fields: { ...whole, extra: field } });
    expect(result).toMatchObject({ kind: "fields", fields: whole });
    expect(result).toMatchObject({ problems: [{ code: "WIDGET_RESULT_INVALID", path: ["fields", "extra"] }] });
  });

  it.each([
    ["plain", `data:image/svg+xml,${BOMB}`],
    ["encoded", `data:image/svg+xml,${encodeURIComponent(BOMB)}`],
    ["in base64", `DATA: Image/SVG+XML ;base64,${Buffer.from(BOMB).toString("base64")}`],
    ["in lines", `data:image/s\nvg+xml,${encodeURIComponent(BOMB).replaceAll("marker", "mark\ner")}`],
    ["before a fragment", `data:image/svg+xml,${encodeURIComponent(BOMB)}#a`],
    ["in another encoding", `data:image/svg+xml;charset=utf-16,${encodeURIComponent("<svg/>")}`],
    ["as what is no text", "data:image/svg+xml,%ff"],
  ])("a picture that holds up the page it is shown in is left out: %s", (_row, image) => {
    const list = { type: "list", entries: [{ title: "Film", image }] };
    const result = read({ fields: { ...whole, films: list, extra: { type: "image", image } } });
    expect(result).toMatchObject({ kind: "fields", fields: whole });
    expect(result).toMatchObject({ problems: [{ path: ["fields", "films"] }, { path: ["fields", "extra"] }] });
  });

  it("20 problems are listed, and a number for all beyond them, whatever the script returns", () => {
    const faulty = Object.fromEntries(Array.from({ length: 100_000 }, (_, at) => [`f${at}`, at]));
    const result = read({ fields: { ...faulty, ...whole } });
    expect(result).toMatchObject({ kind: "fields", fields: whole });
    const { problems } = result.kind === "fields" ? result : { problems: [] };
    expect(problems).toHaveLength(21);
    expect(problems.at(-1)).toMatchObject({ code: "WIDGET_RESULT_INVALID", path: ["fields"] });
    expect(problems.at(-1)?.message).toMatch(/^99980 more parts of the result /);
    expect(JSON.stringify(problems).length).toBeLessThan(10_000);
  });

  it("names of fields are cut in problems", () => {
    const result = read({ fields: { ...whole, ["x".repeat(1_000_000)]: 1 } });
    const { problems } = result.kind === "fields" ? result : { problems: [] };
    expect(problems).toMatchObject([{ path: ["fields", `${"x".repeat(100)}…`] }]);
    expect(JSON.stringify(problems).length).toBeLessThan(1_000);
  });

  it("a text has at most 500 characters, a list 20 entries, an image 60,000 characters", () => {
    expect(WIDGET_LIMITS).toEqual({ fields: 16, text: 500, entries: 20, image: 60_000, pixels: 16_777_216 });
    const fields = {
      ...whole,
      text: { type: "text", text: "x".repeat(500) },
      list: { type: "list", entries: Array.from({ length: 20 }, () => ({ title: "x" })) },
      art: { type: "image", image: PICTURE.replace("data:image/png", "DATA:image/PNG").padEnd(60_000, "#") },
    };
    expect(read({ fields })).toEqual({ kind: "fields", fields, problems: [] });
  });

  /** docs/decisions.md, section 6: every kind of field at its limits. */
  it.each<[row: string, field: Json]>([
    ["text of 500 characters", { type: "text", text: "x".repeat(500) }],
    ["stat of text", { type: "stat", label: "Streams", value: "two" }],
    ["stat of a number", STAT],
    ["list of 20 entries", { type: "list", entries: Array.from({ length: 20 }, () => ({ title: "x" })) }],
    [
      "list with every member of an entry",
      {
        type: "list",
        entries: [
          {
            title: "Film",
            subtitle: "1999",
            meta: "4K",
            image: toDataAddress("image/jpeg", PICTURES.jpeg),
            elapsed: { ms: 1, ofMs: 2, state: "paused" },
          },
        ],
      },
    ],
    ["list with time elapsed alone", { type: "list", entries: [{ title: "Film", elapsed: { ms: 1 } }] }],
    ["drawing", { type: "image", image: `data:image/svg+xml;charset="utf-8",%3Csvg xmlns='a' width='100%'/%3E` }],
    [
      "drawing in base64",
      { type: "image", image: `data:image/svg+xml;base64,${Buffer.from("<svg/>").toString("base64")}` },
    ],
    ["image of 60,000 characters", { type: "image", image: PICTURE.padEnd(60_000, "#"), alt: "Art" }],
  ])("a field is served as it is: %s", (_row, field) => {
    expect(read({ fields: { ...whole, extra: field } })).toEqual({
      kind: "fields",
      fields: { ...whole, extra: field },
      problems: [],
    });
  });

  it.each<[row: string, field: Json]>([
    ["a stat without a label", { type: "stat", value: 1 }],
    ["an entry without a title", { type: "list", entries: [{ subtitle: "x" }] }],
    ["an unknown state of time", { type: "list", entries: [{ title: "x", elapsed: { ms: 1, state: "stopped" } }] }],
    ["an entry's image that is no data URI", { type: "list", entries: [{ title: "x", image: "//127.0.0.1/a.png" }] }],
    ["a field of no object", "text"],
  ])("a malformed field is left out with a problem: %s", (_row, field) => {
    expect(read({ fields: { ...whole, extra: field } })).toMatchObject({
      fields: whole,
      problems: [{ code: "WIDGET_RESULT_INVALID", path: ["fields", "extra"] }],
    });
  });

  it("a field named like a member of every object is a field like any other", () => {
    const fields: Json = JSON.parse(
      '{"__proto__": {"type": "text", "text": "a"}, "constructor": {"type": "text", "text": "b"}}',
    );
    const result = read({ fields });
    if (result.kind !== "fields") throw new Error("the result is no fields");
    expect(Object.keys(result.fields)).toEqual(["__proto__", "constructor"]);
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

  it("what it says is freed of what turns the words around it", () => {
    const turned = "a\u202eb\u0007";
    const entry = { title: turned, subtitle: turned, meta: turned };
    const said = {
      note: { type: "text", text: turned },
      ...{ count: { type: "stat", label: turned, value: turned }, list: { type: "list", entries: [entry] } },
      art: { type: "image", image: PICTURE, alt: turned },
    };
    expect(read({ fields: said })).toMatchObject({
      fields: {
        note: { text: "ab" },
        ...{ count: { label: "ab", value: "ab" }, list: { entries: [{ title: "ab", subtitle: "ab", meta: "ab" }] } },
        art: { image: PICTURE, alt: "ab" },
      },
    });
    expect(read({ needsSetup: true, reason: turned })).toEqual({ kind: "needsSetup", reason: "ab" });
  });
});
