/** Levels 1 and 2: what the validator and plans alone show. */
import { describe, expect, it } from "vitest";
import { listFindings, playApp } from "../support/check/play.ts";
import { rawScript } from "../support/scripts/scripts.ts";
import { useTestFolder } from "../support/test-folder.ts";

const folder = useTestFolder();

const MEDIA = { requirements: { locations: ["Media"] } };
const text = (key: string, more: object = {}) => ({ question: "?", type: "text", key, ...more });
const choice = (key: string, ...values: (string | number)[]) => ({
  ...text(key),
  type: "select",
  options: values.map((value) => ({ text: String(value), value })),
  default: values[0],
});

async function check(changes: Record<string, unknown>, strict = false) {
  folder.write("app.json", rawScript(changes));
  return await playApp(folder.path, "app", 2, { strict });
}

describe("level 1", () => {
  it("holds for a sound script", async () => {
    expect(await check({})).toMatchObject({ level: 2, version: "1.0.0", file: "app.json" });
  });

  it("does not hold for a script with an error, and nothing above it is played", async () => {
    const report = await check({ app_values: { a: "$NONE(1)" } });
    expect(report).toMatchObject({ level: 0, levels: [{ level: 1, holds: false }] });
    expect(listFindings(report)).toEqual(["1 MACRO_UNKNOWN app_values.a"]);
  });

  it.each([
    [false, 2],
    [true, 0],
  ])("with strict %s, a script with a warning is at level %i", async (strict, level) => {
    const report = await check({ requirements: { locations: [], specifications: ["3GB"] } }, strict);
    expect(report.level).toBe(level);
    expect(listFindings(report)).toEqual(["1 SCRIPT_SPECIFICATION_UNLISTED requirements.specifications.0"]);
  });

  it("does not hold where another version of the app has an error, and the newest one is the app's", async () => {
    folder.write("app@2.json", rawScript({ script: { version: "2.0.0" } }));
    expect(await check({})).toMatchObject({ level: 2, file: "app@2.json", version: "2.0.0" });
    folder.write("app@1.json", "{");
    const report = await check({});
    expect(report).toMatchObject({
      level: 0,
      version: "2.0.0",
      levels: [{ findings: [{ file: "app@1.json", line: 1 }] }],
    });
  });
});

describe("level 2", () => {
  it.each<[string, Record<string, unknown>]>([
    [
      "branches of one type",
      { installation_questions: [choice("a", "x", "y")], app_values: { v: "$IF($QUESTION(a) == x, 1, 2)" } },
    ],
    [
      "a number that is not asked for",
      { installation_questions: [{ ...text("n"), type: "number" }], app_values: { n: "$QUESTION(n)" } },
    ],
    [
      "a list an item leaves",
      { installation_questions: [choice("a", "x", "y")], app_values: { v: ["$IF($QUESTION(a) == x, s)", "t"] } },
    ],
    [
      "a path of the host without a macro",
      { app_values: { s: { type: "host_path", host_path_config: { path: "/dev/dri" } } } },
    ],
    [
      "JSON made by a branch",
      { installation_questions: [text("a")], app_values: { v: "$IF(true, {'name': '$QUESTION(a)'})" } },
    ],
    [
      "an option that is a macro",
      { installation_questions: [choice("a", "x", "$SERVER_HOST_ID")], app_values: { v: "$QUESTION(a)" } },
    ],
    ["what is no macro", { app_values: { v: "$5 $HOME" } }],
  ])("holds for %s", async (_name, changes) => {
    const report = await check(changes);
    expect(listFindings(report).filter((line) => line.startsWith("2"))).toEqual([]);
    expect(report.level).toBe(2);
  });

  it.each<[string, Record<string, unknown>, string]>([
    [
      "a macro made of what others yield",
      { app_values: { v: "$IF(true, '$')SERVER_LAN_IP" } },
      "2 CHECK_MACRO_LEFT app_values.v",
    ],
    [
      "branches of two types",
      { installation_questions: [choice("a", "x", "y")], app_values: { v: "$IF($QUESTION(a) == x, [1], none)" } },
      "2 CHECK_TYPE_CHANGED app_values.v",
    ],
    [
      "options of two types",
      { installation_questions: [choice("a", 1, "two")], app_values: { v: "$QUESTION(a)" } },
      "2 CHECK_TYPE_CHANGED app_values.v",
    ],
    [
      "a type that only two answers together change",
      {
        installation_questions: [choice("a", "x", "y"), choice("b", "x", "y")],
        app_values: { v: "$IF([$QUESTION(a) == y, $QUESTION(b) == y], ['x'], none, AND)" },
      },
      "2 CHECK_TYPE_CHANGED app_values.v",
    ],
    [
      "a type that another installed app changes",
      { app_values: { v: "$IF($APP_INSTALLED(plex), {'x': 1}, none)" } },
      "2 CHECK_TYPE_CHANGED app_values.v",
    ],
    [
      "an answer in the path of a value",
      {
        ...MEDIA,
        installation_questions: [text("a", { default: "x" })],
        app_values: { v: "$HOST_PATH($LOCATION(Media)/$QUESTION(a))" },
      },
      "2 CHECK_PATH_OUTSIDE app_values.v",
    ],
    [
      "an answer in a text that is JSON",
      { installation_questions: [text("a")], app_values: { v: '{"name": "$QUESTION(a)"}' } },
      "2 CHECK_ANSWER_READ app_values.v",
    ],
    [
      "an option that leads out of its location",
      {
        ...MEDIA,
        installation_questions: [choice("a", "x", "..")],
        ensure_directories_exists: [{ path: "$LOCATION(Media)/$QUESTION(a)" }],
      },
      "2 DIRECTORY_OUTSIDE answers.a",
    ],
    [
      "a percentage that depends on an answer",
      { installation_questions: [choice("a", "5%", "much")], app_values: { v: "$MEMORY($QUESTION(a), 10)" } },
      "2 MACRO_VALUE app_values.v",
    ],
  ])("does not hold for %s", async (_name, changes, line) => {
    const report = await check(changes);
    expect(report.level).toBe(1);
    expect(listFindings(report).filter((found) => found.startsWith("2"))).toContain(line);
  });

  it("says at which place of the script, and with which answers", async () => {
    const changes = {
      installation_questions: [choice("a", "x", "y")],
      app_values: { v: "$IF($QUESTION(a) == x, [1], none)" },
    };
    const { levels } = await check(changes);
    const column = JSON.stringify(rawScript(changes)).indexOf('"$IF') + 1;
    expect(levels.at(-1)?.findings).toMatchObject([
      { line: 1, column, message: 'a string stands where a list does by default (with "a": "y")' },
    ]);
  });

  it("counts the branches it took, and names those it found no answer for", async () => {
    const { coverage } = await check({
      installation_questions: [choice("a", "x", "y"), choice("b", "x", "y")],
      app_values: {
        both: "$IF([$QUESTION(a) == y, $QUESTION(b) == y], 1, 2, AND)",
        inner: "$IF($QUESTION(a) == x, $IF($QUESTION(a) == y, never, always), z)",
        host: "$IF($APP_INSTALLED(plex), 1, 2)",
      },
    });
    expect(coverage).toEqual([
      {
        of: "branches",
        reached: 7,
        all: 8,
        missed: ["app_values.inner: the first branch of $IF($QUESTION(a) == y, never, always)"],
      },
    ]);
  });
});
