/** Rows 7 and 16: one fault is one problem, and what nothing uses is told. */
import { describe, expect, it } from "vitest";
import { parseDictionary } from "../../src/core/script/parse/parse-dictionary.ts";
import { rawHook, rawScript } from "../support/scripts/scripts.ts";

const problemsOf = (changes: Record<string, unknown>): readonly string[] =>
  parseDictionary({ appId: "demo", text: JSON.stringify(rawScript(changes)) }).problems.map(
    ({ severity, code, message }) => `${severity} ${code} ${/"[^"]*"/.exec(message)?.[0] ?? ""}`,
  );

const media = { locations: ["Media"], specifications: [], permissions: [], ports: [] };
const question = (key: string, more: Record<string, unknown> = {}) => ({
  question: "Which?",
  type: "text",
  key,
  ...more,
});

describe("one fault is one problem", () => {
  it.each([
    [
      "triggers where events are meant, with what belongs to them",
      { hooks: [rawHook({ rerun: undefined, triggers: ["onAfterInstall"], optional: true, userOptional: {} })] },
      ['error HOOK_TRIGGERS_KEY "connect"'],
    ],
    [
      "a version 5 event in a version 6 hook",
      { hooks: [rawHook({ rerun: undefined, event: "onAfterInstall", optional: true })] },
      ['error HOOK_EVENT_V5 "connect"'],
    ],
    [
      "a location without its closing parenthesis",
      { requirements: media, app_values: { media: "$HOST_PATH($LOCATION(Media/films)" } },
      ['error MACRO_UNCLOSED "$HOST_PATH("'],
    ],
    [
      "a question without its closing parenthesis",
      { app_values: { name: "$IF($QUESTION(name, a, b)" } },
      ['error MACRO_UNCLOSED "$IF("'],
    ],
    [
      "widgets of a schema that is not read, whatever is in them",
      { widgetsSchema: 1, widgets: [{ id: "tile", colour: "red", conditions: [{ kind: "x" }] }] },
      ['warning SCRIPT_WIDGETS_SCHEMA "widgetsSchema"'],
    ],
    [
      "widgets of a version without any",
      { version: 4, widgets: [{ id: "tile", colour: "red" }] },
      ['warning SCRIPT_SECTION_UNREAD "widgets"'],
    ],
    [
      "a question that is wrong in itself and used by nothing",
      { installation_questions: [question("size", { type: "select", options: [] })] },
      ['error QUESTION_OPTIONS_MISSING "size"'],
    ],
  ])("%s", (_, changes, expected) => {
    expect(problemsOf(changes)).toEqual(expected);
  });

  it("and a fault beside it is another", () => {
    const hook = rawHook({ rerun: undefined, triggers: ["onAfterInstall"], colour: "red" });
    expect(problemsOf({ hooks: [hook] })).toEqual([
      'error HOOK_TRIGGERS_KEY "connect"',
      expect.stringMatching(/^warning SCRIPT_KEY_UNKNOWN/),
    ]);
    const values = { one: "$LOCATION(Photos)", two: "$LOCATION(Media" };
    expect(problemsOf({ requirements: media, app_values: values })).toEqual([
      'error MACRO_LOCATION_UNDECLARED "Photos"',
      'error MACRO_UNCLOSED "$LOCATION("',
    ]);
  });
});

describe("an info tells of", () => {
  const directory = (path: string, more: Record<string, unknown> = {}) => ({
    requirements: media,
    ensure_directories_exists: [{ path, ...more }],
  });

  it("a question that nothing uses", () => {
    expect(problemsOf({ installation_questions: [question("name")] })).toEqual(['info QUESTION_UNUSED "name"']);
  });

  it("a directory that nothing mounts", () => {
    expect(problemsOf(directory("$LOCATION(Media)/films"))).toEqual(['info DIRECTORY_UNUSED "app_values"']);
  });

  it.each([
    [
      "a question in the values",
      { installation_questions: [question("name")], app_values: { a: "x $QUESTION(name)" } },
    ],
    [
      "a question in a condition",
      { installation_questions: [question("name")], app_values: { a: "$IF($QUESTION('name') == x, 1)" } },
    ],
    [
      "a question in another's default",
      {
        installation_questions: [question("name"), question("full", { default: "$QUESTION(name)" })],
        app_values: { a: "$QUESTION(full)" },
      },
    ],
    [
      "a question in a directory",
      {
        ...directory("$LOCATION(Media)/$QUESTION(name)"),
        installation_questions: [question("name")],
      },
    ],
    ["a shared directory", directory("$LOCATION(Media)/films", { network_share: true })],
    ["a location itself", directory("$LOCATION(Media)")],
    [
      "a directory in a mounted one",
      { ...directory("$LOCATION(Media)/films/new"), app_values: { a: "$HOST_PATH($LOCATION(Media)/films/)" } },
    ],
    [
      "a directory that holds a mounted one",
      {
        ...directory("$LOCATION(Media)/films"),
        app_values: { a: ["$MOUNTED_HOST_PATH($LOCATION( Media )/films/new, /f)"] },
      },
    ],
    [
      "a directory below a mounted location",
      { ...directory("$LOCATION(Media)/films"), app_values: { a: { path: "$LOCATION(Media)" } } },
    ],
  ])("nothing for %s", (_, changes) => {
    expect(problemsOf(changes)).toEqual([]);
  });

  it("a directory beside a mounted one whose name begins alike", () => {
    const changes = {
      ...directory("$LOCATION(Media)/films/a"),
      app_values: { a: "$HOST_PATH($LOCATION(Media)/films-b)" },
    };
    expect(problemsOf(changes)).toEqual(['info DIRECTORY_UNUSED "app_values"']);
  });
});
